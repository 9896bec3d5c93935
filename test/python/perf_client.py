"""Runs calls of the Python performance client, as JSON on stdin says, and prints what they gave."""

import json
import sys

from baseten_performance_client import PerformanceClient, RequestProcessingPreference


def call(client, step):
    preference = RequestProcessingPreference(**step.get("preference", {}))
    kind = step["kind"]
    if kind == "embed":
        response = client.embed(
            step["input"], step["model"], encoding_format=step.get("format"), preference=preference
        )
        return [[item.index, item.embedding] for item in response.data]
    if kind == "rerank":
        response = client.rerank(step["query"], step["input"], preference=preference)
        return [[item.index, item.score, item.text] for item in response.data]
    if kind == "classify":
        response = client.classify(step["input"], preference=preference)
        return [[[entry.label, entry.score] for entry in row] for row in response.data]
    response = client.batch_post(step["path"], step["input"], preference=preference)
    return response.data


def run(client, step):
    try:
        return {"value": call(client, step)}
    except Exception as error:  # noqa: BLE001 - every failure is a result here
        return {"error": str(error)}


def main():
    job = json.load(sys.stdin)
    client = PerformanceClient(job["url"], "key", http_version=job.get("http_version", 1))
    # Bytes and infinities, which JSON can't hold, are of no interest beyond that they are there.
    text = json.dumps([run(client, step) for step in job["steps"]], default=str)
    print(text.replace("Infinity", '"Infinity"'))


main()
