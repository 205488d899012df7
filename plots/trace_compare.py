#!/usr/bin/env python3
"""The tables of docs/validation/replays.md on the paper's workload, a fit and the trace, as Markdown.

  plots/trace_compare.py [DATABASE]

The database is that of configs/traces/compare.sh. Drawn workloads: means over replications; the trace:
means over its windows. Intervals: 95 %, Student's t. Differences are paired: the same replication or
window under both policies.
"""
import json
import sqlite3
import sys

from trem import half_width, label, mean, open_database

WORKLOADS = {'compare-paper': 'paper', 'compare-means': 'means', 'compare-fitted': 'fitted',
             'compare-trace': 'trace'}
POLICIES = [('priority', False), ('priority', True), ('elastic', False), ('elastic', True)]
METRICS = [('sla_met', 'latency', 100, 'in SLA, %', 2), ('response_p99', 'latency', 1e-6, 'p99, ms', 0),
           ('throughput', 'batch', 3600, 'batch requests an hour', 0),
           ('job_time_p50', 'batch', 1e-9, 'median time of a batch job, s', 0),
           ('lost_over_useful', None, 100, 'lost over useful, %', 2),
           ('overhead', None, 100, 'overhead, %', 2)]
PLACES = 10  # replications of a drawn workload, windows of the trace


def read(db):
    """{(load, workload, policy, revocation): {metric: {place: value}}}; place: window and replication."""
    points = {}
    for number, name, text in db.execute('SELECT id, name, config FROM experiment'):
        config = json.loads(text)
        if name not in WORKLOADS:
            continue
        section = config['workload']['trace'] or config['workload']['jobs']
        key = (section[0]['load'], name, config['policy']['name'], config['policy']['revocation'])
        values = points.setdefault(key, {})
        for metric, cls, _, _, _ in METRICS:
            for replication, value in db.execute(
                    'SELECT replication, value FROM metric WHERE experiment = ? AND name = ? AND class IS ? '
                    'AND app IS NULL', (number, metric, cls)):
                values.setdefault(metric, {})[(section[0].get('from_s', 0), replication)] = value
    return points


def check(path, points):
    """Exits with what a run that was interrupted has not made yet."""
    if not points:
        raise SystemExit(f'{path}: has none of the experiments of configs/traces/compare.sh')
    missing = []
    for load in sorted({key[0] for key in points}):
        for name in WORKLOADS:
            for policy, revocation in POLICIES:
                values = points.get((load, name, policy, revocation), {})
                for metric, cls, _, _, _ in METRICS:
                    found = len(values.get(metric, {}))
                    if found < PLACES:
                        missing.append(f'load {load:g}, {name}, {label(policy, revocation)}, '
                                       f'{metric}{" of " + cls if cls else ""}: {found} of {PLACES}')
    if missing:
        raise SystemExit(f'{path}: replications or windows are missing; run configs/traces/compare.sh again:\n  '
                         + '\n  '.join(missing))


def cell(values, digits):
    values = [v for v in values if v is not None]
    return f"{mean(values):,.{digits}f} ± {half_width(values):,.{digits}f}"


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else 'compare.db'
    try:
        points = read(open_database(path))
    except sqlite3.DatabaseError as error:
        raise SystemExit(f'{path}: is no database of results ({error})') from None
    check(path, points)
    for load in sorted({key[0] for key in points}):
        print(f'Offered load {load:g}.\n')
        print('| workload | policy | ' + ' | '.join(m[3] for m in METRICS) + ' |')
        print('| --- ' * (2 + len(METRICS)) + '|')
        for name, title in WORKLOADS.items():
            for policy, revocation in POLICIES:
                values = points[load, name, policy, revocation]
                print(f'| {title} | {label(policy, revocation)} | '
                      + ' | '.join(cell([v * scale for v in values[metric].values() if v is not None], digits)
                                   for metric, _, scale, _, digits in METRICS) + ' |')
        print('\n| requests in SLA, points | ' + ' | '.join(WORKLOADS.values()) + ' |')
        print('| --- ' * (1 + len(WORKLOADS)) + '|')
        for what, a, b in [('TReM, with Priority', ('priority', True), ('priority', False)),
                           ('TReM, with Elastic', ('elastic', True), ('elastic', False)),
                           ('Priority over Elastic, without TReM', ('priority', False), ('elastic', False)),
                           ('Priority over Elastic, with TReM', ('priority', True), ('elastic', True))]:
            row = []
            for name in WORKLOADS:
                first = points[(load, name) + a]['sla_met']
                second = points[(load, name) + b]['sla_met']
                row.append(cell([100 * (first[k] - second[k]) for k in sorted(first)
                                 if first[k] is not None and second.get(k) is not None], 2))
            print(f'| {what} | ' + ' | '.join(row) + ' |')
        print()


if __name__ == '__main__':
    main()
