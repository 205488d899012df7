#!/usr/bin/env python3
"""The tables of docs/validation/trem.md, as Markdown: what TReM claims and what comes out here, where
violations come from, and how far the open definitions move the results.

  plots/trem_claims.py [DATABASE] [--table claims|causes|applications|waits|packing|vain|orders|first|
                                           batch|costs|gpus|latency|sweep]

The database is that of configs/trem/figures.sh. The same database gives the same bytes.
"""
import argparse
import bisect
import math
import random

from trem import (BASE, GPUS, LATENCIES, LOADS, ORDERS, POLICIES, SHAPES, WORKLOADS, Results, average, half_width,
                  label, mean, prediction, quantile)

BOOTSTRAPS = 1000


class Quantity:
    """A number that an experiment gives: of(indices) computes it from some of the n replications.
    column: the same per replication where it is a plain mean, which then has a t interval."""

    def __init__(self, n, of, column=None):
        self.n, self.of, self.column = n, of, column

    def value(self):
        return self.of(range(self.n))

    def interval(self):
        """95 %: Student's t for means; bootstrap over replications (percentiles) for the rest."""
        if self.column is not None:
            half = half_width(self.column)
            return self.value() - half, self.value() + half
        source = random.Random(2)
        drawn = (self.of(source.choices(range(self.n), k=self.n)) for _ in range(BOOTSTRAPS))
        values = sorted(v for v in drawn if v is not None)
        return values[int(0.025 * len(values))], values[int(0.975 * len(values))]


def plain_mean(column):
    return Quantity(len(column), lambda indices: mean([column[i] for i in indices]), column)


def ratio_of_means(over, under, scale=1, less=0):
    def of(indices):
        below = math.fsum(under[i] for i in indices)
        return scale * (math.fsum(over[i] for i in indices) / below - less) if below > 0 else None
    return Quantity(len(over), of)


def ratio_of_quantiles(over, under, p):
    """Quantiles over the jobs of all the runs in question together."""
    def of(indices):
        above = quantile([t for i in indices for t in over[i]], p)
        return above / quantile([t for i in indices for t in under[i]], p)
    return Quantity(len(over), of)


def met(results, **point):
    return plain_mean([100 - v for v in results.late(results.select(**point))])


def late(results, **point):
    return results.late(results.select(**point))


def late_both(results, **point):
    return average([late(results, workload=w, **point) for w in WORKLOADS])


def percent(results, name, **point):
    return plain_mean([100 * v for v in results.metric(results.select(**point), name)])


REVOCATION_CLAIMS = (('16', 0.25, 33), ('17', 0.5, 27), ('18', 2.0, 14))


def more_revocations(results, workloads, **point):
    """How many more Priority + TReM has than Elastic + TReM, in per cent."""
    columns = [average([results.metric(results.select(workload=w, policy=p, **point), 'revocations')
                        for w in workloads]) for p in ('priority', 'elastic')]
    return ratio_of_means(*columns, 100, 1)


# What the paper prints stands for all that rounds to it: low and high bound that.
def claims(results):
    """(claim, what, paper's words, low, high, quantity, digits)"""
    def policies(revocation):
        return [(p, r) for p, r in POLICIES if r == revocation]

    for w in WORKLOADS:
        for p, r in POLICIES:
            yield ('5', f'in SLA, {w}, load 0.25, {label(p, r)}', '> 99 %', 99, 100,
                   met(results, workload=w, policy=p, revocation=r, load=0.25), 2)
    for claim, w, load, revocation, value in (
            ('6', 'W1', 1.0, False, 93), ('7', 'W1', 2.0, False, 92), ('8', 'W1', 1.0, True, 99),
            ('9', 'W1', 2.0, True, 98), ('10', 'W2', 1.0, False, 90), ('11', 'W2', 1.0, True, 98),
            ('12', 'W2', 2.0, True, 96)):
        for p, r in policies(revocation):
            yield (claim, f'in SLA, {w}, load {load}, {label(p, r)}', f'{value} %', value - 0.5,
                   value + 0.5, met(results, workload=w, policy=p, revocation=r, load=load), 2)
    for claim, revocation, value in (('13', True, 89), ('14', False, 91)):
        for w in WORKLOADS:
            for p, r in policies(revocation):
                yield (claim, f'utilisation, {w}, load 1.0, {label(p, r)}', f'{value} %',
                       value - 0.5, value + 0.5,
                       percent(results, 'utilisation', workload=w, policy=p, revocation=r), 1)
    for revocation in (False, True):
        more = [average([late(results, workload=w, policy=p, revocation=revocation, load=l)
                         for w in WORKLOADS for l in LOADS]) for p in ('elastic', 'priority')]
        yield ('15', 'more violations, Elastic over Priority, mean of W1, W2, six loads, '
               + ('with TReM' if revocation else 'without'), '< 0.6 points', -math.inf, 0.6,
               plain_mean([e - p for e, p in zip(*more)]), 2)
    for claim, load, value in REVOCATION_CLAIMS:
        yield (claim, f'more revocations, Priority over Elastic, load {load}, W1 and W2 together',
               f'{value} %', value - 0.5, value + 0.5, more_revocations(results, WORKLOADS, load=load), 0)
    for claim, load, text, low, high in (('19', 0.25, '< 2 %', 0, 2), ('20', 2.0, '3 %', 2.5, 3.5)):
        for p, r in policies(True):
            lost, useful = ([results.metric(results.select(workload=w, policy=p, load=load), name)
                             for w in WORKLOADS] for name in ('lost', 'useful'))
            yield (claim, f'lost over useful work, load {load}, {label(p, r)}, mean of W1 and W2',
                   text, low, high, plain_mean([100 * mean([a / b for a, b in zip(x, y)]) for x, y in
                                                zip(zip(*lost), zip(*useful))]), 2)
    for claim, p, share, value in (('21', 'priority', 0.5, 1.6), ('22', 'elastic', 0.5, 1.3),
                                   ('23', 'priority', 0.99, 3.2), ('24', 'elastic', 0.99, 2.1)):
        times = [[sum(runs, []) for runs in zip(*[results.job_times(results.select(
            workload=w, policy=p, revocation=r, load=2.0)) for w in WORKLOADS])]
            for r in (True, False)]
        name = 'median' if share == 0.5 else 'p99'
        yield (claim, f'batch job time, with TReM over without, {name}, {label(p, False)}, load 2.0, '
               'jobs of W1 and W2', f'{value} x', value - 0.05, value + 0.05,
               ratio_of_quantiles(times[0], times[1], share), 2)
    yield ('25', 'violations, 4 GPUs, Elastic + TReM, load 1.0, mean of W1 and W2', '< 1 %', 0, 1,
           plain_mean(late_both(results)), 2)
    for load_devices, reading in ((0, 'load follows the GPUs'), (4, 'the jobs of 4 GPUs')):
        yield ('26', f'violations, 16 GPUs, Elastic without TReM ({reading})', '< 1 %', 0, 1,
               plain_mean(late_both(results, revocation=False, devices=16,
                                    load_devices=load_devices)), 2)
    for claim, ms, text, low, high in (('27', 1000.0, '6 %', 5.5, 6.5), ('28', 10.0, '< 1 %', 0, 1)):
        for p, r in policies(True):
            yield (claim, f'violations, revocation takes {ms:.0f} ms, {label(p, r)}, mean of W1 and W2',
                   text, low, high, plain_mean(late_both(results, policy=p, latency_ms=ms)), 2)


def table_claims(results):
    rows = list(claims(results))
    seeds = sorted({quantity.n for *_, quantity, _ in rows})
    print(f'| trem- | what | paper | here, {" to ".join(str(n) for n in sorted({seeds[0], seeds[-1]}))} seeds | '
          '95 % interval | five seeds would give | inside |')
    print('| --- | --- | --- | --- | --- | --- | --- |')
    for claim, what, text, low, high, quantity, digits in rows:
        a, b = quantity.interval()
        c, d = prediction(quantity.of, quantity.n)
        inside = 'yes' if c <= high and low <= d else 'no'
        print(f'| {claim} | {what} | {text} | {quantity.value():.{digits}f} | {a:.{digits}f} to '
              f'{b:.{digits}f} | {c:.{digits}f} to {d:.{digits}f} | {inside} |')


def table_causes(results):
    """Violations in per cent, as steps: each step adds one thing to the world before it."""
    print('| workload, load | policy | a job alone | + other jobs, revocation free | '
          '+ revocation takes 22 ms | with TReM | + waiting for batch tasks | without TReM |')
    print('| --- | --- | --- | --- | --- | --- | --- | --- |')
    for w in WORKLOADS:
        for load in (0.25, 1.0, 2.0):
            for p in ('priority', 'elastic'):
                steps = [mean(late(results, workload=w, policy=p, **more)) for more in (
                    {'load': 0.0001, 'instant': True}, {'load': load, 'instant': True},
                    {'load': load}, {'load': load, 'revocation': False})]
                add = [b - a for a, b in zip(steps, steps[1:])]
                print(f'| {w}, {load} | {label(p, False)} | {steps[0]:.2f} | {add[0]:+.2f} | '
                      f'{add[1]:+.2f} | {steps[2]:.2f} | {add[2]:+.2f} | {steps[3]:.2f} |')


def table_applications(results):
    """Per application of W1 and W2 together, at load 1.0: requests, share of them late."""
    columns = [('alone, Priority', {'policy': 'priority', 'load': 0.0001, 'instant': True}),
               ('alone, Elastic', {'policy': 'elastic', 'load': 0.0001, 'instant': True})]
    columns += [(label(p, r), {'policy': p, 'revocation': r}) for p, r in reversed(POLICIES)]
    names = [n for n, in results.db.execute(
        "SELECT name FROM application WHERE experiment = ? AND class = 'latency'",
        (results.select(),))]
    print('| application | task, ms | share of requests, % | ' + ' | '.join(c for c, _ in columns)
          + ' | share of all violations of Elastic + TReM, % |')
    print('| --- ' * (4 + len(columns)) + '|')

    def total(point, name, app):
        return sum(v or 0 for w in WORKLOADS for v in results.metric(
            results.select(workload=w, **point), name, None, app))
    everything = sum(total({}, 'sla_decided', n) for n in names)
    violations = sum(total({}, 'sla_violations', n) for n in names)
    for n in sorted(names, key=TASK_MS.get):
        cells = [100 * total(c, 'sla_violations', n) / total(c, 'sla_decided', n) for _, c in columns]
        print(f'| {n} | {TASK_MS[n]} | {100 * total({}, "sla_decided", n) / everything:.1f} | '
              + ' | '.join(f'{v:.1f}' for v in cells)
              + f' | {100 * total({}, "sla_violations", n) / violations:.1f} |')


def table_waits(results):
    """From the rows of requests at load 1.0: who is late, and what its wait was."""
    print('| workload | policy | late | of these among the first 8 of their job, % | '
          'late by 22 ms or less, % | response over 1 s, % | median response of the late, ms | '
          'tasks of 150 or 170 ms, % | jobs with a late request, % |')
    print('| --- ' * 9 + '|')
    for w in WORKLOADS:
        for p, r in POLICIES:
            point = results.select(workload=w, policy=p, revocation=r)
            rows = results.db.execute(
                "SELECT r.number, r.end_ns - r.arrival_ns, r.end_ns - r.deadline_ns, a.name, "
                "r.replication, r.job FROM request r JOIN application a "
                "ON a.experiment = r.experiment AND a.app = r.app WHERE r.experiment = ? "
                "AND r.deadline_ns < r.end_ns", (point,)).fetchall()
            n = len(rows)
            if n == 0:
                continue
            first = min(row[0] for row in rows)
            share = [sum(row[0] < first + 8 for row in rows), sum(row[2] <= 22e6 for row in rows),
                     sum(row[1] > 1e9 for row in rows)]
            long = sum(row[3] in ('monte-carlo', 'dark-gray') for row in rows)
            jobs = len({row[4:] for row in rows}) / sum(
                results.metric(point, 'jobs', 'latency'))
            print(f'| {w} | {label(p, r)} | {n} | ' + ' | '.join(f'{100 * s / n:.1f}' for s in share)
                  + f' | {quantile([row[1] for row in rows], 0.5) / 1e6:.0f} | {100 * long / n:.1f} '
                  f'| {100 * jobs:.1f} |')


TASK_MS = {'particle-filter': 1, 'euclid': 8, 'nw': 38, 'bfs': 50, 'black-scholes': 60, 'pathfinder': 68,
           'hotspot-3d': 81, 'monte-carlo': 150, 'dark-gray': 170}


def late_with_estimates(results, w):
    """Late requests of Elastic + TReM at load 1.0: (late by in ms, task in ms, l_e when it arrived, late
    with Priority + TReM too). Task times are those of table III, so l_e follows from the order of the
    completions (a start after a revocation adds 17 ms, which end - start holds)."""
    points = [results.select(workload=w, policy=p) for p in ('elastic', 'priority')]
    also = set(results.db.execute('SELECT replication, job, number FROM request WHERE experiment = ? '
                                  'AND deadline_ns < end_ns', (points[1],)))
    runs = {}
    for row in results.db.execute(
            'SELECT r.replication, r.arrival_ns, r.start_ns, r.end_ns, r.deadline_ns, a.name, r.job, '
            'r.number FROM request r JOIN application a ON a.experiment = r.experiment AND a.app = r.app '
            "WHERE r.experiment = ? AND a.class = 'latency'", (points[0],)):
        runs.setdefault(row[0], []).append(row)
    for rows in runs.values():
        ends = sorted((row[3], row[3] - row[2]) for row in rows)
        times = [end for end, _ in ends]
        for row in rows:
            if row[3] > row[4]:
                done = bisect.bisect_right(times, row[1])
                recent = [duration for _, duration in ends[max(0, done - 32):done]]
                estimate = mean(recent) / 1e6 if recent else 100
                yield ((row[3] - row[4]) / 1e6, TASK_MS[row[5]], estimate,
                       (row[0], row[6], row[7]) in also)


def table_packing(results):
    """Why Elastic + TReM is late where Priority + TReM is not, load 1.0; each request in one column."""
    print('| workload | late | also late with Priority + TReM, % | else: l_e below the task time, % | of '
          'these: l_e below half of it, % | else: late by 22 ms or less, % | rest, % |')
    print('| --- ' * 7 + '|')
    for w in WORKLOADS:
        n, both, under, half, little = 0, 0, 0, 0, 0
        for by, task, estimate, also in late_with_estimates(results, w):
            n += 1
            if also:
                both += 1
            elif estimate < task:
                under += 1
                half += estimate < task / 2
            elif by <= 22:
                little += 1
        print(f'| {w} | {n} | ' + ' | '.join(f'{100 * v / n:.1f}' for v in (
            both, under, half, little, n - both - under - little)) + ' |')


def table_vain(results):
    """Revocations at load 1.0 of a batch task in the instant of its launch: a user-facing task starts on
    a GPU that another one left just as long ago as the kill takes, and pays for a start."""
    print('| workload | policy | revocations | of a task that had just been launched | of these, % | user-facing '
          'tasks that are late by 22 ms or less after it |')
    print('| --- ' * 6 + '|')
    for w in WORKLOADS:
        for p in ('priority', 'elastic'):
            point = results.select(workload=w, policy=p)
            before, vain, late_by_it = None, 0, 0
            for row in results.db.execute(
                    'SELECT r.replication, r.device, r.start_ns, r.end_ns, r.deadline_ns, a.name FROM request r '
                    'JOIN application a ON a.experiment = r.experiment AND a.app = r.app WHERE r.experiment = ? '
                    "AND a.class = 'latency' ORDER BY r.replication, r.device, r.start_ns", (point,)):
                paid = row[3] - row[2] > TASK_MS[row[5]] * 1e6
                if before and before[:2] == row[:2] and paid and row[2] - before[3] <= 5e6:
                    vain += 1
                    late_by_it += 0 < row[3] - row[4] <= 22e6
                before = row
            n = math.fsum(results.metric(point, 'revocations'))
            print(f'| {w} | {label(p, True)} | {n:.0f} | {vain} | {100 * vain / n:.1f} | {late_by_it} |')


def table_orders(results):
    """Load 1.0 with each order of one instant, and what the order does to the claims on revocations."""
    print('| workload | policy | order | in SLA, % | revocations | lost over useful, % | utilisation, % |')
    print('| --- ' * 7 + '|')
    for w in WORKLOADS:
        for p in ('priority', 'elastic'):
            for order in ORDERS:
                point = results.select(workload=w, policy=p, order=order)
                columns = [[100 - v for v in results.late(point)], results.metric(point, 'revocations')]
                columns += [[100 * v for v in results.metric(point, name)]
                            for name in ('lost_over_useful', 'utilisation')]
                print(f'| {w} | {label(p, True)} | `{order}` | ' + ' | '.join(
                    f'{mean(c):.{digits}f} ± {half_width(c):.{digits}f}'
                    for c, digits in zip(columns, (2, 1, 2, 2))) + ' |')
    print('\n| trem- | load | paper, % more | order | W1 | W2 | W1 and W2 together | 95 % interval | '
          'five seeds would give | inside |')
    print('| --- ' * 10 + '|')
    for claim, load, value in REVOCATION_CLAIMS + (('', 1.0, None),):
        for order in ORDERS:
            each = [more_revocations(results, [w], load=load, order=order).value() for w in WORKLOADS]
            both = more_revocations(results, WORKLOADS, load=load, order=order)
            low, high = both.interval()
            c, d = prediction(both.of, both.n)
            inside = '' if value is None else 'yes' if c <= value + 0.5 and value - 0.5 <= d else 'no'
            print(f'| {claim} | {load} | {"" if value is None else value} | `{order}` | {each[0]:.0f} | '
                  f'{each[1]:.0f} | {both.value():.0f} | {low:.0f} to {high:.0f} | {c:.0f} to {d:.0f} | {inside} |')


def table_first(results):
    """Without TReM: the first 8 requests of a job come at once; whether all GPUs are busy then."""
    print('| workload | load | busy GPUs, Priority, % | requests that come with their job, % | product, % | '
          'late with Priority, % | late with Priority + TReM, % |')
    print('| --- ' * 7 + '|')
    for w in WORKLOADS:
        share = results.db.execute(
            'SELECT 100.0 * sum(min(8, j.issued)) / sum(j.issued) FROM job j JOIN application a '
            "ON a.experiment = j.experiment AND a.app = j.app WHERE j.experiment = ? AND a.class = 'latency'",
            (results.select(workload=w),)).fetchone()[0]
        for load in LOADS:
            point = {'workload': w, 'policy': 'priority', 'load': load}
            busy = 100 * mean(results.metric(results.select(**point, revocation=False), 'utilisation'))
            print(f'| {w} | {load} | {busy:.1f} | {share:.1f} | {busy * share / 100:.2f} | '
                  f'{mean(late(results, **point, revocation=False)):.2f} | '
                  f'{mean(late(results, **point)):.2f} |')


def table_batch(results):
    """Batch jobs at load 2.0 by several readings of figure 9."""
    print('| workload | policy | ratio of medians | of p90 | of p99 | of the longest | mean over seeds of '
          'the ratio of medians | median over jobs of the job\'s own ratio | p99 of it | makespan, ratio of '
          'means |')
    print('| --- ' * 10 + '|')
    for w in WORKLOADS:
        for p in ('priority', 'elastic'):
            points = [results.select(workload=w, policy=p, revocation=r, load=2.0)
                      for r in (True, False)]
            with_, without = (results.job_times(point) for point in points)
            pools = [sum(times, []) for times in (with_, without)]
            cells = [quantile(pools[0], q) / quantile(pools[1], q) for q in (0.5, 0.9, 0.99, 1)]
            cells.append(mean([quantile(a, 0.5) / quantile(b, 0.5) for a, b in zip(with_, without)]))
            own = [a / b for a, b in zip(*pools)]
            cells += [quantile(own, 0.5), quantile(own, 0.99)]
            window = [mean(results.metric(point, 'window')) for point in points]
            cells.append(window[0] / window[1])
            print(f'| {w} | {label(p, False)} | ' + ' | '.join(f'{c:.2f}' for c in cells) + ' |')


def table_gpus(results):
    print('| reading of load | policy | ' + ' | '.join(f'{g} GPU' + 's' * (g > 1) for g in GPUS) + ' |')
    print('| --- ' * (2 + len(GPUS)) + '|')
    for load_devices, reading in ((0, 'follows the GPUs'), (4, 'the jobs of 4 GPUs')):
        for p, r in POLICIES:
            columns = [late_both(results, policy=p, revocation=r, devices=g,
                                 load_devices=load_devices) for g in GPUS]
            print(f'| {reading} | {label(p, r)} | '
                  + ' | '.join(f'{mean(c):.2f} ± {half_width(c):.2f}' for c in columns) + ' |')


def table_latency(results):
    print('| policy | ' + ' | '.join(f'{ms} ms' for ms in LATENCIES) + ' |')
    print('| --- ' * (1 + len(LATENCIES)) + '|')
    for p in ('priority', 'elastic'):
        columns = [late_both(results, policy=p, latency_ms=float(ms)) for ms in LATENCIES]
        print(f'| {label(p, True)} | '
              + ' | '.join(f'{mean(c):.2f} ± {half_width(c):.2f}' for c in columns) + ' |')


def table_costs(results):
    """What revocation costs, by workload."""
    print('| workload | load | revocations P+ | E+ | P+ over E+, ratio of means, % more | mean of ratios, % more '
          '(seeds) | lost over useful P+, % | E+, % | utilisation P+ / E+ / P / E, % | useful P+ / E+ / P / E, % |')
    print('| --- ' * 10 + '|')
    for w in WORKLOADS:
        for load in LOADS:
            points = {(p, r): results.select(workload=w, policy=p, revocation=r, load=load)
                      for p, r in POLICIES}
            number = [results.metric(points[p, True], 'revocations') for p in ('priority', 'elastic')]
            ratios = [a / b - 1 for a, b in zip(*number) if b > 0]
            lost = [100 * mean(results.metric(points[p, True], 'lost_over_useful'))
                    for p in ('priority', 'elastic')]
            shares = [' / '.join(f'{100 * mean(results.metric(points[p, r], name)):.1f}'
                                 for r in (True, False) for p in ('priority', 'elastic'))
                      for name in ('utilisation', 'useful')]
            print(f'| {w} | {load} | {mean(number[0]):.1f} | {mean(number[1]):.1f} | '
                  f'{100 * (mean(number[0]) / mean(number[1]) - 1):.0f} | {100 * mean(ratios):.0f} '
                  f'({len(ratios)}) | {lost[0]:.2f} | {lost[1]:.2f} | ' + ' | '.join(shares) + ' |')


def headline(results, w, **other):
    """Cells of a line of the sweep."""
    def value(column):
        return mean(column)
    cells = []
    for load in (1.0, 2.0):
        for p, r in POLICIES:
            cells.append(f'{value(late(results, workload=w, policy=p, revocation=r, load=load, **other)):.1f}')
    use = [results.metric(results.select(workload=w, revocation=r, **other), 'utilisation')
           for r in (True, False)]
    cells.append(' / '.join(f'{100 * mean(u):.0f}' for u in use))
    lost = [results.metric(results.select(workload=w, policy=p, load=2.0, **other), 'lost_over_useful')
            for p in ('priority', 'elastic')]
    cells.append(' / '.join(f'{100 * mean(v):.1f}' for v in lost))
    times = {}
    for p, r in POLICIES:
        times[p, r] = quantile(sum(results.job_times(results.select(
            workload=w, policy=p, revocation=r, load=2.0, **other)), []), 0.5)
    cells.append(' / '.join(f'{times[p, True] / times[p, False]:.2f}' for p in ('priority', 'elastic')))
    return cells


def sweep_points():
    yield 'as in the table of claims', {}
    for counts in ('class', 'free'):
        for shape in SHAPES:
            if (counts, shape) != (BASE['counts'], BASE['shape']):
                yield f'shape {shape}, tasks {"by class" if counts == "class" else "free"}', {
                    'shape': shape, 'counts': counts}
    yield 'queues round robin over jobs', {'queue': 'jobs'}
    yield 'revoked tasks to the tail', {'requeue': 'back'}
    yield 'load by the mean job', {'basis': 'expected'}
    yield 'Gaussian 311 s, as printed', {'printed': True}
    for window in (8, 128, 1000000):
        yield f'l_e over {"all" if window == 1000000 else window} completions', {'window': window}
    for first in (0.001, 10, 200):
        yield f'l_e starts at {first} ms', {'first_ms': first}
    yield 'U not recomputed at arrivals', {'on_arrival': False}


def table_sweep(results):
    print('Violations in per cent; P, E: Priority, Elastic; +: with TReM. Two numbers: utilisation at load '
          '1.0 of Elastic with / without TReM; lost over useful work at load 2.0 in per cent, Priority / '
          'Elastic; median batch job time with over without TReM at load 2.0, Priority / Elastic.')
    for w in WORKLOADS:
        print(f'\n| {w} | P 1.0 | E 1.0 | P+ 1.0 | E+ 1.0 | P 2.0 | E 2.0 | P+ 2.0 | E+ 2.0 | '
              'utilisation | lost | batch |')
        print('| --- ' * 12 + '|')
        for name, other in sweep_points():
            print(f'| {name} | ' + ' | '.join(headline(results, w, **other)) + ' |')


TABLES = {'claims': table_claims, 'causes': table_causes, 'applications': table_applications,
          'waits': table_waits,
          'packing': table_packing, 'vain': table_vain, 'orders': table_orders,
          'first': table_first, 'batch': table_batch,
          'costs': table_costs, 'gpus': table_gpus, 'latency': table_latency,
          'sweep': table_sweep}


def main():
    parser = argparse.ArgumentParser(description='The tables of docs/validation/trem.md.')
    parser.add_argument('database', nargs='?', default='trem.db')
    parser.add_argument('--table', choices=list(TABLES), help='only this one')
    given = parser.parse_args()
    results = Results(given.database)
    for name, table in TABLES.items():
        if given.table in (None, name):
            print(f'### {name}\n')
            table(results)
            print()


if __name__ == '__main__':
    main()
