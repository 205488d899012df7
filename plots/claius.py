#!/usr/bin/env python3
"""Tables of the study of spatial sharing (configs/c-laius/study.sh), as Markdown. Its pictures: plots/make.

  plots/claius.py [DATABASE]          default: c-laius.db

For each setting: how many pairs of a service and a batch application violate the SLA (the 95 % interval of the p99 lies
above it), meet it or are undecided, what is late, how much of that a policy adds to the service alone on the device, and
the throughput of the batch application over what it does alone.
"""
import json
import math
import sqlite3
import sys

import study
from study import cell, mean, pairs, table
from trem import open_database

ORDER = ['mps-even', 'mps-priority', 'fixed-split', 'baymax', 'c-laius']
BATCHES = ['bfs', 'b-plus-tree', 'pathfinder', 'nw', 'hotspot', 'lava-md', 'myocyte', 'lud']


def variant(config):
    """A policy and its options as far as they differ from the defaults."""
    policy = config['policy']
    name = policy['name']
    if policy.get('reorder_for', 'last') != 'last':
        name += ', reorder_for ' + policy['reorder_for']
    if policy.get('reorder') == 'none':
        name += ', reorder none'
    if policy.get('within_service', 'lag') != 'lag':
        name += ', within_service ' + policy['within_service']
    if policy.get('give_back', False):
        name += ', give_back'
    if not policy.get('bandwidth_constraint', True):
        name += ' NB'
    if not policy.get('compensator', True):
        name += ' NC'
    if policy.get('target', 1) != 1:
        name += f", target {policy['target']:g}"
    if policy.get('granularity', 0.1) != 0.1:
        name += f", quotas of {100 * policy['granularity']:g} %"
    if config.get('sharing', {}).get('quota_switch_us', 0) != 0:
        name += ', changes cost'
    if config['predictor'] != 'mean':
        name += ', ' + config['predictor']
    return name


def rank(name):
    plain = name.split(',')[0].split()[0]
    return (ORDER.index(plain) if plain in ORDER else len(ORDER), name)


def compare(points):
    """C-Laius over Baymax, pair by pair, and by batch application."""
    for setting, policies in sorted(points.items()):
        ours, theirs = (pairs(policies.get(name, {})) for name in ('c-laius', 'baymax'))
        both = sorted(set(ours) & set(theirs))
        if not both:
            continue
        gains = {pair: 100 * (mean(ours[pair].throughput) - mean(theirs[pair].throughput)) for pair in both}
        print(f'{setting}: C-Laius over Baymax in batch throughput: more in {sum(g > 0 for g in gains.values())} of '
              f'{len(both)} pairs, {cell(list(gains.values()), 1, "+")} points of the time alone, from '
              f'{min(gains.values()):+.1f} to {max(gains.values()):+.1f}.\n')
        names = [b for b in BATCHES if any(pair[1] == b for pair in both)]
        table('batch over alone, %', *names)
        for policy, found in (('baymax', theirs), ('c-laius', ours)):
            print(f'| {policy} | ' + ' | '.join(
                f'{100 * mean([mean(found[pair].throughput) for pair in both if pair[1] == b]):.1f}' for b in names) + ' |')
        print()


def print_switches(db):
    """What changes of quota cost, where they cost something."""
    for setting, policies in sorted(study.read(db, ['c-laius-closed', 'c-laius-load'], variant).items()):
        found = pairs(policies.get('c-laius, changes cost', {}))
        if not found:
            continue
        share = [100 * mean(p.metric('quota_switch_share', p.app['latency'])) for p in found.values()]
        changes = [mean(p.metric('quota_switches', p.app['latency'])) for p in found.values()]
        print(f'{setting}: a request changes its quota {mean(changes):.1f} times ({min(changes):.1f} to {max(changes):.1f} by '
              f'pair), and spends {mean(share):.3f} % of its time on that ({min(share):.3f} to {max(share):.3f}).\n')


def read_services(db):
    """{setting: {pair: {policy: [(violating, -work if none does, worst p99, work, split)]}}}"""
    rows = {}
    for number, text in db.execute("SELECT id, config FROM experiment WHERE name IN ('c-laius-two-services', 'c-laius-two-paced')"):
        config = json.loads(text)
        pair = tuple(s['application'] for s in config['workload']['services'])
        verdicts = db.execute('SELECT verdict, p99_ms / sla_ms FROM sla_verdict WHERE experiment = ?', (number,)).fetchall()
        done = [row[0] for row in db.execute(
            "SELECT sum(value) FROM metric WHERE experiment = ? AND name = 'normalised_throughput' AND app IS NOT NULL "
            'GROUP BY replication', (number,))]
        if not done or not verdicts:
            continue
        violating = sum(v[0] in ('violates', 'infeasible') for v in verdicts)
        worst = max(math.inf if v[1] is None else v[1] for v in verdicts)
        # The best split lets the fewest violate; where none does, the work decides, else the worse p99.
        rows.setdefault(study.setting_of(config), {}).setdefault(pair, {}).setdefault(variant(config), []).append(
            (violating, worst if violating else 0, -mean(done), worst, config['policy'].get('service_shares', '')))
    return rows


def print_services(db):
    for setting, rows in sorted(read_services(db).items()):
        whole = {pair: {name: min(found) for name, found in policies.items()} for pair, policies in rows.items()
                 if {'fixed-split', 'c-laius', 'baymax'} <= set(policies)}
        print(f'**Two services, {setting}**\n')
        table('policy', 'pairs', 'pairs with an SLA violated', 'both', 'p99 over SLA of the worse: median', 'worst',
              'work of all three over alone, %')
        for name in ('fixed-split', 'baymax', 'c-laius', 'c-laius, give_back'):
            title = 'static optimal' if name == 'fixed-split' else name
            found = [policies[name] for policies in whole.values() if name in policies]
            if not found:
                continue
            over = sorted(f[3] for f in found)
            print(f'| {title} | {len(found)} | {sum(f[0] > 0 for f in found)} | {sum(f[0] > 1 for f in found)} |'
                  f' {study.as_seen(over[len(over) // 2], 2)} | {study.as_seen(over[-1], 2)} | {mean([-100 * f[2] for f in found]):.1f} |')
        print()


# More than 1 % late is a p99 above the SLA, exactly; by how much, the histogram says, if anything completed.
DATACENTER = """
SELECT count(*), avg(100 * violations > violations + within_sla),
       avg(100 * violations > violations + within_sla AND ifnull(p99_ns > 1.3 * sla_ns, 1)),
       avg(100 * violations > violations + within_sla AND p99_ns <= 1.02 * sla_ns)
FROM job WHERE experiment = ? AND sla_ns IS NOT NULL"""


def print_datacenter(db):
    rows = []
    for number, text in db.execute("SELECT id, config FROM experiment WHERE name = 'c-laius-datacenter'"):
        count, late, severe, slight = db.execute(DATACENTER, (number,)).fetchone()
        by_class = [[row[0] for row in db.execute(
            'SELECT value FROM metric WHERE experiment = ? AND name = ? AND class = ? AND app IS NULL ORDER BY replication',
            (number, name, kind))] for name, kind in (('normalised_throughput', 'batch'), ('sla_met', 'latency'))]
        name = variant(json.loads(text))
        rows.append((rank(name), name, count, late, severe, slight, *by_class))
    if not rows:
        return
    print('**600 GPUs**\n')
    table('policy', 'services on GPUs, all replications', 'above SLA, %', 'by more than 30 %, %', 'by less than 2 %, %',
          'within SLA, %', 'batch over alone, %')
    for _, name, count, late, severe, slight, batch, met in sorted(rows):
        print(f'| {name} | {count} | {100 * late:.1f} | {100 * severe:.1f} | {100 * slight:.1f} |'
              f' {100 * mean(met):.2f} | {cell([100 * b for b in batch], 1)} |')
    print()


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else 'c-laius.db'
    try:
        db = open_database(path)
        points = study.read(db, ['c-laius-closed', 'c-laius-paced', 'c-laius-load'], variant)
        study.print_policies(points, rank)
        compare(points)
        print_switches(db)
        print_services(db)
        print_datacenter(db)
    except sqlite3.DatabaseError as error:
        raise SystemExit(f'{path}: is no database of results ({error})') from None


if __name__ == '__main__':
    main()
