"""Runs the NumPy lines of docs/formats.md on the bytes of its examples.

Takes a JSON list of {"wire", "hex", "line"}, and prints a list of {"shape", "dtype", "hex"}.
"""

import base64
import json
import sys

import msgpack
import numpy as np

READERS = {"JSON": json.loads, "MessagePack": msgpack.unpackb}


def result(example):
    embedding = READERS[example["wire"]](bytes.fromhex(example["hex"]))
    array = eval(example["line"], {"base64": base64, "np": np, "embedding": embedding})
    return {
        "shape": array.shape,
        "dtype": str(array.dtype),
        "hex": array.astype("<f4").tobytes().hex(),
    }


print(json.dumps([result(example) for example in json.loads(sys.argv[1])]))
