#!/usr/bin/env bash
# Records a real model's replies for the replay tests: co-e-cot over tests/fixtures/slice_small, one fresh data directory a question.
#
#   scripts/record.sh [ID…]      questions of tests/fixtures/slice_small/questions.jsonl; the two-hop ones unless named
#
# The model is the local 1.5B one, or COEVO__MODEL__BASE_URL when set. Recordings go to tests/fixtures/recordings/co-e-cot,
# one folder a question; a folder is replaced only when its question came to an end.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$HOME/.cache/coevo-target}
coevo=$CARGO_TARGET_DIR/release/coevo
small=tests/fixtures/slice_small
target=tests/fixtures/recordings/co-e-cot

if [ -z "${COEVO__MODEL__BASE_URL:-}" ]; then
  scripts/demo.sh model
  export COEVO__MODEL__BASE_URL=http://127.0.0.1:${COEVO_DEMO_MODEL_PORT:-18081}/v1
fi
[ $# -gt 0 ] || set -- two-hop-1 two-hop-2 two-hop-3 two-hop-4 two-hop-5 two-hop-6

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$coevo" ingest wikidata --location "$work/fresh" "$small"/{truthy,labels,literals,qualifiers}.nt.gz
"$coevo" ingest documents --location "$work/fresh" "$small/passages.jsonl.gz"

mkdir -p "$target"
for id in "$@"; do
  question=$(python3 -c '
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    if record["id"] == sys.argv[2]:
        print(record["question"])
        break
else:
    sys.exit(f"record: error: no question {sys.argv[2]} in {sys.argv[1]}")
' "$small/questions.jsonl" "$id")
  echo "== $id: $question" >&2
  rm -rf "$work/data" "$work/recording"
  cp -r "$work/fresh" "$work/data"
  "$coevo" ask --location "$work/data" --strategy co-e-cot --max-steps 3 --set "model.record_dir=$work/recording" "$question"
  rm -rf "${target:?}/$id"
  cp -r "$work/recording" "$target/$id"
done
du -sh "$target"
