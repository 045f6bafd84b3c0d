#!/usr/bin/env bash
# Installs what building and testing Coevo needs on Debian or Ubuntu and is missing here; says so; a no-op when all is there.
#
#   scripts/bootstrap.sh [--local-model] [--checks]
#
#   always          a C++20 compiler (RocksDB, Qdrant's kernels), libclang (bindings of RocksDB), make, curl (the demo asks /health/ready),
#                   python3 with pip (scripts/fetch-models.sh)
#   --local-model   also OpenMP's run-time library for llama-server
#   --checks        also rustfmt and clippy, through rustup
# Rust itself is expected: 1.95 or newer.
# Exit codes: 0 everything is there, 1 something is missing and could not be installed (the command to run is printed).
set -euo pipefail

rust_needed=1.95
local_model=no
checks=no
for argument in "$@"; do
  case $argument in
    --local-model) local_model=yes ;;
    --checks) checks=yes ;;
    *) echo "usage: scripts/bootstrap.sh [--local-model] [--checks]" >&2; exit 1 ;;
  esac
done

say() { echo "bootstrap: $*" >&2; }
fail() { say "error: $1"; say "  hint: $2"; exit 1; }

has_cxx20() {
  command -v c++ > /dev/null || return 1
  echo '#include <concepts>
static_assert(std::integral<int>);' | c++ -std=c++20 -fsyntax-only -x c++ - 2> /dev/null
}

# bindgen loads libclang at build time; without it the build fails only after all of RocksDB was compiled.
has_libclang() {
  [ -z "${LIBCLANG_PATH:-}" ] || return 0
  local file
  for file in /usr/lib/llvm-*/lib/libclang.so* /usr/lib/*/libclang.so* /usr/lib/*/libclang-[0-9]*.so* /usr/lib64/libclang.so* /usr/local/lib/libclang.so*; do
    if [ -e "$file" ]; then return 0; fi
  done
  return 1
}

has_pip() { python3 -m pip --version > /dev/null 2>&1; }

has_openmp() { ldconfig -p 2> /dev/null | grep -q 'libgomp\.so\.1' || [ -n "$(find /usr/lib /lib -name 'libgomp.so.1' -print -quit 2> /dev/null)" ]; }

missing=()
has_cxx20 || missing+=(g++)
has_libclang || missing+=(libclang-dev)
command -v make > /dev/null || missing+=(make)
command -v curl > /dev/null || missing+=(curl ca-certificates)
command -v python3 > /dev/null || missing+=(python3)
has_pip || missing+=(python3-pip)
if [ "$local_model" = yes ]; then has_openmp || missing+=(libgomp1); fi

if [ ${#missing[@]} -gt 0 ]; then
  command="apt-get install -y --no-install-recommends ${missing[*]}"
  command -v apt-get > /dev/null || fail "missing here: ${missing[*]} (Debian's names)" "install them with this system's package manager"
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    # Never wait for a password where nobody can type one.
    if command -v sudo > /dev/null && { sudo -n true 2> /dev/null || { [ -t 0 ] && [ -z "${CI:-}" ]; }; }; then
      as_root=(sudo)
    else
      fail "missing here: ${missing[*]}" "as root, run: apt-get update && $command"
    fi
  fi
  say "installing what is missing: ${missing[*]}"
  say "running: ${as_root[*]} $command"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq < /dev/null >&2 ||
    say "apt-get update failed: trying with the lists that are here"
  # shellcheck disable=SC2086 # the command is a list of plain words
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive $command < /dev/null >&2 ||
    fail "apt-get could not install: ${missing[*]}" "look at its messages above, then run: $command"
fi

command -v cargo > /dev/null || fail "cargo is not on the PATH" "install Rust $rust_needed or newer: https://rustup.rs"
found=$(rustc --version | cut -d ' ' -f 2)
if [ "$(printf '%s\n%s\n' "$rust_needed" "${found%%-*}" | sort -V | head -n 1)" != "$rust_needed" ]; then
  fail "rustc is $found, $rust_needed or newer is needed" "rustup update stable"
fi
has_cxx20 || fail "c++ does not compile C++20 (concepts)" "install g++ 10 or newer, or clang 14 or newer"
has_libclang || fail "libclang is not found" "install libclang-dev, or set LIBCLANG_PATH to the folder that holds libclang.so"
has_pip || fail "$(command -v python3) has no pip" "install pip for that python3, or put Debian's /usr/bin first on the PATH"

if [ "$checks" = yes ] && ! { cargo fmt --version && cargo clippy --version; } > /dev/null 2>&1; then
  command -v rustup > /dev/null || fail "cargo fmt or cargo clippy is missing" "install rustfmt and clippy of this Rust"
  say "running: rustup component add rustfmt clippy"
  rustup component add rustfmt clippy < /dev/null >&2 || fail "rustup could not add rustfmt and clippy" "look at its messages above"
fi
