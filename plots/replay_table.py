#!/usr/bin/env python3
"""The tables of docs/validation/replays.md on the replay of Alibaba's cluster-trace-gpu-v2023, as Markdown.

  plots/replay_table.py [DATABASE]

The database is that of configs/trem/figures.sh --replay. Means over replications, and their 95 %
intervals where there are two or more.
"""
import json
import sys

from trem import half_width, label, mean, open_database


def column(db, experiment, name, group=None):
    return [row[0] for row in db.execute(
        'SELECT value FROM metric WHERE experiment = ? AND name = ? AND class IS ? AND app IS NULL '
        'ORDER BY replication', (experiment, name, group))]


def cell(values, scale=1, digits=2):
    text = f'{scale * mean(values):,.{digits}f}'
    if len(values) > 1:
        text += f' ± {scale * half_width(values):,.{digits}f}'
    return text


def main():
    db = open_database(sys.argv[1] if len(sys.argv) > 1 else 'replay.db')
    points = []
    for number, text in db.execute('SELECT id, config FROM experiment'):
        config = json.loads(text)
        if config['workload']['trace']:
            policy = config['policy']
            points.append((config['cluster']['domains'] * config['cluster']['devices'],
                           policy['revocation'], policy['name'] == 'elastic', number))
    print('| GPUs | policy | runs | user-facing requests | in SLA, % | p99, ms | batch requests done | '
          'utilisation, % | useful, % | lost over useful, % | overhead, % | revocations |')
    print('| --- ' * 12 + '|')
    for gpus, revocation, elastic, number in sorted(points):
        met = column(db, number, 'sla_met', 'latency')
        print(f'| {gpus} | {label("elastic" if elastic else "priority", revocation)} | {len(met)} | '
              + ' | '.join([cell(column(db, number, 'requests', 'latency'), 1, 0), cell(met, 100, 3),
                            cell(column(db, number, 'response_p99', 'latency'), 1e-6, 0),
                            cell(column(db, number, 'done', 'batch'), 1, 0),
                            cell(column(db, number, 'utilisation'), 100, 1),
                            cell(column(db, number, 'useful'), 100, 1),
                            cell(column(db, number, 'lost_over_useful'), 100),
                            cell(column(db, number, 'overhead'), 100),
                            cell(column(db, number, 'revocations'), 1, 0)]) + ' |')
    print('\n| jobs of the window | count |\n| --- | --- |')
    for what, count in db.execute('SELECT what, count FROM trace_count WHERE experiment = ? ORDER BY position',
                                  (points[0][3],)):
        if count > 0:
            print(f'| {what} | {count} |')
    print('\n| GPUs | jobs | clients | requests if none were cut off | jobs given one request | work over the '
          'trace\'s | arrivals compressed by |')
    print('| --- ' * 7 + '|')
    for gpus in sorted({p[0] for p in points}):
        number = min(p for p in points if p[0] == gpus)[3]
        jobs, clients, requests, rounded, work, compression = db.execute(
            'SELECT jobs, clients, avg(requests), avg(rounded_up), avg(work_ns / trace_work_ns), '
            'avg(time_compression) FROM replay WHERE experiment = ?', (number,)).fetchone()
        print(f'| {gpus} | {jobs} | {clients} | {requests:,.0f} | {rounded:,.0f} | {work:.2f} | '
              f'{compression:,.1f} |')


if __name__ == '__main__':
    main()
