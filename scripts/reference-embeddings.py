#!/usr/bin/env python3
"""Reference sentence vectors of all-MiniLM-L6-v2, computed from its full-precision weights in float64.

It is written against the model's description (config.json, the BERT paper, the sentence-transformers model card) and shares
nothing with Coevo: its own WordPiece tokenizer, its own reading of safetensors, its own forward pass in numpy. It is slow and
plain on purpose. The vectors it writes are the yardstick of the embedder's tests and of benches/embedding.

    scripts/fetch-models.sh embedder
    scripts/reference-embeddings.py TEXTS.jsonl VECTORS.f32 [--models DIR]

TEXTS.jsonl: one {"text": ...} a line. VECTORS.f32: little-endian float32, 384 a text, in the same order. Needs numpy.
"""

import argparse
import json
import math
import os
import pathlib
import struct
import sys
import unicodedata

import numpy as np

MAX_TOKENS = 256  # sentence_bert_config.json of the model
N_HEADS = 12


class WordPiece:
    """BERT's uncased tokenizer: clean, lower, strip accents, split at white space and punctuation, then longest match first."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.vocabulary = json.load(file)["model"]["vocab"]

    def encode(self, text):
        pieces = [piece for word in self.words(text) for piece in self.pieces(word)]
        pieces = ["[CLS]", *pieces[: MAX_TOKENS - 2], "[SEP]"]
        return [self.vocabulary[piece] for piece in pieces]

    def words(self, text):
        characters = []
        for character in text:
            if character in ("\0", "\ufffd") or self.is_control(character):
                continue
            if self.is_ideograph(character):
                characters += [" ", character, " "]
            else:
                characters.append(" " if self.is_space(character) else character)
        lowered = unicodedata.normalize("NFD", "".join(characters))
        lowered = "".join(c for c in lowered if unicodedata.category(c) != "Mn").lower()
        word = ""
        for character in lowered:
            if character.isspace():
                if word:
                    yield word
                word = ""
            elif self.is_punctuation(character):
                if word:
                    yield word
                yield character
                word = ""
            else:
                word += character
        if word:
            yield word

    def pieces(self, word):
        if len(word) > 100:
            return ["[UNK]"]
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in self.vocabulary:
                    found.append(piece)
                    start = end
                    break
            else:
                return ["[UNK]"]
        return found

    @staticmethod
    def is_space(character):
        return character in " \t\n\r" or unicodedata.category(character) == "Zs"

    @staticmethod
    def is_control(character):
        return character not in "\t\n\r" and unicodedata.category(character).startswith("C")

    @staticmethod
    def is_punctuation(character):
        ascii_mark = 33 <= ord(character) <= 126 and not character.isalnum()
        return ascii_mark or unicodedata.category(character).startswith("P")

    @staticmethod
    def is_ideograph(character):
        ranges = (
            (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
            (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
        )  # fmt: skip
        return any(low <= ord(character) <= high for low, high in ranges)


def read_safetensors(path):
    """Name to float64 array; the layout is an 8-byte header length, a JSON header and raw little-endian data."""
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        flat = np.frombuffer(data[8 + length + start : 8 + length + end], dtype="<f4")
        tensors[name] = flat.reshape(entry["shape"]).astype(np.float64)
    return tensors


def embed(tensors, ids):
    """One text at a time, so that no padding or mask can be wrong."""
    erf = np.vectorize(math.erf, otypes=[np.float64])

    def linear(x, name):
        return x @ tensors[name + ".weight"].T + tensors[name + ".bias"]

    def layer_norm(x, name):
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centred / scale * tensors[name + ".weight"] + tensors[name + ".bias"]

    def heads(x):
        return x.reshape(len(ids), N_HEADS, -1).transpose(1, 0, 2)

    words, positions, types = (
        tensors[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
    )
    x = layer_norm(words[ids] + positions[: len(ids)] + types[0], "embeddings.LayerNorm")
    n_layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))
    for layer in range(n_layers):
        at = f"encoder.layer.{layer}."
        query, key, value = (heads(linear(x, f"{at}attention.self.{part}")) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        context = (weights @ value).transpose(1, 0, 2).reshape(len(ids), -1)
        x = layer_norm(x + linear(context, at + "attention.output.dense"), at + "attention.output.LayerNorm")
        inner = linear(x, at + "intermediate.dense")
        inner = 0.5 * inner * (1 + erf(inner / math.sqrt(2)))
        x = layer_norm(x + linear(inner, at + "output.dense"), at + "output.LayerNorm")
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def main():
    default = os.environ.get("COEVO_MODELS_DIR") or pathlib.Path.home() / ".cache/coevo-models"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts")
    parser.add_argument("vectors")
    parser.add_argument("--models", type=pathlib.Path, default=pathlib.Path(default))
    arguments = parser.parse_args()

    tokenizer = WordPiece(arguments.models / "minilm/tokenizer.json")
    tensors = read_safetensors(arguments.models / "minilm/model.safetensors")
    lines = pathlib.Path(arguments.texts).read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines if line.strip()]
    with open(arguments.vectors, "wb") as out:
        for text in texts:
            out.write(embed(tensors, tokenizer.encode(text)).astype("<f4").tobytes())
    print(f"{len(texts)} vectors written to {arguments.vectors}", file=sys.stderr)


if __name__ == "__main__":
    main()
