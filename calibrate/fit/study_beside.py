#!/usr/bin/env python3
"""What a kernel counts while others run beside it.

    ncu --replay-mode app-range --clock-control none --cache-control none --csv --log-file dram.csv \\
        --metrics dram__bytes_read.sum dcsim-calibrate replay-beside bfs fft >dram.txt
    calibrate/fit/study_beside.py dram.txt dram.csv [MORE.txt MORE.csv ...]

`dcsim-calibrate replay-beside` runs each kernel alone, beside producers of pressure, and beside the next kernel, each in
a range of the profiler, and prints a line for each range. The counters of a range are of the whole device. A producer
counts its own iterations, and its counts in one are known from its range alone: what is left of a range is the
kernel's. Printed is that over what the kernel counts alone; of two kernels, the sum over the sum of both alone. Where a
kernel's own counts are far below the producer's, what is left is the error of the producer's."""
import csv
import sys

FAMILIES = ['dram-copy', 'l2-read', 'themis-bandwidth', 'themis-cache']
SCALE = {'Kbyte': 1e3, 'Mbyte': 1e6, 'Gbyte': 1e9}


def read_ranges(path):
    """The sides of each range, of the profiler's last pass."""
    ranges = []
    for line in open(path, encoding='utf-8'):
        f = line.rstrip('\n').split('\t')
        if f[0] != 'range':
            continue
        if f[1] == '0':
            ranges = []
        sides, at = [], 2
        while at < len(f):
            if f[at] == 'producer':
                sides.append({'producer': True, 'times': float(f[at + 2])})
                at += 5
            else:
                sides.append({'producer': False, 'of': (f[at], f[at + 1], f[at + 2]), 'times': int(f[at + 3]),
                              'ns': int(f[at + 5])})
                at += 6
        ranges.append(sides)
    return ranges


def read_counts(path):
    counts = {}
    with open(path, encoding='utf-8') as file:
        for r in list(csv.reader(line for line in file if line.startswith('"')))[1:]:
            counts.setdefault(r[10], {})[int(r[0])] = float(r[12].replace(',', '')) * SCALE.get(r[11], 1)
    return counts


def print_metric(metric, count, ranges):
    print(f'\n{metric}')
    producers, alone, family = [], {}, 0
    for number, sides in enumerate(ranges):
        per_time = count[number] / sides[0]['times']
        if len(sides) == 1 and sides[0]['producer']:
            producers.append(per_time)
        elif len(sides) == 1:
            alone[sides[0]['of']], family = (per_time, sides[0]['ns'] / sides[0]['times']), 0
            print(f'  {sides[0]["of"][0]:16} {sides[0]["of"][2]:>4} SMs alone: {per_time:.4g} a run')
        elif sides[1]['producer']:
            own, ns = alone[sides[0]['of']]
            left = count[number] - producers[family] * sides[1]['times']
            ratio = left / sides[0]['times'] / own if own > 0 else float('nan')
            print(f'  {sides[0]["of"][0]:16} beside {FAMILIES[family]:18} {ratio:9.3f} of that, '
                  f'{sides[0]["ns"] / sides[0]["times"] / ns:.2f} times as long')
            family += 1
        else:
            both = sum(alone[s['of']][0] * s['times'] for s in sides)
            print(f'  {" + ".join(s["of"][0] for s in sides):42} {count[number] / both if both > 0 else float("nan"):9.3f}')


def main(paths):
    if not paths or len(paths) % 2:
        sys.exit(__doc__)
    for lines, table in zip(paths[::2], paths[1::2]):
        ranges = read_ranges(lines)
        for metric, count in read_counts(table).items():
            if sorted(count) != list(range(len(ranges))):
                print(f'{table}: has {len(count)} ranges, and {lines} {len(ranges)}', file=sys.stderr)
                sys.exit(2)
            print_metric(metric, count, ranges)


if __name__ == '__main__':
    main(sys.argv[1:])
