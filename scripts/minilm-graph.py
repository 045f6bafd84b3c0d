#!/usr/bin/env python3
"""Writes the ONNX graph of all-MiniLM-L6-v2 whose weights stay in the hub's own model.safetensors.

The graph is 30 kB of operators; every weight is "external data": a byte range of model.safetensors. So the model as published
is what runs, in full precision, without a converted copy of it. The result is committed in crates/coevo-vectors; run this only
when the graph has to change:

    scripts/fetch-models.sh embedder
    scripts/minilm-graph.py ~/.cache/coevo-models/minilm/model.safetensors crates/coevo-vectors/src/embedder/minilm.onnx

Inputs: input_ids, attention_mask [batch, tokens] int64. Output: last_hidden_state [batch, tokens, 384]. Needs the package onnx.
"""

import json
import math
import struct
import sys

from onnx import TensorProto, helper, save

# The runtime wants data files to be called so; it is handed the bytes, no such file exists.
LOCATION = "model.safetensors.data"
N_HEADS, HEAD, WIDTH, EPSILON = 12, 32, 384, 1e-12


class Graph:
    def __init__(self, safetensors):
        with open(safetensors, "rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            self.header = json.loads(file.read(length))
        self.data_start = 8 + length
        self.nodes, self.initializers = [], []

    def op(self, kind, *inputs, name, **attributes):
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def weight(self, name, shape=None):
        """A tensor of the safetensors file, or its leading part of the given shape."""
        entry = self.header[name]
        assert entry["dtype"] == "F32", entry
        shape = shape or entry["shape"]
        length = 4 * math.prod(shape)
        offset = self.data_start + entry["data_offsets"][0]
        assert offset % 4 == 0 and length <= entry["data_offsets"][1] - entry["data_offsets"][0]
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape)
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", LOCATION), ("offset", offset), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        self.initializers.append(tensor)
        return name

    def constant(self, name, kind, shape, values):
        self.initializers.append(helper.make_tensor(name, kind, shape, values))
        return name

    def linear(self, x, weight, name):
        """PyTorch stores [out, in]; the transposition is folded when the model is loaded."""
        turned = self.op("Transpose", self.weight(weight + ".weight"), name=name + ".turned", perm=[1, 0])
        product = self.op("MatMul", x, turned, name=name + ".product")
        return self.op("Add", product, self.weight(weight + ".bias"), name=name)

    def layer_norm(self, x, weight, name):
        scale, bias = self.weight(weight + ".weight"), self.weight(weight + ".bias")
        return self.op("LayerNormalization", x, scale, bias, name=name, axis=-1, epsilon=EPSILON)


def build(safetensors):
    g = Graph(safetensors)
    zero, one = (g.constant(f"at_{n}", TensorProto.INT64, [1], [n]) for n in (0, 1))
    split = g.constant("split_heads", TensorProto.INT64, [4], [0, 0, N_HEADS, HEAD])
    join = g.constant("join_heads", TensorProto.INT64, [3], [0, 0, WIDTH])
    scale = g.constant("scale", TensorProto.FLOAT, [], [1 / math.sqrt(HEAD)])
    sqrt_2 = g.constant("sqrt_2", TensorProto.FLOAT, [], [math.sqrt(2)])
    unit = g.constant("unit", TensorProto.FLOAT, [], [1.0])
    half = g.constant("half", TensorProto.FLOAT, [], [0.5])
    hidden_score = g.constant("hidden_score", TensorProto.FLOAT, [], [-10000.0])

    # Padding gets a score so low that its weight is exactly 0 after softmax.
    seen = g.op("Cast", "attention_mask", name="seen", to=TensorProto.FLOAT)
    unseen = g.op("Sub", unit, seen, name="unseen")
    axes = g.constant("mask_axes", TensorProto.INT64, [2], [1, 2])
    mask = g.op("Unsqueeze", g.op("Mul", unseen, hidden_score, name="mask_flat"), axes, name="mask")

    embeddings = "embeddings."
    words = g.op("Gather", g.weight(embeddings + "word_embeddings.weight"), "input_ids", name="words")
    n_tokens = g.op("Slice", g.op("Shape", "input_ids", name="shape"), one, g.constant("at_2", TensorProto.INT64, [1], [2]), name="n_tokens")
    positions = g.op("Slice", g.weight(embeddings + "position_embeddings.weight"), zero, n_tokens, zero, name="positions")
    # Every text is a single sentence: type 0 everywhere.
    types = g.weight(embeddings + "token_type_embeddings.weight", [WIDTH])
    placed = g.op("Add", positions, types, name="placed")
    x = g.layer_norm(g.op("Add", words, placed, name="embedded"), embeddings + "LayerNorm", "start")

    n_layers = 1 + max(int(name.split(".")[2]) for name in g.header if name.startswith("encoder.layer."))
    for layer in range(n_layers):
        of, at = f"encoder.layer.{layer}.", f"l{layer}."
        heads = {}
        for part, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            flat = g.linear(x, f"{of}attention.self.{part}", at + part)
            heads[part] = g.op("Transpose", g.op("Reshape", flat, split, name=f"{at}{part}.split"), name=f"{at}{part}.heads", perm=perm)
        raw = g.op("MatMul", heads["query"], heads["key"], name=at + "raw_scores")
        scores = g.op("Add", g.op("Mul", raw, scale, name=at + "scores"), mask, name=at + "masked_scores")
        weights = g.op("Softmax", scores, name=at + "weights", axis=-1)
        context = g.op("MatMul", weights, heads["value"], name=at + "context.heads")
        context = g.op("Transpose", context, name=at + "context.turned", perm=[0, 2, 1, 3])
        context = g.op("Reshape", context, join, name=at + "context")
        attended = g.linear(context, of + "attention.output.dense", at + "attended")
        x = g.layer_norm(g.op("Add", attended, x, name=at + "attended.sum"), of + "attention.output.LayerNorm", at + "middle")
        inner = g.linear(x, of + "intermediate.dense", at + "inner")
        erf = g.op("Erf", g.op("Div", inner, sqrt_2, name=at + "gelu.scaled"), name=at + "gelu.erf")
        gelu = g.op("Mul", inner, g.op("Add", erf, unit, name=at + "gelu.sum"), name=at + "gelu.product")
        gelu = g.op("Mul", gelu, half, name=at + "gelu")
        outer = g.linear(gelu, of + "output.dense", at + "outer")
        name = "last_hidden_state" if layer == n_layers - 1 else at + "end"
        x = g.layer_norm(g.op("Add", outer, x, name=at + "outer.sum"), of + "output.LayerNorm", name)

    def value(name, kind, *shape):
        return helper.make_tensor_value_info(name, kind, shape)

    graph = helper.make_graph(
        g.nodes,
        "all-MiniLM-L6-v2",
        [value(name, TensorProto.INT64, "batch", "tokens") for name in ("input_ids", "attention_mask")],
        [value("last_hidden_state", TensorProto.FLOAT, "batch", "tokens", WIDTH)],
        g.initializers,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="coevo")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    model = build(sys.argv[1])
    save(model, sys.argv[2])
