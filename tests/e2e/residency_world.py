#!/usr/bin/env python3
"""residency_world.py DB: plants the residency of six made-up kernels that follow the law that
fit_residency.py states, with numbers of its own, and use nothing that all SMs share: alone on half of the SMs
each is half as fast. One is launched first at 1.2 times the rate, and second at
0.8. The law's equations are solved here, by bisection: nothing of the script is used."""
import itertools
import math
import sqlite3
import sys

KERNELS = ('ant', 'bee', 'cat', 'dog', 'eel', 'fox')
LATENCY = (1.4, 6.0, 2.5, 8.0, 0.5, 3.0)
DEMAND = ((0.05, 0.9), (0.02, 0.8), (0.85, 0.5), (0.75, 0.1), (0.9, 0.9), (0.5, 0.5))
VISITS = ((0.1, 0.2), (0.4, 0.7), (0.2, 0.15), (0.6, 0.1), (0.2, 0.03), (0.3, 0.3))
SHARPNESS = (0.6, 0.8)
BLOCKS = 8  # that fit


def rates_at(w, held):
    """Of each (kernel, blocks), if a turn of resource j waits w[j]."""
    return [n / (LATENCY[k] + VISITS[k][0] * w[0] + VISITS[k][1] * w[1]) for k, n in held]


def excess(j, w, held):
    """How much more of resource j is used than is used where a turn waits w[j]; it falls as w[j] grows."""
    used = sum(x * DEMAND[k][j] for x, (k, _) in zip(rates_at(w, held), held))
    return used - (w[j] / (1 + w[j])) ** (1 / SHARPNESS[j])


def bisect(falling):
    """The wait at which a function of it that falls is 0."""
    low, high = -18.0, 12.0
    for _ in range(44):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(math.exp(middle)) > 0 else (low, middle)
    return math.exp((low + high) / 2)


def rates(*held):
    """Of each (kernel, blocks)."""

    def second_wait(w):
        return bisect(lambda v: excess(1, (w, v), held))

    w = bisect(lambda v: excess(0, (v, second_wait(v)), held))
    w = (w, second_wait(w))
    assert max(abs(excess(j, w, held)) for j in (0, 1)) < 1e-8, (held, w)
    return rates_at(w, held)


def row(kernel, blocks, beside, beside_blocks, launched, rate):
    ns = round(1e6 / rate)
    return (kernel, blocks, beside, beside_blocks, launched, 128, 32, 0, blocks, blocks, 0, 'no', 5, 0, ns, ns, 1.0, ns, ns,
            'count', 1980, 'warm')


rows = [row(kernel, n, 'none', 0, 0, rates((k, n))[0]) for k, kernel in enumerate(KERNELS) for n in range(1, BLOCKS + 1)]
for (k, kernel), (o, other) in itertools.combinations(enumerate(KERNELS), 2):
    for n, m in itertools.product(range(1, BLOCKS), repeat=2):
        if n + m <= BLOCKS:
            x, y = rates((k, n), (o, m))
            for order, factor in ((0, 1.2), (1, 0.8)):
                rows.append(row(kernel, n, other, m, order, x * factor))
                rows.append(row(other, m, kernel, n, 1 - order, y * (2 - factor)))
threes = []
for trio in itertools.combinations(range(len(KERNELS)), 3):
    found = rates(*((k, 2) for k in trio))
    for i, rate in enumerate(found):
        beside = [x for j, k in enumerate(trio) if j != i for x in (KERNELS[k], 2)]
        threes += [(KERNELS[trio[i]], 2, *beside, *row('', 0, '', 0, order, rate * factor)[4:])
                   for order, factor in enumerate((1.2, 1.0, 0.8))]
solo = [(kernel, 1, 'step', 'green', sms, 5, 0, ns, ns, 1.0, ns, ns, 'count', 1980, 'warm')
        for kernel in KERNELS for sms, ns in ((4, 2000000), (8, 1000000))]
counters = [(kernel, 1, 'step', 'warm', 1000000, 1e9, 1.0, 1e6, 1e6, 1e6 * (k + 1)) for k, kernel in enumerate(KERNELS[:4])]
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("INSERT INTO device VALUES('made up', 'gpu', 8, 1000000, 'made up')")
    db.executemany('INSERT INTO kernel_solo VALUES(' + ', '.join('?' * 15) + ')', solo)
    db.executemany('INSERT INTO kernel_counters(application, size, kernel, l2, duration_ns, instructions, ipc, dram_read_bytes, '
                   'dram_write_bytes, l2_bytes) VALUES(' + ', '.join('?' * 10) + ')', counters)
    db.executemany('INSERT INTO residency VALUES(' + ', '.join('?' * 22) + ')', rows)
    db.executemany('INSERT INTO residency_three VALUES(' + ', '.join('?' * 24) + ')', threes)
