#!/usr/bin/env python3
"""Says how well anything could follow the co-runs with producers of a profile, whatever its form.

    calibrate/fit/study_ceiling.py PROFILE.db

Prints, in % as mean / 95th percentile: by how much a kernel's slow-downs beside a producer and beside
the same one as meter differ, and what is left if each meter presses for a part of its launches;
then the errors of matrices of low rank, of what they were fitted to and of a tenth that they did not see.
Reads what fit_contention.py reads, and writes nothing. docs/contention.md has what it printed for an H200.

Needs numpy (Debian: python3-numpy); a minute for a whole profile.
"""
import sqlite3
import sys

import numpy as np

from fit_contention import Refused, open_profile, read_coruns
from contention_model import TOP_LEVEL

PARTS = np.linspace(0.3, 1, 71)  # of a launch at full rate
RANKS = range(1, 7)
SWEEPS = 60
PULL = 1e-2  # of factors to 0: a tenth of the cells is left out, and some rows have few


def show(what, errors):
    errors = 100 * np.abs(errors)
    print(f'{what:44}{len(errors):7}{errors.mean():8.2f} /{np.percentile(errors, 95):6.2f}')


def compare_meters(coruns):
    """By producer: slow-downs beside it and its traffic, and slow-downs beside it as meter."""
    beside, meters = {}, {}
    for c in coruns:
        if c['level'] == TOP_LEVEL:
            producer, kernel = (c['family'], c['producer_sms']), (c['kernel'], c['sms'])
            which = beside if c['meter_slow'] is None else meters
            which.setdefault(producer, {})[kernel] = c
    plain, in_launches = [], []
    for producer in sorted(beside):
        both = sorted(set(beside[producer]) & set(meters.get(producer, {})))
        traffic = np.array([beside[producer][k]['gbs'] for k in both])
        if len(both) == 0 or traffic.min() <= 0:
            continue
        full = np.array([beside[producer][k]['slow'] for k in both])
        meter = np.array([meters[producer][k]['slow'] for k in both])
        given_way = traffic.max() / traffic
        plain.extend(full / meter - 1)
        tried = []
        for part in PARTS:
            launch = part * given_way + 1 - part
            tried.append(launch / (part * given_way / full + 1 - part) / meter - 1)
        in_launches.extend(min(tried, key=lambda off: np.abs(off).mean()))
    show('beside a producer, and as meter', np.array(plain))
    show('the same, meters press for a part of launches', np.array(in_launches))


def factorise(matrix, seen, rank):
    """Least squares in turn of the two factors, over the cells that are seen."""
    right = np.random.default_rng(0).normal(0, 0.3, (matrix.shape[1], rank))
    left = np.zeros((matrix.shape[0], rank))
    for _ in range(SWEEPS):
        for of, other, cells, known in ((left, right, matrix, seen), (right, left, matrix.T, seen.T)):
            for i, which in enumerate(known):
                a = other[which]
                of[i] = np.linalg.solve(a.T @ a + PULL * np.eye(rank), a.T @ cells[i, which])
    return np.maximum(left @ right.T, 0)  # logarithms of slow-downs


def tables(coruns):
    """For each number of SMs: logarithms of slow-downs of kernels by producers and levels."""
    for sms in sorted({c['sms'] for c in coruns}):
        of = [c for c in coruns if c['sms'] == sms and c['meter_slow'] is None]
        rows = {k: i for i, k in enumerate(sorted({c['kernel'] for c in of}))}
        columns = {k: i for i, k in enumerate(
            sorted({(c['family'], c['producer_sms'], c['level']) for c in of}))}
        matrix, seen = np.zeros((len(rows), len(columns))), np.zeros((len(rows), len(columns)), bool)
        for c in of:
            at = rows[c['kernel']], columns[c['family'], c['producer_sms'], c['level']]
            matrix[at], seen[at] = np.log(c['slow']), True
        yield matrix, seen


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        print(__doc__)
        return 0 if sys.argv[1:] == ['--help'] else 2
    try:
        db = open_profile(sys.argv[1])
        coruns = read_coruns(db)[0]
        db.close()
    except (Refused, sqlite3.Error, OSError) as why:
        print(f'study_ceiling.py: {sys.argv[1]}: {why}', file=sys.stderr)
        return 2
    compare_meters(coruns)
    for rank in RANKS:
        own, unseen = [], []
        for matrix, seen in tables(coruns):
            left_out = seen & (np.random.default_rng(1).random(matrix.shape) < 0.1)
            own.extend(np.expm1(factorise(matrix, seen, rank) - matrix)[seen])
            unseen.extend(np.expm1(factorise(matrix, seen & ~left_out, rank) - matrix)[left_out])
        show(f'rank {rank}', np.array(own))
        show(f'rank {rank}, cells that it did not see', np.array(unseen))
    return 0


if __name__ == '__main__':
    sys.exit(main())
