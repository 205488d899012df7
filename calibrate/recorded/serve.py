"""serve.py - what the programs of this folder share: they answer requests one after the other, each in an NVTX range
of its own, and print how long a request took by the program's own clock. With --count they print instead how many
kernels torch.profiler sees in a request; with a recorder inside that is not possible, for CUPTI serves one."""

import argparse
import statistics
import time

import torch


def arguments(description, **more):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--count", action="store_true", help="count kernels by torch.profiler, and end")
    for name, default in more.items():
        parser.add_argument("--" + name, type=int, default=default)
    return parser.parse_args()


def count(name, request):
    from torch.profiler import ProfilerActivity, profile

    n = 10
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        for _ in range(n):
            request()
        torch.cuda.synchronize()
    events = [e for e in seen.events() if e.device_type == torch.autograd.DeviceType.CUDA]
    copies = sum(e.name.startswith(("Memcpy", "Memset")) for e in events)
    print(f"{name}: torch.profiler counts {(len(events) - copies) / n:g} kernels, {copies / n:g} copies")


def serve(name, request, a):
    """request() launches everything and returns when the host has the result."""
    with torch.inference_mode():
        for _ in range(20):
            request()
        if a.count:
            return count(name, request)
        took = []
        for _ in range(a.requests):
            torch.cuda.nvtx.range_push(name)
            begin = time.perf_counter()
            request()
            took.append(time.perf_counter() - begin)
            torch.cuda.nvtx.range_pop()
    took = took[len(took) // 4 :]
    print(f"{name}: {1e3 * statistics.median(took):.3f} ms a request (median), {1e3 * statistics.mean(took):.3f} ms mean")
