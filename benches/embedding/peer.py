"""The peer: Python's onnxruntime with the same batches. Same arguments and output as the program beside it, without RUNTIME."""

import json
import resource
import sys
import time

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

models, graph, path, n_texts, repeats, *vectors_path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    texts = [json.loads(line)["text"] for line, _ in zip(file, range(int(n_texts)), strict=False)]

start = time.perf_counter()
tokenizer = Tokenizer.from_file(models + "/tokenizer.json")
tokenizer.no_padding()
tokenizer.enable_truncation(256)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 2
session = onnxruntime.InferenceSession(graph, options)
wanted = [value.name for value in session.get_inputs()]


def embed(texts):
    ids = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
    groups = []
    for at in order:
        if groups and (len(groups[-1]) + 1) * len(ids[at]) <= 2048:
            groups[-1].append(at)
        else:
            groups.append([at])
    vectors = np.zeros((len(ids), 384), dtype=np.float32)
    for group in groups:
        shape = (len(group), max(len(ids[at]) for at in group))
        inputs = {name: np.zeros(shape, dtype=np.int64) for name in wanted}
        for row, at in enumerate(group):
            inputs["input_ids"][row, : len(ids[at])] = ids[at]
            inputs["attention_mask"][row, : len(ids[at])] = 1
        states = session.run(["last_hidden_state"], inputs)[0]
        sums = (states * inputs["attention_mask"][:, :, None]).sum(axis=1)
        vectors[group] = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return vectors


embed(texts[:1])
load, start, cpu = time.perf_counter() - start, time.perf_counter(), time.process_time()
for _ in range(int(repeats)):
    vectors = embed(texts)
wall, cpu = time.perf_counter() - start, time.process_time() - cpu
for name in vectors_path:
    vectors.astype("<f4").tofile(name)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps({"texts": len(texts) * int(repeats), "wall": wall, "cpu": cpu, "load": load, "peak_mb": peak}))
