#!/usr/bin/env python3
"""Tables of the study of divisible work (configs/wang/study.py), as Markdown.

  plots/wang.py [DATABASE]          default: wang.db

Speed-ups over the CPU alone with as many threads, what CAP gains over Quick and Split beside the thesis (table 4-3), how far
the times of CPU and GPU lie apart (figure 4-4), the variance of CAP's divisions by step (figure 4-5), other first steps
(figure 4-6), other thresholds, and passes that keep the shares of the first. Means over the replications.
"""
import json
import sqlite3
import sys

from study import table
from trem import mean, open_database

POLICIES = {'split-static': 'Static', 'split-quick': 'Quick', 'split-even': 'Split', 'cap': 'CAP'}
# Iterations of a pass at the size of the thesis (table 4-2).
SIZES = {'cg': 16384, 'jacobi': 16384, 'mc': 67108864, 'mm': 1048576, 'nbody': 16384, 'nns': 16384}
# Table 4-3: % over Quick, % over Split, share of the iterations before the last step.
THESIS = {'cg': (26.1, 3.6, 37.9), 'jacobi': (47.6, 6.9, 26.8), 'mc': (1.1, 197.3, 3.1), 'mm': (1.1, 19.8, 3.1),
          'nbody': (37.5, 7.2, 26.8), 'nns': (86.7, 21.6, 25.0)}
DEFAULTS = {'probe': 1 / 128, 'threshold': 5e-5, 'passes': 'anew'}


class Results:
    """points: {(program, iterations, threads or 0, gpu: bool): {policy or its options: [ns of a request]}}."""

    def __init__(self, path):
        db = open_database(path)
        self.points, self.busy, self.steps, bound = {}, {}, {}, []
        for number, text in db.execute('SELECT id, config FROM experiment'):
            config = json.loads(text)
            if config['sharing']['model'] != 'divisible':
                continue
            work, cluster, policy = config['divisible'][0], config['cluster'], config['policy']
            threads = cluster['cpu_threads']
            key = work['program'], work['iterations'], threads, cluster['devices'] > (threads > 0)
            name = policy['name']
            if config['predictor'] == 'clairvoyant':
                name = 'bound'
                bound.append(number)
            elif name == 'cap':
                name = ('cap', *(policy[k] for k in DEFAULTS))
            if not db.execute("SELECT 1 FROM metric WHERE experiment = ? AND name = 'window'", (number,)).fetchone():
                raise SystemExit(f'{path}: an experiment has no results yet: wait until the study has ended')
            if config['seed'] == 2:  # part steps
                self.steps[key] = db.execute(
                    'SELECT kernel, what, value FROM decision WHERE experiment = ? ORDER BY position', (number,)).fetchall()
                continue
            self.points.setdefault(key, {})[name] = [row[0] for row in db.execute(
                "SELECT value FROM metric WHERE experiment = ? AND name = 'window' ORDER BY replication", (number,))]
            self.busy[key, name] = [mean([row[0] for row in db.execute(
                'SELECT busy_ns FROM device_usage WHERE experiment = ? AND device = ?', (number, device))])
                for device in range(cluster['devices'])]
        self.works = sorted({key[:2] for key in self.points})
        self.threads = sorted({key[2] for key in self.points if key[2] > 0})

    def time(self, work, threads, gpu, name):
        """ns of a request in the mean; None: not run."""
        name = ('cap', *DEFAULTS.values()) if name == 'cap' else name
        found = self.points.get((*work, threads, gpu), {}).get(name)
        return mean(found) if found else None

    def cap(self, work, threads, **options):
        return self.time(work, threads, True, ('cap', *{**DEFAULTS, **options}.values()))

    def step_sizes(self, work, threads):
        """Of CAP, in the first pass: [(iterations, variance before the step or None)]."""
        steps, variance = [], None
        for kernel, what, value in self.steps.get((*work, threads, True), []):
            if kernel == 0 and what == 'variance':
                variance = value * 1e-9
            elif kernel == 0 and what == 'step':
                steps.append((value, variance))
                variance = None
        return steps


def number(value, digits=2):
    return '' if value is None else f'{value:.{digits}f}'


def ratio(a, b, digits=2):
    return '' if a is None or b is None else f'{a / b:.{digits}f}'


def print_row(*cells):
    print('| ' + ' | '.join(cells) + ' |')


def gain(slow, fast):
    return None if slow is None or fast is None else 100 * (slow / fast - 1)


def print_speedups(r, threads):
    print(f'\nSpeed-up over the CPU alone, {threads} threads\n')
    table('program', 'iterations', 'GPU alone', *POLICIES.values(), 'bound')
    for work in r.works:
        alone = r.time(work, threads, False, 'cap')
        row = [r.time(work, 0, True, 'cap')]
        row += [r.time(work, threads, True, p) for p in (*POLICIES, 'bound')]
        print_row(work[0], str(work[1]), *(ratio(alone, ns) for ns in row))


def one_size(r):
    """Of each program the thesis' size; the largest, if that was not run."""
    sizes = {program: (program, n) for program, n in r.works}
    return sorted((program, SIZES[program]) if (program, SIZES.get(program)) in r.works else work for program, work in sizes.items())


def print_gains(r):
    print('\nCAP over Quick and over Split in %, and the share of the iterations before its last step in %, at the size of the thesis\n')
    table('program', 'thesis', *(f'{t} threads' for t in r.threads))
    sums = [[] for _ in r.threads]
    for work in one_size(r):
        cells = []
        for i, t in enumerate(r.threads):
            ns = r.time(work, t, True, 'cap')
            over = [gain(r.time(work, t, True, p), ns) for p in ('split-quick', 'split-even')]
            steps = r.step_sizes(work, t)
            profiled = 100 * sum(s for s, _ in steps[:-1]) / sum(s for s, _ in steps) if steps else None
            cells.append(', '.join(number(v, 1) for v in (*over, profiled)))
            if None not in over:
                sums[i].append(over)
        paper = THESIS.get(work[0])
        print_row(work[0], ', '.join(map(str, paper)) if paper else '', *cells)
    means = [', '.join(number(mean(column), 1) for column in zip(*s)) if s else '' for s in sums]
    print_row('mean', '33.4, 42.7', *means)


def print_balance(r, threads):
    print(f'\nTimes of CPU and GPU apart, |CPU - GPU| / larger, {threads} threads, at the size of the thesis\n')
    table('program', *POLICIES.values())
    for work in one_size(r):
        cells = []
        for policy in POLICIES:
            name = ('cap', *DEFAULTS.values()) if policy == 'cap' else policy
            busy = r.busy.get(((*work, threads, True), name))
            cells.append(number(abs(busy[0] - busy[1]) / max(busy)) if busy else '')
        print_row(work[0], *cells)


def print_steps(r, threads):
    print(f'\nVariance of the divisions by step of CAP, {threads} threads, at the size of the thesis (first pass)\n')
    rows = {work: [v for _, v in r.step_sizes(work, threads) if v is not None] for work in one_size(r)}
    count = max((len(v) for v in rows.values()), default=0)
    table('program', *(str(i + 2) for i in range(count)))
    for work, variances in rows.items():
        print_row(work[0], *(f'{v:.1e}' for v in variances), *[''] * (count - len(variances)))


def print_options(r, threads, title, name, values, labels):
    print(f'\n{title}, {threads} threads, at the size of the thesis: speed-up over the CPU alone\n')
    table('program', *labels)
    for work in one_size(r):
        alone = r.time(work, threads, False, 'cap')
        times = [r.cap(work, threads, **{name: v}) for v in values]
        if any(times):
            print_row(work[0], *(ratio(alone, ns, 3) for ns in times))


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else 'wang.db'
    try:
        r = Results(path)
    except sqlite3.DatabaseError as error:
        raise SystemExit(f'{path}: is no database of results, or one that is being written ({error})') from None
    if not r.works:
        sys.exit('wang.py: no runs of divisible work (configs/wang/study.py makes them)')
    for threads in r.threads:
        print_speedups(r, threads)
    print_gains(r)
    for threads in r.threads:
        print_balance(r, threads)
        print_steps(r, threads)
        probes = [1 / 256, 1 / 128, 1 / 64]
        print_options(r, threads, 'First steps', 'probe', probes, ['1/256', '1/128', '1/64'])
        thresholds = [0, 5e-6, 5e-5, 5e-4, 5e-3]
        print_options(r, threads, 'Thresholds', 'threshold', thresholds, [f'{t:g}' for t in thresholds])
        print_options(r, threads, 'Later passes', 'passes', ['anew', 'keep'], ['anew', 'keep'])


if __name__ == '__main__':
    main()
