#!/usr/bin/env bash
# The main job from nothing: build, load a real part of Wikidata and real passages, ask, show the evidence and the claims, serve.
#
#   scripts/demo.sh          (make demo)         run it; MODEL=local fetches and runs a small model, MODEL=URL uses yours
#   scripts/demo.sh stop     (make stop)         stop what the demo left running
#   scripts/demo.sh clean    (make clean-demo)   stop it and delete its data directory
#   scripts/demo.sh model                        only fetch and start the local model
#
#   COEVO_DEMO_DIR          data directory, .coevo-demo in the repository unless set
#   COEVO_DEMO_PORT         the server's port on 127.0.0.1, 7878 unless set
#   COEVO_DEMO_MODEL_PORT   the local model's port on 127.0.0.1, 18081 unless set
#   COEVO_DEMO_QUESTION     another question
# A second run ingests nothing again (files are known by their hash) and restarts the server.
# Exit codes: 0 done, 1 something here is in the way (the hint says what to do), 2 a step failed (its last lines are shown).
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-${HOME:?HOME is not set}/.cache/coevo-target}
dir=${COEVO_DEMO_DIR:-.coevo-demo}
case $dir in /*) ;; *) dir=$root/$dir ;; esac
port=${COEVO_DEMO_PORT:-7878}
model_port=${COEVO_DEMO_MODEL_PORT:-18081}
models_dir=${COEVO_MODELS_DIR:-$HOME/.cache/coevo-models}
question=${COEVO_DEMO_QUESTION:-Where was the director of Saving Private Ryan born?}
model=${MODEL:-}

url=http://127.0.0.1:$port
coevo=$CARGO_TARGET_DIR/release/coevo
fixtures=tests/fixtures
state=$dir/demo

main() {
  case ${1:-run} in
    run) run ;;
    model) prepare_model ;;
    stop) stop_all ;;
    clean) clean ;;
    *) sed -n '4,7s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
  esac
}

run() {
  case $model in
    '' | local | http://* | https://*) ;;
    *) fail 1 "MODEL=$model is not known" "MODEL=local, or the base URL of an OpenAI-compatible server such as http://127.0.0.1:11434/v1" ;;
  esac
  step "Checking the machine"
  if [ "$model" = local ]; then scripts/bootstrap.sh --local-model; else scripts/bootstrap.sh; fi

  step "Fetching the embedding model (91 MB; nothing when it is there)"
  scripts/fetch-models.sh embedder
  if [ "$model" = local ]; then
    step "Fetching llama-server and the 1.5B model (1.2 GB; nothing when they are there)"
    scripts/fetch-models.sh local-model
  fi

  step "Building (30 to 60 CPU-minutes the first time: RocksDB and Qdrant Edge)"
  # With a test target cargo unifies features as `make test` does, so that neither run rebuilds what the other built.
  cargo build --release --locked --workspace --bins --test it ||
    fail 2 "the build failed" "read the first error above; scripts/bootstrap.sh installs compilers"

  stop_server
  claim_port "$port" COEVO_DEMO_PORT

  step "Loading real data into $dir"
  prepare_dir
  "$coevo" ingest wikidata --location "$dir" "$fixtures"/wikidata_slice/{truthy,labels,literals,qualifiers}.nt.gz ||
    step_failed "coevo ingest wikidata failed"
  "$coevo" ingest documents --location "$dir" "$fixtures"/multihop_text/{musique_300,2wiki_97}_corpus.jsonl.gz ||
    step_failed "coevo ingest documents failed"

  local strategy=co-e-cot
  case $model in
    '') strategy=evidence-only; stop_model ;;
    local) start_model; export COEVO__MODEL__BASE_URL=http://127.0.0.1:$model_port/v1 ;;
    *) stop_model; export COEVO__MODEL__BASE_URL=$model ;;
  esac
  start_server

  step "Asking: $question"
  if [ "$strategy" = evidence-only ]; then
    say "no chat model: the strategy is evidence-only (ranked paths and passages, no claims). With one: make demo MODEL=local"
  else
    say "strategy co-e-cot with the model at $COEVO__MODEL__BASE_URL"
  fi
  local answered=0
  "$coevo" ask --server "$url" --strategy "$strategy" --max-steps 3 "$question" || answered=$?
  if [ "$answered" -gt 1 ]; then
    if [ "$model" = local ] && ! pid_of model llama-server "$model_port" > /dev/null; then
      step_failed "llama-server died while it was asked" "$state/model.log"
    fi
    step_failed "coevo ask failed" "$state/server.log"
  fi

  step "Claims in memory"
  "$coevo" claims list --server "$url" || step_failed "coevo claims list failed" "$state/server.log"
  if [ "$strategy" = evidence-only ]; then say "evidence-only writes no claims: they come from what a model reads in passages"; fi

  cat <<EOF

The server is running: $url/
  ask        $coevo ask --server $url "…"
  query      $coevo query --server $url -q 'SELECT …'     (an evidence path's SPARQL, for example)
  log        $state/server.log
  stop       make stop     (and to delete its data: make clean-demo)
EOF
  # 1: the answer says no. Everything else went well and stays up.
  return "$answered"
}

prepare_model() {
  scripts/bootstrap.sh --local-model
  scripts/fetch-models.sh local-model
  [ -x "$coevo" ] || fail 1 "$coevo is not built" "make demo builds it"
  prepare_dir
  start_model
}

# The logs and pid files stand inside the data directory, which must be one before anything else is in it.
prepare_dir() {
  if [ ! -e "$dir/coevo.json" ]; then "$coevo" init "$dir" || step_failed "coevo init failed"; fi
  mkdir -p "$state"
}

# --- the server and the model: started here, known by their pid file, never touched unless they are ours ---

start_server() {
  step "Starting the server on $url"
  setsid "$coevo" serve --location "$dir" --bind "127.0.0.1:$port" > "$state/server.log" 2>&1 < /dev/null &
  echo $! > "$state/server.pid"
  wait_for "$url/health/ready" "$(cat "$state/server.pid")" 60 "coevo serve" "$state/server.log"
}

start_model() {
  step "Starting the local model on 127.0.0.1:$model_port"
  local folder=$models_dir/llama-server pid
  if pid=$(pid_of model llama-server "$model_port") && curl -fsS -m 5 "http://127.0.0.1:$model_port/health" > /dev/null 2>&1; then
    say "it is running already (pid $pid)"
    return
  fi
  stop_model
  claim_port "$model_port" COEVO_DEMO_MODEL_PORT
  LD_LIBRARY_PATH=$folder setsid "$folder/llama-server" -m "$models_dir/qwen2.5-coder-1.5b.gguf" --alias qwen2.5-coder-1.5b \
    --host 127.0.0.1 --port "$model_port" -c 8192 -np 2 -t 2 -ngl 0 > "$state/model.log" 2>&1 < /dev/null &
  echo $! > "$state/model.pid"
  wait_for "http://127.0.0.1:$model_port/health" "$(cat "$state/model.pid")" 120 llama-server "$state/model.log"
}

stop_server() { stop_one server coevo "$dir"; }
stop_model() { stop_one model llama-server "$model_port"; }

stop_all() {
  stop_server
  stop_model
  say "nothing of the demo is running"
}

clean() {
  stop_all
  if [ ! -e "$dir" ]; then return; fi
  [ -e "$dir/coevo.json" ] || fail 1 "$dir holds no coevo.json: not deleting it" "look at it, and delete it yourself"
  rm -rf "$dir"
  say "deleted $dir"
}

# pid_of NAME WORD WORD: prints the pid when the pid file's process is alive and its command line holds both words.
pid_of() {
  local pid command
  pid=$(cat "$state/$1.pid" 2> /dev/null) || return 1
  command=$({ tr '\0' ' ' < "/proc/$pid/cmdline"; } 2> /dev/null) || return 1
  case $command in *"$2"*"$3"*) echo "$pid" ;; *) return 1 ;; esac
}

stop_one() {
  local pid
  if pid=$(pid_of "$@"); then
    say "stopping our earlier $1 (pid $pid)"
    kill "$pid" 2> /dev/null || true
    for _ in $(seq 200); do
      if [ ! -e "/proc/$pid" ]; then break; fi
      sleep 0.1
    done
    if [ -e "/proc/$pid" ]; then
      say "it did not stop within 20 s: killing it"
      kill -KILL "$pid" 2> /dev/null || true
      sleep 0.5
    fi
  fi
  rm -f "$state/$1.pid"
}

claim_port() {
  if (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; then
    fail 1 "port $1 on 127.0.0.1 is in use by a program that this demo did not start" "stop that program, or choose another port: $2=NUMBER make demo"
  fi
}

wait_for() { # wait_for URL PID SECONDS NAME LOG
  local deadline=$((SECONDS + $3))
  until curl -fsS -m 5 "$1" > /dev/null 2>&1; do
    if [ ! -e "/proc/$2" ]; then step_failed "$4 ended before it was ready" "$5"; fi
    if [ "$SECONDS" -ge "$deadline" ]; then step_failed "$4 was not ready after $3 s" "$5"; fi
    sleep 0.2
  done
}

# --- talk ---

step() { printf '\n== %s\n' "$*" >&2; }
say() { echo "demo: $*" >&2; }

fail() { # fail CODE WHAT HINT
  say "error: $2"
  say "  hint: $3"
  exit "$1"
}

step_failed() { # step_failed WHAT [LOG]
  if [ $# -gt 1 ]; then
    tail -n 12 "$2" 2> /dev/null | sed 's/^/  | /' >&2 || true
    fail 2 "$1" "the whole log is $2"
  fi
  fail 2 "$1" "its message is above; make clean-demo starts over"
}

main "$@"
