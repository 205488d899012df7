#!/usr/bin/env python3
"""Puts the counters of recorded programs, which ncu saw, into a profile.

    calibrate/fit/read_counters.py PROFILE.db NAME=NCU.csv...

PROFILE.db has the programs, by `dcsim-calibrate record`. NCU.csv is of the kernels of one request, which `ncu --csv
--page raw` saw in the order of the recording; one that ends early has the first ones. Counters of that program that
were there go. docs/calibrate.md says more.
"""
import argparse
import csv
import os
import sqlite3
import statistics
import sys
from collections import defaultdict

COUNTERS = ('dram__bytes_read.sum', 'dram__bytes_write.sum', 'lts__t_bytes.sum')
PERCENTS = {'l2_hit': 'lts__t_sector_hit_rate.pct', 'l1_hit': 'l1tex__t_sector_hit_rate.pct',
            'tensor': 'sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active',
            'fma': 'sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active',
            'occupancy': 'sm__warps_active.avg.pct_of_peak_sustained_active'}
COPIES = ('copy', 'fill')


class Refused(Exception):
    """What is wrong with the input, for who runs this."""


def put_counters(db, name, path):
    """Of the kernels of one request, in their order; a file that ends early has the first ones."""
    with open(path, encoding='utf-8', errors='replace') as file:
        rows = [r for r in csv.reader(line for line in file if line.startswith('"'))]
    if not rows:
        raise Refused(f'{path}: no table of ncu')
    units = dict(zip(rows[0], rows[1])) if len(rows) > 1 and not rows[1][0].isdigit() else {}
    for column, unit in units.items():
        if unit not in ('', 'ns', 'nsecond', 'byte', '%', 'inst', 'inst/cycle'):
            raise Refused(f'{path}: column {column} is in {unit}: expected base units (ncu --print-units base)')
    names, rows = rows[0], [dict(zip(rows[0], r)) for r in rows[1:] if len(r) == len(rows[0]) and r[0].isdigit()]
    if 'gpu__time_duration.sum' not in names:
        raise Refused(f'{path}: no column gpu__time_duration.sum')
    size, = db.execute('SELECT size_default FROM subject WHERE application = ?', (name,)).fetchone() or (None,)
    kernels = [kernel for kernel, function in db.execute(
        "SELECT kernel, function FROM recorded_launch WHERE application = ? AND size = ? AND mechanism = 'whole' ORDER BY position",
        (name, size)) if function not in COPIES]
    if not kernels:
        raise Refused(f'the profile has no recorded program {name!r}')
    if len(rows) > len(kernels):
        raise Refused(f'{path}: {len(rows)} kernels, and the profile has {len(kernels)} of {name}')
    found = defaultdict(list)
    for kernel, row in zip(kernels, rows):
        if not kernel.startswith(short(row['Kernel Name'])):
            raise Refused(f'{path}: {row["ID"]}: expected {kernel}, found {row["Kernel Name"]}')
        found[kernel].append(row)
    db.execute('DELETE FROM kernel_counters WHERE application = ?', (name,))
    for kernel, these in found.items():
        mean = {name: mean_of(these, name) for name in names}
        part = {name: None if mean.get(column) is None else mean[column] / 100
                for name, column in PERCENTS.items()}
        db.execute('INSERT INTO kernel_counters VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
                   (name, size, kernel, 'warm', round(mean['gpu__time_duration.sum']),
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
    parser.add_argument('counters', nargs='+', metavar='NAME=NCU.csv')
    given = parser.parse_args()
    try:
        if not os.path.isfile(given.profile):
            raise Refused('no such file')
        db = sqlite3.connect(given.profile, isolation_level=None)
        db.execute('BEGIN IMMEDIATE')
        for entry in given.counters:
            name, _, path = entry.partition('=')
            print(f'{name}: counters of {put_counters(db, name, path)} kernels')
        db.execute('COMMIT')
        db.close()
    except (Refused, sqlite3.Error, OSError, ValueError, KeyError, TypeError) as why:
        print(f'read_counters.py: {given.profile}: {why}', file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
