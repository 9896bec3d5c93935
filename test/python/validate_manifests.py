"""Checks Kubernetes manifests against the schemas of a version, strictly.

Usage: validate_manifests.py VERSION FILE...
Prints a JSON object: what is wrong with each resource, by its kind; null where nothing is.
"""

import json
import sys

import kubernetes_validate
import yaml


def fault(resource, version):
    try:
        kubernetes_validate.validate(resource, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        path = ".".join(str(key) for key in error.path)
        return f"{path}: {error.message}"
    return None


version, *files = sys.argv[1:]
faults = {}
for file in files:
    with open(file, encoding="utf-8") as text:
        for resource in yaml.safe_load_all(text):
            faults[resource["kind"]] = fault(resource, version)
print(json.dumps(faults))
