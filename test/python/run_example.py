"""Runs an example of the docs as it stands, and prints the arrays that it leaves.

    .venv/bin/python test/python/run_example.py CODE NAME

NAME is a variable of the example: an array, or a list of them.
"""

import json
import sys

import numpy as np

_, code, name = sys.argv
scope = {"__name__": "__main__"}
exec(compile(code, "example", "exec"), scope)
value = scope[name]
arrays = [np.asarray(item) for item in (value if isinstance(value, list) else [value])]
print(
    json.dumps(
        {
            "isList": isinstance(value, list),
            "arrays": [
                {
                    "shape": array.shape,
                    "dtype": str(array.dtype),
                    "owndata": array.flags.owndata,
                    "numbers": array.ravel().tolist(),
                }
                for array in arrays
            ],
        }
    )
)
