"""The Python client in its own process: warms up, measures, prints a line of JSON."""

import json
import resource
import sys
import time

from baseten_performance_client import PerformanceClient, RequestProcessingPreference

job = json.loads(sys.argv[1])
version = 2 if "HTTP/2" in job["client"] else 1
client = PerformanceClient(job["url"], "key", http_version=version)
options = {"extra_headers": {"Accept": "application/json"}} if "JSON" in job["client"] else {}
preference = RequestProcessingPreference(
    batch_size=job["texts"],
    max_concurrent_requests=job["inFlight"],
    max_chars_per_request=1048576,
    **options,
)
texts = ["Hello world"] * (job["texts"] * job["requestsOfCall"])


def send():
    response = client.embed(texts, "m", preference=preference)
    return [seconds * 1000 for seconds in response.individual_request_times]


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


send()
times = []
cpu, start = cpu_seconds(), time.perf_counter()
while len(times) < job["requests"]:
    times += send()
seconds = time.perf_counter() - start
cpu = cpu_seconds() - cpu
times.sort()
print(
    json.dumps(
        {
            "requestsPerS": len(times) / seconds,
            "cpuUs": cpu * 1e6 / len(times),
            "p50Ms": times[int(len(times) * 0.5)],
            "p99Ms": times[int(len(times) * 0.99)],
            "rssMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
    )
)
