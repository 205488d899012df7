#!/usr/bin/env python3
"""What dcsim trace fit --curves has written: durations and gaps between arrivals as complementary
distribution functions, jobs (dots) against what was fitted (lines), and arrivals over time."""
import argparse
import csv
import os

from trem import pyplot, save

# Paul Tol's "bright" palette, as in trem.py; a curve keeps its colour and its dashes in all pictures.
STYLES = {
    'exponential': ('#66CCEE', (0, (1, 1))), 'Poisson': ('#66CCEE', (0, (1, 1))),
    'Pareto': ('#EE6677', '-'), 'Weibull': ('#228833', (0, (4, 2))), 'lognormal': ('#4477AA', '--'),
    'lognormal body, Pareto tail': ('#AA3377', '-'), 'Pareto, largest 10 %': ('#CCBB44', '-.'),
    'Pareto, best x_min': ('#EE6677', (0, (3, 1, 1, 1))),
    'hyperexponential': ('#4477AA', '--'), 'hyperexponential, balanced': ('#228833', (0, (4, 2))),
    'MMPP-2': ('#AA3377', '-'), 'Poisson, daily rate': ('#CCBB44', '-'),
    'daily rate': ('#AA3377', '-'),
}
DATA = {'jobs', 'batches'}


def read(path):
    """{panel: {curve: ([x], [y])}}, curves in the order of the file."""
    panels = {}
    with open(path, newline='') as file:
        for row in csv.DictReader(file):
            x, y = panels.setdefault(row['panel'], {}).setdefault(row['curve'], ([], []))
            x.append(float(row['x']))
            y.append(float(row['y']))
    return panels


def draw_tail(axes, curves, what):
    """1 - F on two logarithmic axes: there a Pareto is a straight line."""
    least = 1.0
    for name, (x, y) in curves.items():
        if name in DATA:
            axes.plot(x, [1 - v for v in y], linestyle='none', marker='.', markersize=3, color='#444444',
                      label=f'{name} (data)', zorder=3)
            least = min(1 - max(y), least)
    for name, (x, y) in curves.items():
        if name in DATA:
            continue
        colour, dashes = STYLES[name.removesuffix(' *')]
        axes.plot(x, [1 - v if v < 1 else float('nan') for v in y], color=colour, linestyle=dashes,
                  linewidth=2.2 if name.endswith('*') else 1.2,
                  label=name.replace(' *', ' (chosen)'))
    axes.set_xscale('log')
    axes.set_yscale('log')
    axes.set_ylim(max(least / 2, 1e-7), 1.5)
    axes.set_xlim(left=quantile_x(curves, 0.002) / 1.5)
    axes.set_xlabel(f'{what} (s)')
    axes.set_ylabel('share that is longer')
    axes.legend(fontsize=7, loc='lower left')


def quantile_x(curves, share):
    """The value of the data at this share; what lies left of it is no more than dust."""
    for name, (x, y) in curves.items():
        if name in DATA:
            return next((a for a, b in zip(x, y) if b >= share and a > 0), 1e-9)
    return 1e-9


def draw_rate(axes, curves):
    day = max(x[-1] for x, _ in curves.values()) > 2 * 86400
    unit, name = (86400, 'd') if day else (3600, 'h')
    for curve, (x, y) in curves.items():
        if curve in DATA:
            axes.plot([v / unit for v in x], y, color='#444444', linewidth=0.7, label='jobs (data)')
    for curve, (x, y) in curves.items():
        if curve not in DATA:
            axes.plot([v / unit for v in x], y, color=STYLES[curve][0], linewidth=1.2, label=curve)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f'time of the trace ({name})')
    axes.set_ylabel('arrivals per second')
    axes.legend(fontsize=7, loc='upper right')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('curves', help='what dcsim trace fit JOBS.db --curves FILE.csv has written')
    parser.add_argument('--title', default='', help='above the picture')
    parser.add_argument('--output', default='trace-fit.png', help='the picture (default: %(default)s)')
    given = parser.parse_args()
    if not os.path.exists(given.curves):
        raise SystemExit(f'{given.curves}: no such file; dcsim trace fit JOBS.db --curves makes it')
    panels = read(given.curves)
    plt = pyplot()
    figure, axes = plt.subplots(1, 3, figsize=(13.5, 4.2))
    for panel, place in zip(('duration', 'gap', 'rate'), axes):
        if panel not in panels:
            place.text(0.5, 0.5, 'none', ha='center', transform=place.transAxes)
    if 'duration' in panels:
        draw_tail(axes[0], panels['duration'], 'duration')
    if 'gap' in panels:
        draw_tail(axes[1], panels['gap'],
                  'gap between batches' if 'batches' in panels['gap'] else 'gap between arrivals')
    if 'rate' in panels:
        draw_rate(axes[2], panels['rate'])
    figure.suptitle(given.title, fontsize=10)
    figure.tight_layout()
    save(figure, os.path.dirname(given.output) or '.', os.path.basename(given.output))


if __name__ == '__main__':
    main()
