#!/usr/bin/env python3
"""Puts what was measured of recorded programs beside producers and beside each other into a profile.

    calibrate/fit/read_windows.py PROFILE.db [--counters NAME=NCU.csv]... [--half HALF] [WINDOWS.json.gz]...

PROFILE.db has the programs, by `dcsim-calibrate record`. WINDOWS has a JSON object a line; times are ns.
- A window, a stretch of time in which some processes ran: {"kind": "alone", "beside", "producer", "pair" or
  "triple", "clients": ["NAME-PERCENT-rec"], "begin", "end"}, and of the kind "beside" the producer's "family",
  "level" and "made", what `dcsim-calibrate press` said.
- What a client did in a window: {"window": its number among the windows of the file, "client", "took": [of each
  request], "places": [[kind, name, blocks, threads, registers, bytes, median, mean, p5, p95, ...] of each kernel or
  copy of a request, in order]}.

Writes rows of the kind 'sensitivity', kernel by kernel, for kernels that are LEAST of a request's kernels; of the
kind 'meter', where kernels are BUSY of a request; of the kind 'programs', with HALF (default: dev); and counters of the kernels of one request, which `ncu --csv --page raw`
saw in the order of the recording. Rows of that kind (of that half) and counters of that program that were there go.
docs/calibrate.md says more.
"""
import argparse
import csv
import gzip
import json
import os
import sqlite3
import statistics
import sys
from collections import defaultdict

LEAST = 0.01
BUSY = 0.8  # of a request are kernels: then what a producer loses beside the program is put down to each of them
SAME_FUNCTION, OTHER_KERNEL = 3, 1  # as in calibrate/record/recorded_align.c
COUNTERS = ('dram__bytes_read.sum', 'dram__bytes_write.sum', 'lts__t_bytes.sum')
PERCENTS = {'l2_hit': 'lts__t_sector_hit_rate.pct', 'l1_hit': 'l1tex__t_sector_hit_rate.pct',
            'tensor': 'sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active',
            'fma': 'sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active',
            'occupancy': 'sm__warps_active.avg.pct_of_peak_sustained_active'}
# The text of src/models/profile/profile_schema_2.sql: profiles whose tables differ are not merged.
CORUN_TAIL = '''CREATE TABLE corun_tail(corun INTEGER NOT NULL REFERENCES corun(id), side INTEGER NOT NULL,
    p95_ns INTEGER NOT NULL, solo_p95_ns INTEGER NOT NULL, PRIMARY KEY(corun, side))'''
COPIES = ('copy', 'fill')


class Refused(Exception):
    """What is wrong with the input, for who runs this."""


class Program:
    """A recorded program: its places on the whole device, and which of them those on fewer SMs stand for."""

    def __init__(self, db, name):
        self.name, self.places, self.sms = name, {}, {}
        for sms, percent in db.execute('SELECT sms, percent FROM recorded WHERE application = ?', (name,)):
            self.sms[percent] = sms
            self.places[sms] = db.execute(
                'SELECT kernel, function, median_ns FROM recorded_launch WHERE application = ? AND sms = ? '
                'ORDER BY position', (name, sms)).fetchall()
        if 100 not in self.sms:
            raise Refused(f'the profile has no recording of {name} on the whole device')
        self.whole = self.places[self.sms[100]]
        self.matches = {}

    def match(self, sms):
        if sms not in self.matches:
            self.matches[sms] = align([key(p) for p in self.whole], [key(p) for p in self.places[sms]])
        return self.matches[sms]

    def by_kernel(self, sms, times):
        """{kernel: mean time} of the times of the places on so many SMs."""
        match, at, begin, ns = self.match(sms), 0, 0, [0.0] * len(self.whole)
        for i in range(len(self.whole) + 1):
            if i < len(self.whole) and match[i] is None:
                continue
            until = match[i] if i < len(self.whole) else len(times)
            share_out(self.whole, times, at, until, begin, i, ns)
            if i < len(self.whole):
                ns[i] += times[until]
            at, begin = until + 1, i + 1
        found = defaultdict(list)
        for (kernel, _, _), value in zip(self.whole, ns):
            found[kernel].append(value)
        return {kernel: (statistics.fmean(values), len(values)) for kernel, values in found.items()}


def key(place):
    kernel, function, _ = place
    return (kernel.rsplit('_', 1)[0] if function in COPIES else 'kernel', function)


def share_out(whole, times, at, until, begin, end, ns):
    """As in calibrate/record/recorded_align.c."""
    rest = times[at:until]
    if end - begin == len(rest):
        for i, value in enumerate(rest):
            ns[begin + i] += value
    elif begin == end:
        ns[max(begin - 1, 0)] += sum(rest)
    else:
        weights = sum(p[2] for p in whole[begin:end])
        for i in range(begin, end):
            ns[i] += sum(rest) * whole[i][2] / weights


def align(a, b):
    """By place of a: the place of b that runs the same function, or None."""
    def likeness(x, y):
        return SAME_FUNCTION if x == y else OTHER_KERNEL if x[0] == y[0] == 'kernel' else 0
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for k in reversed(range(len(b))):
            best[i][k] = max(best[i + 1][k], best[i][k + 1], best[i + 1][k + 1] + likeness(a[i], b[k]))
    match, i, k = [None] * len(a), 0, 0
    while i < len(a) and k < len(b):
        alike = likeness(a[i], b[k])
        if alike and best[i][k] == best[i + 1][k + 1] + alike:
            match[i] = k if a[i] == b[k] else None
            i, k = i + 1, k + 1
        elif best[i + 1][k] >= best[i][k + 1]:
            i += 1
        else:
            k += 1
    return match


def read_windows(path):
    """[(window, {client: what it did})]"""
    windows, did = [], []
    opened = gzip.open(path, 'rt') if path.endswith('.gz') else open(path, encoding='utf-8')
    with opened as lines:
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                if 'kind' in entry:
                    windows.append((entry, {}))
                elif 'window' in entry and entry.get('took'):
                    did.append((entry['window'], entry['client'], entry))
            except (ValueError, TypeError, KeyError) as why:
                raise Refused(f'{path}:{number}: {why}; expected a window or what a client did in one') from why
    for number, client, entry in did:
        if not isinstance(number, int) or not 0 <= number < len(windows):
            raise Refused(f'{path}: {client}: expected the number of a window, found {number!r}')
        windows[number][1][client] = entry
    return windows


def whose(programs, client):
    """(program, percent, SMs)"""
    name, percent = client.rsplit('-', 2)[:2] if client.count('-') >= 2 else ('', '')
    if name not in programs or not percent.isdigit() or int(percent) not in programs[name].sms:
        raise Refused(f'{client}: the profile has no such program at that percentage; record it first')
    return programs[name], int(percent), programs[name].sms[int(percent)]


def times_of(programs, client, entry):
    program, _, sms = whose(programs, client)
    if len(entry['places']) != len(program.places[sms]):
        raise Refused(f'{client}: expected {len(program.places[sms])} kernels and copies, as in the profile, '
                      f'found {len(entry["places"])}')
    return program.by_kernel(sms, [float(p[7]) for p in entry['places']])


def mean_times(programs, client, entries):
    """{kernel: (mean, requests)} over windows."""
    sums, requests, places = defaultdict(float), 0, {}
    for entry in entries:
        n = len(entry['took'])
        requests += n
        for kernel, (mean, count) in times_of(programs, client, entry).items():
            sums[kernel] += n * mean
            places[kernel] = count
    return {kernel: (total / requests, places[kernel]) for kernel, total in sums.items()}, requests


def next_id(db):
    return db.execute('SELECT coalesce(max(id), 0) + 1 FROM corun').fetchone()[0]


def put_side(db, corun, side, what, percent, alone, alone_n, n, median, mean, spread, least, most):
    db.execute('INSERT INTO corun_side VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, 0, ?)',
               (corun, side, *what, percent, round(alone), round(alone, 1), alone_n, n, round(median),
                round(mean, 1), round(spread, 1), int(least), int(most), 'time', 'warm'))


def meter_time(entry, each, alone_each):
    """Of an iteration of a producer beside the kernels, from that beside whole requests; None: it does not tell."""
    requests = statistics.fmean(entry['took'])
    busy = min(1, sum(p[7] for p in entry['places'] if p[0] == 'K') / requests)
    left = alone_each / each - (1 - busy)
    return max(alone_each, alone_each * busy / left) if busy >= BUSY and left > 0 else None


def put_sensitivity(db, programs, windows):
    """Of kernels beside producers, and of producers as meters."""
    for kind in ('sensitivity', 'meter'):
        for corun, in db.execute('SELECT id FROM corun WHERE kind = ?', (kind,)).fetchall():
            db.execute('DELETE FROM corun_side WHERE corun = ?', (corun,))
        db.execute('DELETE FROM corun WHERE kind = ?', (kind,))
    alone, alone_each, rows = defaultdict(list), {}, 0
    for window, did in windows:
        if window['kind'] == 'producer' and window.get('made'):
            _, family, level, _, iterations, took, _, _ = window['made']
            alone_each[family, int(level), window['percent']] = float(took) / float(iterations)
        if window['kind'] == 'alone' and 'turn' not in window:
            for client, entry in did.items():
                alone[client].append(entry)
    baseline = {client: mean_times(programs, client, entries) for client, entries in alone.items()}
    number = next_id(db)
    for window, did in windows:
        if window['kind'] != 'beside' or not window.get('made'):
            continue
        _, family, level, sms, iterations, took, dram, l2 = window['made']
        moved = [float(iterations) * float(b) / float(took) for b in (dram, l2)]
        for client, entry in did.items():
            program, percent, own_sms = whose(programs, client)
            if client not in baseline:
                raise Refused(f'{client}: no window alone among those beside producers')
            solo, solo_n = baseline[client]
            whole = sum(mean * count for mean, count in solo.values())
            for kernel, (mean, count) in times_of(programs, client, entry).items():
                if solo[kernel][0] * count < LEAST * whole or kernel.startswith(COPIES):
                    continue
                each = float(took) / max(float(iterations), 1)
                of_producer = alone_each.get((family, int(level), window['percent']))
                beside = of_producer and meter_time(entry, each, of_producer)
                kinds = [('sensitivity', each, each)] + ([('meter', of_producer, beside)] if beside else [])
                for kind, producer_alone, producer in kinds:
                    db.execute("INSERT INTO corun VALUES(?, ?, 'mps', NULL, 0, ?, ?, ?)",
                               (number, kind, window['end'] - window['begin'], round(moved[0], 1) or None,
                                round(moved[1], 1) or None))
                    put_side(db, number, 0, (program.name, 1, kernel, own_sms), percent, solo[kernel][0], solo_n,
                             len(entry['took']), mean, mean, 0, mean, mean)
                    put_side(db, number, 1, (family, int(level), 'producer', int(sms)), window['percent'],
                             producer_alone, 1, max(1, int(float(iterations))), producer, producer, 0, producer,
                             producer)
                    number, rows = number + 1, rows + 1
    return rows


def put_programs(db, programs, windows, alone_windows, half):
    """Of requests of programs beside each other."""
    for corun, in db.execute("SELECT id FROM corun WHERE kind = 'programs' AND half = ?", (half,)).fetchall():
        for table in ('corun_side', 'corun_tail'):
            db.execute(f'DELETE FROM {table} WHERE corun = ?', (corun,))
        db.execute('DELETE FROM corun WHERE id = ?', (corun,))
    alone = defaultdict(list)
    for window, did in alone_windows:
        if window['kind'] == 'alone':
            for client, entry in did.items():
                alone[client] += entry['took']
    number, rows = next_id(db), 0
    for window, did in windows:
        if window['kind'] not in ('pair', 'triple') or len(did) != len(window['clients']):
            continue
        db.execute("INSERT INTO corun VALUES(?, 'programs', 'mps', ?, 0, ?, NULL, NULL)",
                   (number, half, window['end'] - window['begin']))
        for side, client in enumerate(window['clients']):
            program, percent, sms = whose(programs, client)
            if not alone[client]:
                raise Refused(f'{client}: no window alone')
            solo, took = sorted(alone[client]), sorted(did[client].get('all_took') or did[client]['took'])
            put_side(db, number, side, (program.name, 1, 'request', sms), percent, statistics.fmean(solo),
                     len(solo), len(took), statistics.median(took), statistics.fmean(took),
                     statistics.pstdev(took), took[0], took[-1])
            db.execute('INSERT INTO corun_tail VALUES(?, ?, ?, ?)',
                       (number, side, quantile(took, 0.95), quantile(solo, 0.95)))
        number, rows = number + 1, rows + 1
    return rows


def quantile(values, q):
    """Linear between ascending values."""
    at = q * (len(values) - 1)
    low = int(at)
    return round(values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low]))


def put_counters(db, program, path):
    """Of the kernels of one request, in their order; a file that ends early has the first ones."""
    with open(path, encoding='utf-8', errors='replace') as file:
        rows = [r for r in csv.reader(line for line in file if line.startswith('"'))]
    if not rows:
        raise Refused(f'{path}: no table of ncu')
    names, rows = rows[0], [dict(zip(rows[0], r)) for r in rows[1:] if len(r) == len(rows[0]) and r[0].isdigit()]
    if 'gpu__time_duration.sum' not in names:
        raise Refused(f'{path}: no column gpu__time_duration.sum')
    kernels = [p for p in program.whole if p[1] not in COPIES]
    if len(rows) > len(kernels):
        raise Refused(f'{path}: {len(rows)} kernels, and the profile has {len(kernels)} of {program.name}')
    found = defaultdict(list)
    for (kernel, _, _), row in zip(kernels, rows):
        if not kernel.startswith(short(row['Kernel Name'])):
            raise Refused(f'{path}: {row["ID"]}: expected {kernel}, found {row["Kernel Name"]}')
        found[kernel].append(row)
    db.execute('DELETE FROM kernel_counters WHERE application = ?', (program.name,))
    for kernel, these in found.items():
        mean = {name: mean_of(these, name) for name in names}
        part = {name: None if mean.get(column) is None else mean[column] / 100
                for name, column in PERCENTS.items()}
        db.execute('INSERT INTO kernel_counters VALUES(?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
                   (program.name, kernel, 'warm', round(mean['gpu__time_duration.sum']),
                    mean.get('smsp__inst_executed.sum'), mean.get('sm__inst_executed.avg.per_cycle_active'),
                    *(mean.get(c) for c in COUNTERS), part['l2_hit'], part['l1_hit'], part['tensor'],
                    part['fma'], part['occupancy']))
    return len(found)


def short(name):
    """What the names of the profile begin with: of what calls, the last name alone."""
    depth, text = 0, ''
    for c in name.replace('(anonymous namespace)', ''):
        depth += c == '<'
        if c == '(' and depth == 0:
            break
        text += c if depth == 0 else ''
        depth -= c == '>' and depth > 0
    return text.split('::')[-1].split()[-1][:40] if text.split() else name


def mean_of(rows, name):
    values = [row[name].replace(',', '') for row in rows]
    try:
        return statistics.fmean(float(v) for v in values)
    except ValueError:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('profile', metavar='PROFILE.db')
    parser.add_argument('windows', nargs='*', metavar='WINDOWS.json.gz')
    parser.add_argument('--counters', action='append', default=[], metavar='NAME=NCU.csv')
    parser.add_argument('--half', default='dev', choices=('dev', 'test', 'test2'))
    parser.add_argument('--alone', metavar='WINDOWS.json.gz', help='the windows alone are in this file')
    given = parser.parse_intermixed_args()
    try:
        if not os.path.isfile(given.profile):
            raise Refused('no such file')
        db = sqlite3.connect(given.profile, isolation_level=None)
        db.execute('BEGIN IMMEDIATE')
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'corun_tail'").fetchall():
            db.execute(CORUN_TAIL)
        programs = {name: Program(db, name) for name, in
                    db.execute('SELECT DISTINCT application FROM recorded').fetchall()}
        for entry in given.counters:
            name, _, path = entry.partition('=')
            if name not in programs:
                raise Refused(f'--counters {entry}: the profile has no recorded program {name!r}')
            print(f'{name}: counters of {put_counters(db, programs[name], path)} kernels')
        windows = [w for path in given.windows for w in read_windows(path)]
        if windows:
            alone = read_windows(given.alone) if given.alone else windows
            if any(window['kind'] == 'beside' for window, _ in windows):
                print(f'{put_sensitivity(db, programs, windows)} co-runs of kernels with producers')
            print(f'{put_programs(db, programs, windows, alone, given.half)} co-runs of programs, {given.half}')
        db.execute('COMMIT')
        db.close()
    except (Refused, sqlite3.Error, OSError, ValueError, KeyError, TypeError) as why:
        print(f'read_windows.py: {given.profile}: {why}', file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
