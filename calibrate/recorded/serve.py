"""serve.py - what the programs of this folder share: they answer requests one after the other, each in an NVTX range
of its own, and print how long a request took by the program's own clock. --log writes it of each request at once: when
it began (ns of the system's clock) and how many ns it took. With --count they print instead how many kernels
torch.profiler sees in a request; with a recorder inside that is not possible, for CUPTI serves one."""

import argparse
import os
import statistics
import time

import torch


def arguments(description, **more):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--count", action="store_true", help="count kernels by torch.profiler, and end")
    parser.add_argument("--profiler", action="store_true", help="cudaProfilerStart() and Stop() around the requests, for ncu")
    parser.add_argument("--log", default=os.devnull, metavar="FILE", help="a line for each request, as soon as it is done")
    for name, default in more.items():
        parser.add_argument("--" + name, type=int, default=default)
    return parser.parse_args()


def captured(work):
    """Calls work() until its kernels can be replayed as one CUDA graph. A call of what it returns launches that, and
    returns what work() returned, which is then written anew."""
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.inference_mode():
        with torch.cuda.stream(side):
            work()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph):
            result = work()

    def replay():
        graph.replay()
        return result

    return replay


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
    with torch.inference_mode(), open(a.log, "w", buffering=1) as log:
        for _ in range(20):
            request()
        if a.count:
            return count(name, request)
        took = []
        if a.profiler:
            torch.cuda.cudart().cudaProfilerStart()
        for _ in range(a.requests):
            torch.cuda.nvtx.range_push(name)
            moment, begin = time.time_ns(), time.perf_counter()
            request()
            took.append(time.perf_counter() - begin)
            torch.cuda.nvtx.range_pop()
            log.write(f"{moment} {1e9 * took[-1]:.0f}\n")
        if a.profiler:
            torch.cuda.cudart().cudaProfilerStop()
    took = took[len(took) // 4 :]
    print(f"{name}: {1e3 * statistics.median(took):.3f} ms a request (median), {1e3 * statistics.mean(took):.3f} ms mean")
