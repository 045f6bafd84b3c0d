#!/usr/bin/env python3
"""Sentences per second of all-MiniLM-L6-v2 by runtime, in interleaved rounds, as a Markdown table.

    python3 -m venv VENV && VENV/bin/pip install numpy onnxruntime tokenizers
    scripts/fetch-models.sh embedder && scripts/fetch-models.sh embedder-int8
    CARGO_TARGET_DIR=TARGET cargo build --release --manifest-path benches/embedding/Cargo.toml
    VENV/bin/python benches/embedding/run.py TARGET/release/embedding-bench PASSAGES.jsonl [N_PASSAGES [ROUNDS]]

PASSAGES.jsonl: one {"text": ...} a line. Every runtime runs in a process of its own, one after the other, round after round, so
that load from elsewhere falls on all alike; ratios are medians over rounds of each round's ratio to the peer (Python's
onnxruntime, full precision). Compare ratios and processor time rather than wall time.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MODELS = pathlib.Path(os.environ.get("COEVO_MODELS_DIR") or pathlib.Path.home() / ".cache/coevo-models")
FIXTURE = ROOT / "tests/fixtures/embedding"


def main():
    program, passages = sys.argv[1:3]
    n_passages, rounds = ([int(value) for value in sys.argv[3:]] + [400, 3][len(sys.argv) - 3 :])[:2]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        graph = folder / "minilm.onnx"
        graph.write_bytes((ROOT / "crates/coevo-vectors/src/embedder/minilm.onnx").read_bytes())
        # ONNX Runtime follows no link out of the model's folder.
        shutil.copy(MODELS / "minilm/model.safetensors", folder / "model.safetensors.data")
        int8 = MODELS / "minilm-int8/model.onnx"
        peer = [sys.executable, HERE / "peer.py"]
        runtimes = {
            "Python onnxruntime f32 (the peer)": [*peer, MODELS / "minilm", graph],
            "Python onnxruntime int8": [*peer, MODELS / "minilm", int8],
            "ort f32": [program, "ort", MODELS / "minilm", graph],
            "ort int8": [program, "ort", MODELS / "minilm", int8],
            "rten f32": [program, "rten", MODELS / "minilm", graph],
            "rten int8": [program, "rten", MODELS / "minilm", int8],
        }
        sets = {
            "100 sentences": (FIXTURE / "texts.jsonl", 100, 5),
            f"{n_passages} passages": (passages, n_passages, 1),
        }
        results = {(kind, name): [] for kind in sets for name in runtimes}
        vectors = {}
        for at_round in range(rounds):
            for kind, (path, n_texts, repeats) in sets.items():
                for name, command in runtimes.items():
                    out = folder / "vectors.f32"
                    results[kind, name].append(run([*command, path, n_texts, repeats, out]))
                    vectors[kind, name] = np.fromfile(out, "<f4").reshape(-1, 384).astype(np.float64)
                    print(f"round {at_round + 1}: {kind}: {name}: {results[kind, name][-1]}", file=sys.stderr)
    references = {kind: vectors[kind, next(iter(runtimes))] for kind in sets}
    references["100 sentences"] = np.fromfile(FIXTURE / "vectors.f32", "<f4").reshape(-1, 384)[:100].astype(np.float64)
    for kind in sets:
        print_table(kind, runtimes, results, vectors, references[kind])
    print(f"\nonnxruntime {onnxruntime.__version__}, {rounds} rounds, load at the end {os.getloadavg()[0]:.1f}")


def run(command):
    library = next((pathlib.Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so*"))
    environment = {**os.environ, "ORT_DYLIB_PATH": str(library)}
    done = subprocess.run([str(part) for part in command], env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def print_table(kind, runtimes, results, vectors, reference):
    print(f"\n| {kind} | texts/s (each round) | ratio | texts per CPU-s | ratio | load, s | peak MB | min cosine |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    peer = results[kind, next(iter(runtimes))]
    for name in runtimes:
        runs = results[kind, name]
        speeds = [run["texts"] / run["wall"] for run in runs]
        wall = statistics.median(p["wall"] / r["wall"] for p, r in zip(peer, runs, strict=True))
        cpu = statistics.median(p["cpu"] / r["cpu"] for p, r in zip(peer, runs, strict=True))
        per_cpu = statistics.median(run["texts"] / run["cpu"] for run in runs)
        found = vectors[kind, name]
        lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(reference, axis=1)
        cosine = ((found * reference).sum(axis=1) / lengths).min()
        load = statistics.median(run["load"] for run in runs)
        peak = max(run["peak_mb"] for run in runs)
        listed = " · ".join(f"{speed:.0f}" for speed in speeds)
        print(f"| {name} | {listed} | {wall:.2f} | {per_cpu:.0f} | {cpu:.2f} | {load:.2f} | {peak} | {cosine:.6f} |")


if __name__ == "__main__":
    main()
