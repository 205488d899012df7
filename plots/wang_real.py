#!/usr/bin/env python3
"""Tables of the requests that policies divided over a real CPU and GPU, as Markdown.

  plots/wang_real.py PROFILE.db         a database: dcsim profile build NAME PROFILE.db

At the sizes of the thesis: what CAP gains over Quick and over Split, in parentheses where the 95 % interval of Welch's t on
logarithms (of the turns) has no difference in it, with the interval; and times in ms. Gains are of geometric means over the
turns, as the intervals are; times are medians. CPU and GPU alone: whole passes there, with the time between passes.
"""
import math
import sqlite3
import sys
from statistics import median

from study import table
from trem import mean, open_database, t_975
from wang import POLICIES, SIZES, print_row


def welch(slow, fast):
    """Gain of the second list of times over the first, with the ends of its 95 % interval: ratios, None where there is none.
    Degrees of freedom are rounded down, which makes intervals wider."""
    a, b = [math.log(v) for v in slow], [math.log(v) for v in fast]
    difference = mean(a) - mean(b)
    if min(len(a), len(b)) < 2:
        return math.exp(difference), None, None
    parts = [math.fsum((v - mean(x)) ** 2 for v in x) / (len(x) - 1) / len(x) for x in (a, b)]
    variance = sum(parts)
    if variance == 0:
        return math.exp(difference), math.exp(difference), math.exp(difference)
    freedom = variance ** 2 / sum(p ** 2 / (len(x) - 1) for p, x in zip(parts, (a, b)))
    half = t_975(max(1, int(freedom))) * math.sqrt(variance)
    return math.exp(difference), math.exp(difference - half), math.exp(difference + half)


def words(ratio):
    return f'{ratio:.3g} times' if ratio >= 4 else f'{100 * (ratio - 1):+.0f} %'


def gain(slow, fast):
    ratio, low, high = welch(slow, fast)
    if low is None:
        return words(ratio)
    text = f'{words(ratio)} [{words(low)}, {words(high)}]'
    return f'({text})' if low <= 1 <= high else text


def read(path):
    """{(program, threads): {policy: [ns]}}, and {(program, threads or 0): ns of a request there alone}."""
    runs, alone = {}, {}
    with open_database(path) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'split_run'").fetchone():
            raise SystemExit(f'{path}: holds no requests that were divided for real: dcsim-calibrate split --run makes them')
        rows = db.execute('SELECT program, iterations, threads, policy, time_ns FROM split_run ORDER BY turn').fetchall()
        sizes = {}
        for program, n, *_ in rows:
            sizes[program] = max(sizes.get(program, 0), n)
        sizes.update({program: n for program, n in SIZES.items() if any(row[:2] == (program, n) for row in rows)})
        for program, n, threads, policy, ns in rows:
            if sizes[program] == n and policy in POLICIES:
                runs.setdefault((program, threads), {}).setdefault(policy, []).append(ns)
        for program, n, side, threads, ns in db.execute(
                "SELECT program, iterations, side, threads, passes * (t.median_ns + pass_ns) FROM split_time t JOIN split_program "
                "USING (program, iterations) WHERE beside = 0 AND chunk = iterations"):
            if sizes.get(program) == n:
                alone[program, threads if side == 'cpu' else 0] = ns
    return runs, alone


def main():
    if len(sys.argv) != 2:
        raise SystemExit('wang_real.py: expected one profile, a database')
    try:
        runs, alone = read(sys.argv[1])
    except sqlite3.DatabaseError as error:
        raise SystemExit(f'{sys.argv[1]}: is no profile as a database: dcsim profile build NAME FILE.db makes one ({error})') from None
    threads = sorted({t for _, t in runs})
    print('\nCAP over Quick; over Split: for real, with 95 % intervals\n')
    table('program', *(f'{t} thread{"s"[:t != 1]}' for t in threads))
    for program in sorted({p for p, _ in runs}):
        cells = []
        for t in threads:
            of = runs.get((program, t), {})
            cells.append('; '.join(gain(of[p], of['cap']) if p in of and 'cap' in of else '-' for p in ('split-quick', 'split-even')))
        print_row(program, *cells)
    print('\nMilliseconds, medians over turns\n')
    table('program', 'threads', 'CPU', 'GPU', *POLICIES.values())
    for (program, t), of in sorted(runs.items()):
        times = [alone.get((program, t)), alone.get((program, 0)), *(median(of[p]) if p in of else None for p in POLICIES)]
        print_row(program, str(t), *('-' if ns is None else f'{ns / 1e6:.3g}' for ns in times))


if __name__ == '__main__':
    main()
