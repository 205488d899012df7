#!/usr/bin/env python3
"""Puts into a profile what kernels inside SMs move to the L2 cache, alone, as Nsight Compute counted it (table residency_l2).

    ncu --csv --page raw --print-units base --log-file cp.csv --clock-control none --cache-control none \\
        -k regex:cal_resident_blocks --metrics lts__t_bytes.sum,gpu__time_duration.sum \\
        dcsim-calibrate residency --output scratch.db --step residency/alone/cp
    calibrate/fit/read_residency_l2.py PROFILE.db cp.csv...

The name of a file is that of its kernel. Launches shorter than 10 ms are checks and are left out; of the others with as many
blocks the median counts. Needs Python 3 alone.
"""
import csv
import os
import sqlite3
import statistics
import sys

SHORT_NS = 10e6
COLUMNS = ('Grid Size', 'lts__t_bytes.sum', 'gpu__time_duration.sum')


def refuse(text):
    print(f'read_residency_l2.py: {text}', file=sys.stderr)
    sys.exit(2)


def read(path, sms):
    """{blocks in each SM: [bytes a ns]}"""
    rates = {}
    with open(path, encoding='utf-8', newline='') as file:
        table = csv.DictReader(line for line in file if line.startswith('"'))
        if not set(COLUMNS) <= set(table.fieldnames or ()):
            refuse(f'{path}: no table of ncu --csv --page raw with {", ".join(COLUMNS)}')
        next(table, None)  # units
        for row in table:
            grid, moved, ns = (float(row[c].strip('()').split(', ')[0].replace(',', '')) for c in COLUMNS)
            if ns >= SHORT_NS:
                rates.setdefault(int(grid) // sms, []).append(moved / ns)
    if not rates:
        refuse(f'{path}: no launch of 10 ms or more')
    return rates


def main():
    if len(sys.argv) < 3 or sys.argv[1] in ('-h', '--help'):
        print(__doc__)
        sys.exit(0 if len(sys.argv) > 1 and sys.argv[1] in ('-h', '--help') else 2)
    try:
        with sqlite3.connect(f'file:{sys.argv[1]}?mode=rw', uri=True) as db:
            sms = db.execute('SELECT sms FROM device').fetchone()[0]
            known = {row[0] for row in db.execute("SELECT DISTINCT kernel FROM residency WHERE beside = 'none'")}
            db.execute('CREATE TABLE IF NOT EXISTS residency_l2(kernel TEXT NOT NULL, blocks INTEGER NOT NULL, '
                       'bytes_per_ns REAL NOT NULL, n INTEGER NOT NULL, source TEXT NOT NULL, PRIMARY KEY(kernel, blocks))')
            for path in sys.argv[2:]:
                kernel = os.path.splitext(os.path.basename(path))[0]
                if kernel not in known:
                    refuse(f'{path}: {sys.argv[1]} has no measurement inside SMs of a kernel "{kernel}"')
                db.executemany('INSERT OR REPLACE INTO residency_l2 VALUES (?, ?, ?, ?, ?)', [
                    (kernel, n, round(statistics.median(r), 3), len(r), 'ncu: lts__t_bytes.sum over gpu__time_duration.sum')
                    for n, r in sorted(read(path, sms).items())])
    except (sqlite3.Error, OSError, ValueError, KeyError) as error:
        refuse(f'{error}')


if __name__ == '__main__':
    main()
