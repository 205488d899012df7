#!/usr/bin/env python3
"""Runs on a real GPU beside simulations of the same: the tables of docs/validation/driven.md, as Markdown.

  dcsim validate --driven REAL.db... --csv SIM.csv
  plots/driven.py REAL.db... --simulated SIM.csv [--charged SIM.csv] [--labels A,B] [--runs FILE.csv] [--pictures NAME]
  plots/driven.py --runs docs/validation/driven.csv --runs docs/validation/driven-h100.csv --pictures NAME

Real and simulated numbers, and the order of policies, are those of `dcsim validate --driven`. CHARGED is of simulations whose
scheduler is charged what it costs; --labels names both otherwise. What the host costs is read from the databases: a run is known by its experiment's name,
its applications, its policy and the rate of its first service; where several databases have it, the last one counts. FILE.csv has each run, real and
simulated. NAME.tsv, .svg and .png show simulated over real, one dot a run; of policies of MPS the charged one, as a cross.
"""
import argparse
import csv
import itertools
import json
import math
import sqlite3
import statistics
import subprocess
import sys

BY_MPS = ('mps-even', 'mps-priority')
OTHERS = 'all but MPS'
SCALES = {'mean': ('response_mean', 1e-6), 'p99': ('response_p99', 1e-6), 'batch': ('batch_throughput', 1), 'sla': ('sla_met', 100)}
MEASURES = tuple(SCALES)
COLUMNS = {'mean': 'mean_ms', 'p99': 'p99_ms', 'batch': 'batch_per_s', 'sla': 'within_sla_%'}


def find_runs(paths):
    """{(name, policy, rate): where it is}"""
    runs = {}
    for path in paths:
        db = sqlite3.connect(f'file:{path}?mode=ro', uri=True)
        for eid, name, policy, config in db.execute(
                'SELECT id, name, policy, config FROM experiment WHERE id IN (SELECT experiment FROM driven)'):
            work = json.loads(config)['workload']
            applications = '+'.join(a['application'] for a in work['services'] + work.get('batch', []))
            world = name if name == applications else f'{name}: {applications}'
            runs[world, policy, work['services'][0]['arrivals']['rate_per_s']] = {'path': path, 'id': eid}
    return runs


def read_rows(path):
    """Of a CSV file: {run: {measure: (real, simulated)}}, and the contests of two policies."""
    runs, contests = {}, []
    names = {name: (measure, scale) for measure, (name, scale) in SCALES.items()}
    with open(path, encoding='utf-8', newline='') as file:
        for row in csv.DictReader(file):
            if row['measure'] not in names or not row['real'] or not row['simulated']:
                continue
            measure, scale = names[row['measure']]
            key = (row['experiment'], row['policy'], float(row['requests_per_s']))
            values = (scale * float(row['real']), scale * float(row['simulated']))
            if row['part'] == 'order':
                contests.append((measure, key, row['against'], *values, scale * float(row['half'])))
            else:
                runs.setdefault(key, {'n': int(row['n'])})[measure] = values
    return runs, contests


def pick(runs, side):
    """One side of each run."""
    return {key: {m: v if m == 'n' else v[side] for m, v in run.items()} for key, run in runs.items()}


def error(measure, real, simulated):
    """In per cent, or points of the share within the SLA."""
    return simulated - real if measure == 'sla' else 100 * (simulated / real - 1)


def write_runs(path, keys, real, others, labels):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(['pair', 'requests_per_s', 'policy', 'responses'] +
                     [f'{COLUMNS[m]} {side}' for m in MEASURES for side in ['real'] + labels])
        for key in keys:
            out.writerow([key[0].split(': ')[-1], f'{key[2]:g}', key[1], real[key]['n']] +
                         [f'{r[key][m]:.2f}' for m in MEASURES for r in [real] + others])


def read_runs(path):
    """What write_runs() has written: keys, and each side of each run."""
    keys, sides = [], {side: {} for side in ('real', 'uncharged', 'charged')}
    with open(path, encoding='utf-8', newline='') as file:
        for row in csv.DictReader(file):
            keys.append((row['pair'], row['policy'], float(row['requests_per_s'])))
            for side, runs in sides.items():
                runs[keys[-1]] = {m: float(row[f'{name} {side}']) for m, name in COLUMNS.items()}
    return keys, sides['real'], [sides['uncharged'], sides['charged']]


def print_means(keys, real, others, labels):
    print('| | mean, % | p99, % | batch, % | within SLA, points |')
    print('| --- | --- | --- | --- | --- |')
    policies = sorted({k[1] for k in keys})
    for chosen, (label, other) in itertools.product(['all', OTHERS] + policies, zip(labels, others)):
        some = [k for k in keys if chosen in ('all', k[1]) or (chosen == OTHERS and k[1] not in BY_MPS)]
        if not some:
            continue
        means = (statistics.fmean(abs(error(m, real[k][m], other[k][m])) for k in some) for m in MEASURES)
        print(f'| {chosen}, {label} | ' + ' | '.join(f'{m:.2f}' for m in means) + ' |')


def print_order(contests, labels):
    """contests: one list for each label; what is real is the same in all."""
    print('| order by | pairs of policies | differ | ' + ' | '.join(f'same, {label}' for label in labels) + ' |')
    print('| --- | --- | --- |' + ' --- |' * len(labels))
    for measure in ('mean', 'sla', 'batch'):
        rows = [r for r in zip(*contests) if r[0][0] == measure]
        differ = [r for r in rows if abs(r[0][3]) > r[0][5]]
        same = [sum(r[i][4] * r[0][3] > 0 for r in differ) for i in range(len(labels))]
        print(f'| {measure} | {len(rows)} | {len(differ)} | ' + ' | '.join(str(n) for n in same) + ' |')


def print_costs(keys, real):
    """By policy, of all runs."""
    print('| policy | event to order | order to launched | end to heard | callback |')
    print('| --- | --- | --- | --- | --- |')
    columns = ('sent_ns', 'launched_ns - sent_ns', 'heard_ns - end_ns')
    for policy in sorted({k[1] for k in keys}):
        times = [[] for _ in range(4)]
        for key in (k for k in keys if k[1] == policy):
            db = sqlite3.connect(f'file:{real[key]["path"]}?mode=ro', uri=True)
            queries = [f'SELECT {c} FROM driven_launch WHERE experiment = ? AND end_ns IS NOT NULL' for c in columns]
            queries.append('SELECT end_ns - begin_ns FROM driven_callback WHERE experiment = ?')
            for some, query in zip(times, queries):
                some.extend(v for (v,) in db.execute(query, (real[key]['id'],)))
        cells = []
        for some in times:
            some.sort()
            cells.append(f'{some[len(some) // 2] / 1e3:.1f} / {some[math.ceil(0.99 * len(some)) - 1] / 1e3:.1f}' if some else '-')
        print(f'| `{policy}` | ' + ' | '.join(cells) + ' |')


GNUPLOT = r"""
set datafile separator '\t'
set multiplot layout 1, 4
set grid
set rmargin 3
set logscale xy
x(m) = column(4*m)
of(m, i, cut) = (strcol(3)[1:3] eq 'mps') == cut ? column(4*m + i) : NaN
array title[4] = ['mean response (ms)', 'p99 of responses (ms)', 'batch requests per s', 'within SLA (%)']
do for [m=1:4] {
    set title title[m]
    set xlabel 'real'
    set ylabel m == 1 ? 'simulated' : ''
    if (m == 4) { unset logscale; set xtics 25; set ytics 25; set xrange [0:100]; set yrange [0:100] }
    if (m == 1) { set xtics 1, 100 } else { if (m != 4) { set xtics autofreq } }
    if (m == 3) { set key top left samplen 1 reverse Left } else { unset key }
    plot x with lines linecolor rgb '#888888' notitle, \
        data using (x(m)):(of(m, 2, 1)) with points pointtype 2 linecolor rgb '#999999' title 'MPS, charged', \
        data using (x(m)):(of(m, 1, 0)) with points pointtype 6 linecolor rgb '#d55e00' title 'uncharged', \
        data using (x(m)):(of(m, 2, 0)) with points pointtype 7 pointsize 0.6 linecolor rgb '#0072b2' title 'charged'
}
"""


def draw(name, keys, real, others):
    """Columns: pair, rate, policy, then real, simulated, charged and nothing, by measure."""
    with open(f'{name}.tsv', 'w', encoding='utf-8') as out:
        for key in keys:
            cells = [f'{r[key][m]:.4f}' if r else '' for m in MEASURES for r in [real] + others + [None]]
            print(key[0], key[2], key[1], *cells, sep='\t', file=out)
    for kind, terminal in (('svg', 'svg size 1200, 330 background "white"'), ('png', 'pngcairo size 1200, 330')):
        commands = f"set terminal {terminal}\nset output '{name}.{kind}'\ndata = '{name}.tsv'\n{GNUPLOT}"
        subprocess.run(['gnuplot'], input=commands, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('real', nargs='*')
    parser.add_argument('--simulated')
    parser.add_argument('--charged')
    parser.add_argument('--labels', default='uncharged,charged')
    parser.add_argument('--runs', metavar='FILE.csv', action='append', default=[])
    parser.add_argument('--pictures', metavar='NAME')
    args = parser.parse_args()
    if not args.real and args.runs and args.pictures:
        keys, real, others = read_runs(args.runs[0])
        for path in args.runs[1:]:
            more = read_runs(path)
            keys += more[0]
            for side, runs in zip([real] + others, [more[1]] + more[2]):
                side.update(runs)
        draw(args.pictures, keys, real, others)
        return
    if not args.real or not args.simulated:
        parser.error('expected REAL.db... and --simulated, or --runs and --pictures')
    found = find_runs(args.real)
    labels = args.labels.split(',')[:2 if args.charged else 1]
    rows, contests = zip(*(read_rows(path) for path in (args.simulated, args.charged) if path))
    others = [pick(runs, 1) for runs in rows]
    real = {key: found[key] | run for key, run in pick(rows[0], 0).items() if key in found}
    keys = sorted(k for k in real if all(k in o for o in others))
    if not keys:
        raise SystemExit('driven.py: no run is both real and simulated: names, policies and rates have to be the same')
    print_means(keys, real, others, labels)
    print()
    print_order(contests, labels)
    print()
    print_costs(keys, real)
    if args.runs:
        write_runs(args.runs[0], keys, real, others, labels)
    if args.pictures and args.charged:
        draw(args.pictures, keys, real, others)


if __name__ == '__main__':
    main()
