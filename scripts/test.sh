#!/usr/bin/env bash
# Everything CI runs, one part after the other, each with its time; the first failure ends it.
# The last line is `test result: ok. N passed; 0 failed; …` over all test binaries, or `test result: FAILED. …`.
# Exit codes: 0 all is well, else that of the part that failed.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$HOME/.cache/coevo-target}
export CARGO_TERM_PROGRESS_WHEN=never
# The embedder is fetched below: a test that needs it must not skip.
export COEVO_REQUIRE_MODELS=1

# One selection everywhere, so that features unify the same way and nothing heavy is built twice.
whole=(--release --locked --workspace --all-targets)
times=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT

part() { # part NAME COMMAND…
  local name=$1 started=$SECONDS status=0
  shift
  echo "== $name: $*"
  "$@" || status=$?
  times+=("$(printf '%5d s  %s' $((SECONDS - started)) "$name")")
  if [ "$status" != 0 ]; then
    summary
    echo "test result: FAILED. $name failed with exit code $status"
    exit "$status"
  fi
}

summary() {
  echo "== times"
  printf '%s\n' "${times[@]}"
}

run_tests() { cargo test "${whole[@]}" --no-fail-fast 2>&1 | tee -a "$log"; }
# Examples in documentation are no target of their own.
run_doctests() { cargo test --release --locked --workspace --doc --no-fail-fast 2>&1 | tee -a "$log"; }

part bootstrap scripts/bootstrap.sh --checks
part models scripts/fetch-models.sh embedder
part format cargo fmt --all --check
part build cargo build "${whole[@]}"
part tidy "$CARGO_TARGET_DIR/release/xtask" tidy
part clippy cargo clippy "${whole[@]}" -- -D warnings
part tests run_tests
part doctests run_doctests
summary
awk '/^test result: /{ passed += $4; failed += $6; ignored += $8; n++ }
  END { printf "test result: ok. %d passed; %d failed; %d ignored; %d test runs\n", passed, failed, ignored, n }' "$log"
