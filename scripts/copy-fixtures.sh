#!/usr/bin/env bash
# Copies the reference data that the tests and the demo need into tests/fixtures.
#
#   scripts/copy-fixtures.sh DIR      DIR holds data/wikidata_slice and data/multihop_text
#
# The large files are copied byte for byte. tests/fixtures/slice_small is *selected* from them by
# scripts/small_slice.py: the same input gives the same triples, passages and questions.
# The READMEs beside the files (source, licence, what was left out) are written by hand and not touched.
set -euo pipefail

if [ $# -ne 1 ] || [ ! -d "${1:-}/data/wikidata_slice" ] || [ ! -d "${1:-}/data/multihop_text" ]; then
  echo "usage: scripts/copy-fixtures.sh DIR   (a directory with data/wikidata_slice and data/multihop_text)" >&2
  exit 1
fi
source_dir=$1/data
root=$(cd "$(dirname "$0")/.." && pwd)
target=$root/tests/fixtures

copy() { # copy SUBDIRECTORY FILE…
  local directory=$1 file
  shift
  mkdir -p "$target/$directory"
  for file in "$@"; do
    install -m 644 "$source_dir/$directory/$file" "$target/$directory/$file"
    gzip -t "$target/$directory/$file"
  done
}

copy wikidata_slice truthy.nt.gz labels.nt.gz literals.nt.gz qualifiers.nt.gz
copy multihop_text musique_300_corpus.jsonl.gz 2wiki_97_corpus.jsonl.gz
python3 "$root/scripts/small_slice.py" "$target" \
  "$source_dir/wikidata_questions/simplequestions_wd_sample500.jsonl" "$target/slice_small"

du -sh "$target"/*/ | sed "s|$root/||"
