#!/usr/bin/env python3
"""Runs on a real GPU beside simulations of the same: the tables of docs/validation/driven.md, as Markdown.

  plots/driven.py REAL.db... --simulated SIM.db... [--charged SIM.db...] [--pictures NAME]

A run is known by its experiment's name, its policy and the rate of its first service. Where several of the real databases
have it, the last one counts. CHARGED are simulations whose scheduler is charged what it costs. Responses are those of
latency requests that arrived inside the window and ended; p99 is the smallest of them that 99 % do not exceed. NAME.tsv,
.svg and .png show simulated over real, one dot a run.

Order: of each two policies on the same pair and load, the differences of their real runs, request by request (mean, SLA) or
half second by half second (batch), in ten groups in the order of time. The policies differ if the 95 % interval of the mean
of the ten (Student's t) leaves out zero; the order is the same if the simulations' difference has the same sign.
"""
import argparse
import itertools
import json
import math
import sqlite3
import statistics
import subprocess
import sys

T9 = 2.262  # Student's t of nine degrees of freedom, two-sided 95 %
GROUPS = 10
MEASURES = ('mean', 'p99', 'batch', 'sla')
CUT_FREE = 'all but c-laius'  # it alone cuts the device anew at every kernel


def load(path):
    """{(name, policy, rate): run} of a results database."""
    db = sqlite3.connect(f'file:{path}?mode=ro', uri=True)
    runs = {}
    for eid, name, policy, config in db.execute('SELECT id, name, policy, config FROM experiment'):
        rate = json.loads(config)['workload']['services'][0]['arrivals']['rate_per_s']
        low, high = db.execute('SELECT window_from_ns, window_to_ns FROM run WHERE experiment = ?', (eid,)).fetchone()
        requests = {(job, number): (end - arrival, deadline is None or end <= deadline)
                    for job, number, arrival, end, deadline in db.execute(
                        "SELECT job, number, arrival_ns, end_ns, deadline_ns FROM request r JOIN application a USING "
                        "(experiment, app) WHERE experiment = ? AND outcome = 'done' AND class = 'latency' "
                        "AND arrival_ns >= ? ORDER BY arrival_ns", (eid, low))}
        metric = dict(db.execute(
            "SELECT class || ' ' || name, value FROM metric WHERE experiment = ? AND app IS NULL AND class IS NOT NULL",
            (eid,)))
        step = (high - low) / GROUPS
        ends = [0] * GROUPS
        for (end,) in db.execute(
                "SELECT end_ns FROM request JOIN application USING (experiment, app) WHERE experiment = ? "
                "AND outcome = 'done' AND class = 'batch' AND end_ns >= ? AND end_ns < ?", (eid, low, high)):
            ends[int((end - low) / step)] += 1
        times = sorted(t for t, _ in requests.values())
        runs[name, policy, rate] = {
            'requests': requests, 'ends': ends, 'n': len(times), 'path': path, 'id': eid,
            'mean': statistics.fmean(times) / 1e6, 'p99': times[math.ceil(0.99 * len(times)) - 1] / 1e6,
            'batch': metric['batch throughput'], 'sla': 100 * metric['latency sla_met']}
    return runs


def load_all(paths):
    runs = {}
    for path in paths:
        runs.update(load(path))
    return runs


def error(measure, real, simulated):
    """In per cent, or points of the share within the SLA."""
    return simulated - real if measure == 'sla' else 100 * (simulated / real - 1)


def cell(measure, key, real, others):
    values = [real[key][measure]] + [o[key][measure] for o in others]
    digits = 1 if measure == 'sla' else 2
    text = ' / '.join(f'{v:.{digits}f}' for v in values)
    return text + ' (' + ', '.join(f'{error(measure, values[0], v):+.1f}' for v in values[1:]) + ')'


def print_runs(keys, real, others):
    print('| pair | req/s | policy | n | mean, ms | p99, ms | batch, 1/s | within SLA, % |')
    print('| --- | --- | --- | --- | --- | --- | --- | --- |')
    for key in keys:
        cells = ' | '.join(cell(m, key, real, others) for m in MEASURES)
        print(f'| {key[0]} | {key[2]:g} | `{key[1]}` | {real[key]["n"]} | {cells} |')


def print_means(keys, real, others, labels):
    print('| | mean, % | p99, % | batch, % | within SLA, points |')
    print('| --- | --- | --- | --- | --- |')
    policies = sorted({k[1] for k in keys})
    for chosen, (label, other) in itertools.product(['all', CUT_FREE] + policies, zip(labels, others)):
        some = [k for k in keys if chosen in ('all', k[1]) or (chosen == CUT_FREE and k[1] != 'c-laius')]
        means = (statistics.fmean(abs(error(m, real[k][m], other[k][m])) for k in some) for m in MEASURES)
        print(f'| {chosen}, {label} | ' + ' | '.join(f'{m:.2f}' for m in means) + ' |')


def grouped(values):
    return [statistics.fmean(values[len(values) * i // GROUPS:len(values) * (i + 1) // GROUPS]) for i in range(GROUPS)]


def differences(measure, a, b):
    """Of two runs, in ten groups."""
    if measure == 'batch':
        return [x - y for x, y in zip(a['ends'], b['ends'])]
    both = [k for k in a['requests'] if k in b['requests']]
    at = 0 if measure == 'mean' else 1
    return grouped([a['requests'][k][at] - b['requests'][k][at] for k in both])


def print_order(keys, real, others, labels):
    print('| order by | pairs of policies | differ | ' + ' | '.join(f'same, {label}' for label in labels) + ' |')
    print('| --- | --- | --- |' + ' --- |' * len(labels))
    for measure, without in itertools.product(('mean', 'sla', 'batch'), (None, 'c-laius')):
        pairs, differ, same, wrong = 0, 0, [0] * len(others), []
        for a, b in itertools.combinations([k for k in keys if k[1] != without], 2):
            if a[0] != b[0] or a[2] != b[2]:
                continue
            pairs += 1
            d = differences(measure, real[a], real[b])
            mean = statistics.fmean(d)
            if abs(mean) <= T9 * statistics.stdev(d) / math.sqrt(GROUPS):
                continue
            differ += 1
            for i, other in enumerate(others):
                if statistics.fmean(differences(measure, other[a], other[b])) * mean > 0:
                    same[i] += 1
                else:
                    wrong.append(f'{labels[i]}: {a[0]} {a[2]:g} {a[1]} {b[1]}')
        name = f'{measure}, {CUT_FREE}' if without else measure
        print(f'| {name} | {pairs} | {differ} | ' + ' | '.join(str(s) for s in same) + ' |')
        if without:
            for line in wrong:
                print(f'not the same: {measure}: {line}', file=sys.stderr)


def quantiles(db, sql, eid):
    values = sorted(v for (v,) in db.execute(sql, (eid,)))
    if not values:
        return '-'
    return f'{values[len(values) // 2] / 1e3:.1f} / {values[math.ceil(0.99 * len(values)) - 1] / 1e3:.1f}'


def print_costs(keys, real):
    print('| pair | req/s | policy | event to order | order to launched | end to heard | callback |')
    print('| --- | --- | --- | --- | --- | --- | --- |')
    for key in keys:
        db = sqlite3.connect(f'file:{real[key]["path"]}?mode=ro', uri=True)
        columns = ('sent_ns', 'launched_ns - sent_ns', 'heard_ns - end_ns')
        cells = [quantiles(db, f'SELECT {c} FROM driven_launch WHERE experiment = ? AND end_ns IS NOT NULL', real[key]['id'])
                 for c in columns]
        cells.append(quantiles(db, 'SELECT end_ns - begin_ns FROM driven_callback WHERE experiment = ?', real[key]['id']))
        print(f'| {key[0]} | {key[2]:g} | `{key[1]}` | ' + ' | '.join(cells) + ' |')


def print_waits(keys, real):
    """Kernels on partitions that took long, and ended after another on another partition had: did they wait for it?"""
    print('| policy | launches beside another partition | took over twice the shortest | of these ended as if begun at the '
          'end of another |')
    print('| --- | --- | --- | --- |')
    counts = {}
    for key in keys:
        db = sqlite3.connect(f'file:{real[key]["path"]}?mode=ro', uri=True)
        columns = {name for _, name, *_ in db.execute('PRAGMA table_info(driven_launch)')}
        got = 'got_sms' if 'got_sms' in columns else 'sms'
        rows = db.execute(f'SELECT r.app, l.kernel, {got}, event_ns + launched_ns, event_ns + l.end_ns FROM driven_launch l JOIN '
                          'request r USING (experiment, replication, job, number) WHERE experiment = ? AND l.sms > 0 AND '
                          'l.end_ns IS NOT NULL ORDER BY 4', (real[key]['id'],)).fetchall()
        shortest = {}
        for *what, begin, end in rows:
            shortest[tuple(what)] = min(end - begin, shortest.get(tuple(what), end - begin))
        count = counts.setdefault(key[1], [0, 0, 0])
        for i, (*what, begin, end) in enumerate(rows):
            near = rows[max(0, i - 50):i + 50]
            beside = [o for o in near if o[3] < end and o[4] > begin and o[3:] != (begin, end)]
            least = shortest[tuple(what)]
            count[0] += bool(beside)
            long = beside and end - begin > 2 * least
            count[1] += bool(long)
            count[2] += bool(long) and any(o[4] < end and 0.7 * least < end - o[4] < 1.5 * least for o in beside)
    for policy, count in sorted(counts.items()):
        if count[0]:
            print(f'| `{policy}` | {count[0]} | {count[1]} | {count[2]} |')


GNUPLOT = r"""
set datafile separator '\t'
set multiplot layout 1, 4
set grid
set rmargin 3
set xtics rotate by -35
set logscale xy
array title[3] = ['mean response (ms)', 'p99 of responses (ms)', 'batch requests per s']
do for [m=1:3] {
    set title title[m]
    set xlabel 'real'
    set ylabel m == 1 ? 'simulated' : ''
    if (m == 3) { set key bottom right samplen 1 } else { unset key }
    plot x with lines linecolor rgb '#888888' notitle, \
        data using (column(4*m)):(column(4*m+1)) with points pointtype 6 linecolor rgb '#d55e00' title 'uncharged', \
        data using (column(4*m)):(column(4*m+2)) with points pointtype 7 pointsize 0.6 linecolor rgb '#0072b2' title 'charged'
}
unset logscale
unset key
set title 'within SLA (%)'
plot x with lines linecolor rgb '#888888' notitle, \
    data using 16:17 with points pointtype 6 linecolor rgb '#d55e00' title 'uncharged', \
    data using 16:18 with points pointtype 7 pointsize 0.6 linecolor rgb '#0072b2' title 'charged'
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
    parser.add_argument('real', nargs='+')
    parser.add_argument('--simulated', nargs='+', required=True)
    parser.add_argument('--charged', nargs='+')
    parser.add_argument('--pictures', metavar='NAME')
    args = parser.parse_args()
    real = load_all(args.real)
    labels = ['uncharged', 'charged'][:2 if args.charged else 1]
    others = [load_all(paths) for paths in (args.simulated, args.charged) if paths]
    keys = sorted(k for k in real if all(k in o for o in others))
    if not keys:
        raise SystemExit('driven.py: no run is both real and simulated: names, policies and rates have to be the same')
    print_runs(keys, real, others)
    print()
    print_means(keys, real, others, labels)
    print()
    print_order(keys, real, others, labels)
    print()
    print_costs(keys, real)
    print()
    print_waits(keys, real)
    if args.pictures and args.charged:
        draw(args.pictures, keys, real, others)


if __name__ == '__main__':
    main()
