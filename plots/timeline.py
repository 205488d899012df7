#!/usr/bin/env python3
"""A timeline of dcsim as a picture: the tracks of devices and policies, and what is counted beside them.

  plots/timeline.py TIMELINE.json [--from S] [--until S] [--output FILE.png]

Needs matplotlib. TIMELINE.json: of dcsim --config x.json --timeline TIMELINE.json; a few hundred slices can be told
apart. Colours are applications, hatched what a revocation threw away or took, ticks of a policy what it did.
"""
import argparse
import json
import re

from trem import pyplot

COLOURS = ['#4477AA', '#EE6677', '#228833', '#CCBB44', '#66CCEE', '#AA3377', '#BBBBBB', '#000000']


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('timeline')
    parser.add_argument('--from', type=float, dest='begin', help='seconds')
    parser.add_argument('--until', type=float, dest='end', help='seconds')
    parser.add_argument('--output', default='timeline.png')
    return parser.parse_args()


def read(path):
    """Names of tracks, and what is on them: slices, ticks, steps, arrows; times in ms."""
    with open(path, encoding='utf-8') as file:
        events = json.load(file)['traceEvents']
    names, slices, ticks, steps, arrows = {}, [], [], {}, {}
    for e in events:
        track = (e['pid'], e.get('tid'))
        if e['ph'] == 'M' and e['name'] == 'thread_name':
            names[track] = e['args']['name']
        elif e['ph'] == 'X':
            slices.append((track, e['ts'] / 1e3, e['dur'] / 1e3, e))
        elif e['ph'] == 'i':
            ticks.append((track, e['ts'] / 1e3, e['cat']))
        elif e['ph'] == 'C':
            steps.setdefault((e['pid'], e['name']), []).append((e['ts'] / 1e3, e['args']['value']))
        elif e['ph'] in 'sf':
            arrows.setdefault(e['id'], []).append((track, e['ts'] / 1e3))
    return names, slices, ticks, steps, arrows


def application(event):
    return event['name'].split(' ')[0]


def draw_tracks(axes, names, slices, ticks, arrows):
    used = {track for track, *_ in slices} | {track for track, *_ in ticks}
    tracks = sorted(t for t in used if not re.search('busy$', names[t]))
    row = {track: i for i, track in enumerate(tracks)}
    apps = sorted({application(e) for _, _, _, e in slices if e['cat'] not in ('scheduler', 'device')})
    colour = {app: COLOURS[i % len(COLOURS)] for i, app in enumerate(apps)}
    for track, begin, length, e in slices:
        if track not in row:
            continue
        lost = e['cat'] == 'revocation' or e.get('args', {}).get('revoked')
        axes.barh(row[track], length, left=begin, height=0.7, color=colour.get(application(e), '#DDDDDD'),
                  edgecolor='white', linewidth=0.4, hatch='////' if lost else None)
    for track, at, category in ticks:
        axes.plot([at, at], [row[track] - 0.3, row[track] + 0.3], linewidth=0.7,
                  color='#AA3377' if category == 'quota' else '#555555')
    for begin, end in arrows.values():
        if begin[0] in row and end[0] in row:
            axes.plot([begin[1], end[1]], [row[begin[0]], row[end[0]]], color='black', linewidth=0.3, alpha=0.4)
    axes.set_yticks(range(len(tracks)), [names[t] for t in tracks])
    axes.invert_yaxis()
    for app in apps:
        axes.barh(0, 0, color=colour[app], label=app)
    axes.legend(ncols=8, loc='lower left', bbox_to_anchor=(0, 1), frameon=False, fontsize=8)


def main():
    given = arguments()
    names, slices, ticks, steps, arrows = read(given.timeline)
    times = [t for _, t, *_ in slices] + [b + d for _, b, d, _ in slices]
    if not times:
        raise SystemExit(f'{given.timeline}: nothing is on a device there')
    begin = given.begin * 1e3 if given.begin is not None else min(times)
    end = given.end * 1e3 if given.end is not None else max(times)
    slices = [s for s in slices if s[1] < end and s[1] + s[2] > begin]
    ticks = [t for t in ticks if begin <= t[1] < end]
    arrows = {k: a for k, a in arrows.items() if a[0][1] < end and a[1][1] > begin}
    plt = pyplot()
    figure, axes = plt.subplots(1 + len(steps), 1, sharex=True, layout='constrained',
                                figsize=(9, 2.5 + 0.8 * len(steps)), height_ratios=[4] + [1] * len(steps))
    draw_tracks(axes[0] if steps else axes, names, slices, ticks, arrows)
    for place, ((_, name), points) in zip(axes[1:], sorted(steps.items())):
        at, value = zip(*(points + [(end, points[-1][1])]))
        place.fill_between(at, value, step='post', color='#BBCCEE')
        place.set_ylabel(name, rotation=0, ha='right', va='center', fontsize=8)
        inside = [v for t, v in points if t < end]
        place.set_ylim(0, max(inside + [1]) * 1.1)
    (axes[-1] if steps else axes).set_xlim(begin, end)
    (axes[-1] if steps else axes).set_xlabel('simulated time, ms')
    figure.savefig(given.output, dpi=150)


main()
