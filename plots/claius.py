#!/usr/bin/env python3
"""Tables of the study of spatial sharing (configs/c-laius/study.sh), as Markdown. Its pictures: plots/make.

  plots/claius.py [DATABASE]          default: c-laius.db

Of each point: whether the service violates, meets or may do either (view sla_verdict), its p99 over the SLA,
and the throughput of the batch application over what it does alone.
"""
import json
import sqlite3
import sys

from trem import half_width, mean, open_database

ORDER = ['mps-even', 'mps-priority', 'baymax', 'c-laius', 'c-laius-nb', 'c-laius-nc']
VERDICTS = ['infeasible', 'violates', 'undecided', 'meets']


def variant(policy):
    """The name of the study for a policy and its options; what differs from the defaults is told."""
    name = policy['name']
    if name == 'c-laius' and not policy['bandwidth_constraint']:
        name += '-nb'
    if name == 'c-laius' and not policy['compensator']:
        name += '-nc'
    if policy.get('target', 1) != 1:
        name += f", target {policy['target']:g}"
    if policy.get('granularity', 0.1) != 0.1:
        name += f", quotas of {100 * policy['granularity']:g} %"
    return name


def setting(config):
    """What a point has beside its policy that is not as in the configs."""
    name, given = '', config['workload']['services'][0].get('input', 'default')
    if config['predictor'] != 'mean':
        name += f", {config['predictor']}"
    if given != 'uniform':
        name += f', inputs {given}'
    return name


def metric(db, experiment, name, app):
    return [row[0] for row in db.execute(
        'SELECT value FROM metric WHERE experiment = ? AND name = ? AND app IS ? AND value IS NOT NULL '
        'ORDER BY replication', (experiment, name, app))]


def cell(values, digits):
    text = f'{mean(values):.{digits}f}'
    return text if len(values) < 2 else f'{text} ± {half_width(values):.{digits}f}'


def read_pairs(db):
    """{(SLA factor, variant): {(service, batch): point}}"""
    points = {}
    for number, text in db.execute("SELECT id, config FROM experiment WHERE name = 'c-laius-pair'"):
        config = json.loads(text)
        service, batch = config['workload']['services'][0], config['workload']['batch'][0]
        verdicts = db.execute('SELECT verdict, p99_ms / sla_ms, p99_ms_low / sla_ms, p99_ms_high / sla_ms, '
                              'sla_met FROM sla_verdict WHERE experiment = ?', (number,)).fetchall()
        app = db.execute('SELECT app FROM application WHERE experiment = ? AND name = ?',
                         (number, batch['application'])).fetchone()
        if not verdicts or verdicts[0][1] is None or app is None:
            continue  # not run yet
        verdict, p99, low, high, met = verdicts[0]
        throughput = metric(db, number, 'normalised_throughput', app[0])
        key = (service['sla_factor'], variant(config['policy']) + setting(config))
        points.setdefault(key, {})[(service['application'], batch['application'])] = {
            'verdict': verdict, 'p99': p99, 'low': low, 'high': high, 'met': met,
            'throughput': throughput, 'replications': len(throughput)}
    return points


def rank(name):
    plain = name.split(',')[0]
    return (ORDER.index(plain) if plain in ORDER else len(ORDER), name)


def print_pairs(points):
    for factor in sorted({key[0] for key in points}):
        print(f'SLA {factor:g} times the time alone.\n')
        print('| policy | pairs | replications | infeasible | violate | undecided | meet | p99 over SLA: median | worst |'
              ' within SLA, % | batch over alone, % |')
        print('| --- ' * 11 + '|')
        names = sorted((key[1] for key in points if key[0] == factor), key=rank)
        for name in names:
            pairs = points[factor, name]
            p99 = sorted(p['p99'] for p in pairs.values())
            count = [sum(p['verdict'] == v for p in pairs.values()) for v in VERDICTS]
            done = [100 * mean(p['throughput']) for p in pairs.values()]
            replications = sorted({p['replications'] for p in pairs.values()})
            print(f"| {name} | {len(pairs)} | {'-'.join(str(r) for r in replications)} | {count[0]} | {count[1]} |"
                  f" {count[2]} | {count[3]} | {p99[len(p99) // 2]:.2f} | {p99[-1]:.2f} |"
                  f" {100 * mean([p['met'] for p in pairs.values()]):.2f} | {mean(done):.1f} |")
        print()
        compare(points, factor)


def compare(points, factor):
    """C-Laius over Baymax, pair by pair, where both were run."""
    ours, theirs = points.get((factor, 'c-laius')), points.get((factor, 'baymax'))
    if ours is None or theirs is None:
        return
    both = sorted(set(ours) & set(theirs))
    gains = [100 * (mean(ours[pair]['throughput']) - mean(theirs[pair]['throughput'])) for pair in both]
    print(f'C-Laius over Baymax in batch throughput: {sum(g > 0 for g in gains)} of {len(both)} pairs, '
          f'{cell(gains, 1)} points of the time alone, from {min(gains):.1f} to '
          f'{max(gains):.1f}.\n')


def print_services(db):
    rows = {}
    for number, text in db.execute("SELECT id, config FROM experiment WHERE name = 'c-laius-two-services'"):
        config = json.loads(text)
        pair = tuple(s['application'] for s in config['workload']['services'])
        verdicts = db.execute('SELECT verdict, p99_ms / sla_ms, sla_met FROM sla_verdict WHERE experiment = ?',
                              (number,)).fetchall()
        throughput = sum(mean(metric(db, number, 'normalised_throughput', app))
                         for app, in db.execute('SELECT app FROM application WHERE experiment = ?', (number,)))
        violating = sum(v[0] in ('violates', 'infeasible') for v in verdicts)
        worst = max(v[1] for v in verdicts)
        rows.setdefault(pair, {}).setdefault(config['policy']['name'], []).append(
            # The best split lets the fewest violate; where none does, the work decides, else the worse p99.
            (violating, worst if violating else 0, -throughput, worst, config['policy'].get('service_shares', '')))
    if not rows:
        return
    print('| services | static optimal: violating | split | p99 over SLA | all over alone, % | c-laius: violating |'
          ' p99 over SLA | all over alone, % |')
    print('| --- ' * 8 + '|')
    for pair, found in sorted(rows.items()):
        if set(found) != {'fixed-split', 'c-laius'}:
            continue
        fixed, ours = min(found['fixed-split']), min(found['c-laius'])
        print(f"| {pair[0]}, {pair[1]} | {fixed[0]} | {fixed[4]} | {fixed[3]:.2f} | {-100 * fixed[2]:.1f} |"
              f" {ours[0]} | {ours[3]:.2f} | {-100 * ours[2]:.1f} |")
    print()


# More than 1 % late is a p99 above the SLA, exactly; by how much, the histogram says.
DATACENTER = """
SELECT count(*), avg(100 * violations > violations + within_sla),
       avg(100 * violations > violations + within_sla AND p99_ns > 1.3 * sla_ns),
       avg(100 * violations > violations + within_sla AND p99_ns <= 1.02 * sla_ns)
FROM job WHERE experiment = ? AND p99_ns IS NOT NULL"""


def print_datacenter(db):
    rows = []
    for number, text in db.execute("SELECT id, config FROM experiment WHERE name = 'c-laius-datacenter'"):
        config = json.loads(text)
        count, late, severe, slight = db.execute(DATACENTER, (number,)).fetchone()
        done = metric(db, number, 'normalised_throughput', None)
        batch = [row[0] for row in db.execute(
            "SELECT value FROM metric WHERE experiment = ? AND name = 'normalised_throughput' AND class = 'batch' "
            'AND app IS NULL ORDER BY replication', (number,))] or done
        met = [row[0] for row in db.execute(
            "SELECT value FROM metric WHERE experiment = ? AND name = 'sla_met' AND class = 'latency' "
            'AND app IS NULL ORDER BY replication', (number,))]
        rows.append((rank(variant(config['policy'])), variant(config['policy']), count, late, severe, slight, batch, met))
    if not rows:
        return
    print('| policy | services on GPUs, all replications | above SLA, % | by more than 30 %, % | by less than 2 %, % |'
          ' within SLA, % | batch over alone, % |')
    print('| --- ' * 7 + '|')
    for _, name, count, late, severe, slight, batch, met in sorted(rows):
        print(f'| {name} | {count} | {100 * late:.1f} | {100 * severe:.1f} | {100 * slight:.1f} |'
              f' {100 * mean(met):.2f} | {cell([100 * b for b in batch], 1)} |')
    print()


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else 'c-laius.db'
    try:
        db = open_database(path)
        print_pairs(read_pairs(db))
        print_services(db)
        print_datacenter(db)
    except sqlite3.DatabaseError as error:
        raise SystemExit(f'{path}: is no database of results ({error})') from None


if __name__ == '__main__':
    main()
