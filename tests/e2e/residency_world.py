#!/usr/bin/env python3
"""residency_world.py SOURCE_DIR DB: plants the residency of six made-up kernels that follow the law of
fit_residency.py, with numbers of its own. One is launched first at 1.2 times the rate, and second at 0.8."""
import itertools
import sqlite3
import sys

import numpy as np

sys.path.insert(0, sys.argv[1] + '/calibrate/fit')
import fit_residency  # noqa: E402

KERNELS = ('ant', 'bee', 'cat', 'dog', 'eel', 'fox')
LATENCY = (1.4, 6.0, 2.5, 8.0, 0.5, 3.0)
DEMAND = ((0.05, 0.9), (0.02, 0.8), (0.85, 0.5), (0.75, 0.1), (0.9, 0.9), (0.5, 0.5))
VISITS = ((0.1, 0.2), (0.4, 0.7), (0.2, 0.15), (0.6, 0.1), (0.2, 0.03), (0.3, 0.3))
BLOCKS = 8  # that fit

law = fit_residency.Law(np.log(np.concatenate([LATENCY, np.ravel(DEMAND), np.ravel(VISITS), [0.6, 0.8]])), len(KERNELS))


def rates(first, n, second, m):
    x, y = law.rates(np.array([first]), np.array([n]), np.array([second]), np.array([m]))
    return float(x[0]), float(y[0])


def row(kernel, blocks, beside, beside_blocks, launched, rate):
    ns = round(1e6 / rate)
    return (kernel, blocks, beside, beside_blocks, launched, 128, 32, 0, blocks, blocks, 0, 'no', 5, 0, ns, ns, 1.0, ns, ns,
            'count', 1980, 'warm')


rows = [row(kernel, n, 'none', 0, 0, rates(k, n, k, 0)[0]) for k, kernel in enumerate(KERNELS) for n in range(1, BLOCKS + 1)]
for (k, kernel), (o, other) in itertools.combinations(enumerate(KERNELS), 2):
    for n, m in itertools.product(range(1, BLOCKS), repeat=2):
        if n + m <= BLOCKS:
            x, y = rates(k, n, o, m)
            for order, factor in ((0, 1.2), (1, 0.8)):
                rows.append(row(kernel, n, other, m, order, x * factor))
                rows.append(row(other, m, kernel, n, 1 - order, y * (2 - factor)))
with sqlite3.connect(sys.argv[2]) as db:
    db.executemany('INSERT INTO residency VALUES(' + ', '.join('?' * 22) + ')', rows)
