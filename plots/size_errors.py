#!/usr/bin/env python3
"""How well times at an input size follow from those at other sizes: the table of docs/validation/h200.md, as Markdown.

  plots/size_errors.py PROFILE.db

Leaves one size out at a time (not the smallest and the largest) and predicts it from the others of a profile, by each
rule. REQUESTS: the median time of a request alone, at each number of SMs (request_solo). KERNELS: the median time of each
kernel, from the sizes at which kernels were timed (kernel_solo), scaled so that they add up to the same; `misplaced` is
half of what all kernels of the request together are wrong by, over the request: time that is in the wrong kernel. The rule
`alike` gives every kernel its share at the default size. `linear` is what simulations do (src/models/gpu/spatial_sizes.c).

Kernels of two sizes are the same one if their names are equal but for numbers, and so is their place among those
(src/models/profile/predictor_tasks.h).
"""
import collections
import math
import re
import sqlite3
import sys


def linear(low, high, x):
    return low[1] + (high[1] - low[1]) * (x - low[0]) / (high[0] - low[0])


def logarithmic(low, high, x):
    return low[1] * (high[1] / low[1]) ** (math.log(x / low[0]) / math.log(high[0] / low[0]))


def nearest(low, high, x):
    return low[1] if x - low[0] <= high[0] - x else high[1]


RULES = {'linear': linear, 'log-log': logarithmic, 'nearest': nearest}


def between(rule, known, x):
    """What a rule says at x of {size: time}; the nearest one's beyond them."""
    low = max((s for s in known if s < x), default=None)
    high = min((s for s in known if s > x), default=None)
    if low is None or high is None:
        return known[high if low is None else low]
    return rule((low, known[low]), (high, known[high]), x)


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(q * len(values)) - 1)]


def row(name, errors, misplaced=None):
    cells = [name, f'{len(errors):,}', f'{100 * sum(errors) / len(errors):.1f}', f'{100 * quantile(errors, 0.95):.1f}']
    if misplaced is not None:
        cells.append(f'{100 * sum(misplaced) / len(misplaced):.1f}')
    print('| ' + ' | '.join(cells) + ' |')


def tasks(kernels):
    """The names of a request's kernels without numbers, each with its place among its like."""
    seen = collections.Counter()
    for kernel in kernels:
        stem = re.sub(r'\d+', '#', kernel)
        seen[stem] += 1
        yield stem, seen[stem]


def requests(db):
    times = collections.defaultdict(dict)
    for app, sms, size, ns in db.execute("SELECT application, sms, size, median_ns FROM request_solo "
                                         "WHERE mechanism IN ('whole', 'green')"):
        times[app, sms][size] = ns
    errors = collections.defaultdict(list)
    for known in times.values():
        for size in sorted(known)[1:-1]:
            others = {s: ns for s, ns in known.items() if s != size}
            for name, rule in RULES.items():
                errors[name].append(abs(between(rule, others, size) / known[size] - 1))
    print('| requests | n | mean, % | p95, % |\n| --- | --- | --- | --- |')
    for name, values in errors.items():
        row(name, values)


def kernels(db):
    default = dict(db.execute('SELECT application, size_default FROM subject'))
    sequence = collections.defaultdict(list)
    for app, size, kernel in db.execute('SELECT application, size, kernel FROM request_kernel ORDER BY 1, 2, position'):
        sequence[app, size].append(kernel)
    solo = collections.defaultdict(lambda: collections.defaultdict(dict))
    for app, sms, size, kernel, ns in db.execute("SELECT application, sms, size, kernel, median_ns FROM kernel_solo "
                                                 "WHERE mechanism IN ('whole', 'green')"):
        solo[app, sms][size][kernel] = ns
    errors, misplaced = collections.defaultdict(list), collections.defaultdict(list)
    for (app, _), by_size in solo.items():
        whole = {size: dict(zip(tasks(sequence[app, size]), (by_size[size][k] for k in sequence[app, size])))
                 for size in by_size if all(k in by_size[size] for k in sequence[app, size])}
        for size in sorted(whole)[1:-1]:
            others = {s: times for s, times in whole.items() if s != size}
            predicted = {}
            for name, rule in RULES.items():
                predicted[name] = {task: between(rule, {s: t[task] for s, t in others.items() if task in t}, size)
                                   for task in whole[size] if any(task in t for t in others.values())}
            if default[app] in others:
                predicted['alike'] = {task: ns for task, ns in others[default[app]].items() if task in whole[size]}
            for name, times in predicted.items():
                all_ns = sum(whole[size][task] for task in times)
                scale = all_ns / sum(times.values())
                off = [abs(ns * scale - whole[size][task]) for task, ns in times.items()]
                errors[name] += [x / whole[size][task] for x, task in zip(off, times)]
                misplaced[name].append(sum(off) / 2 / all_ns)
    print('\n| kernels | n | mean, % | p95, % | misplaced, % |\n| --- | --- | --- | --- | --- |')
    for name, values in errors.items():
        row(name, values, misplaced[name])


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    db = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
    requests(db)
    kernels(db)


if __name__ == '__main__':
    main()
