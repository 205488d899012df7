#!/usr/bin/env python3
"""Tables of the study of kernel fusion (configs/tacker/study.sh), as Markdown. Its pictures: plots/make.

  plots/tacker.py [DATABASE [PROFILE.db]]          default: tacker.db, none

Of each pair of a service and a batch application: how much more batch work tacker does than baymax in the
same world (seed by seed; in %, relative), the service's p99 and mean latency under both, how much was fused, and how long the
two types of cores were active. With a profile also the bound of the paper's section VIII-C: what would be
gained if every kernel that can be fused met the batch kernel that suits it best.
"""
import argparse
import collections
import json
import math
import re
import sqlite3
import sys

from trem import half_width, mean, open_database

SERVICES = ['resnet50', 'resnext', 'vgg16', 'vgg19', 'inception', 'densenet']
BATCHES = ['mriq', 'fft', 'mrif', 'cutcp', 'cp', 'sgemm', 'lbm', 'tpacf', 'resnet50-train', 'vgg16-train',
           'inception-train', 'densenet-train']
CONVOLUTION = re.compile(r'conv(\d+)x(\d+)s\d+p\d+_n\d+_\d+x\d+_c(\d+)_k(\d+)$')
MEASURED = re.compile(r'conv-(\d+)x(\d+)$')


def world(config):
    """What both policies have in common, as text; empty for the study's main setting."""
    service, batch = config['workload']['services'][0], config['workload']['batch'][0]
    words = []
    if service['input'] != 'default':
        words.append('one image' if service['input'] == '1' else 'short services')
    if batch['input'] != 'default':
        words.append('batch of drawn sizes')
    if config['policy']['target'] != 1:
        words.append(f"target {config['policy']['target']:g}")
    return ', '.join(words)


def variant(config):
    """The rules of a policy; those of the main setting are not told."""
    policy, scheduler = config['policy'], config['scheduler']
    name = policy['name']
    if name == 'tacker':
        name += ' ' + config['fusion']['match']
        if config['fusion'].get('decide') == 'launch':
            name += ', decided at launch'
        if policy['fuse'] != 'last':
            name += ', fuse ' + policy['fuse']
        if scheduler['fusion_round_us'] > 0:
            name += f", decisions cost {scheduler['fusion_cost_scale']:g}"
    if policy['reorder'] != 'one':
        name += ', reorder ' + policy['reorder']
    if policy.get('reorder_for') == 'any':
        name += ', for any'
    return name


class Point:
    def __init__(self, db, number, config):
        self.db, self.number = db, number
        self.apps = dict(db.execute('SELECT name, app FROM application WHERE experiment = ?', (number,)))
        service, batch = config['workload']['services'][0], config['workload']['batch'][0]
        self.pair = (service['application'], batch['application'])
        self.rate_per_s = service['arrivals']['rate_per_s']
        self.window = config['horizon']['duration_s'] - config['horizon']['warmup_s']
        self.run = config['horizon']['duration_s']
        self.throughput = self.metric('normalised_throughput', self.apps.get(self.pair[1]))
        self.p99 = self.metric('response_p99', self.apps.get(self.pair[0]))
        rows = db.execute('SELECT verdict, p99_ms, sla_ms, sla_met FROM sla_verdict WHERE experiment = ?',
                          (number,)).fetchall()
        self.verdict, self.p99_ms, self.sla_ms, self.met = rows[0] if rows else (None,) * 4
        self.mean_ms = mean(self.metric('response_mean', self.apps.get(self.pair[0])) or [math.nan]) / 1e6

    def metric(self, name, app=None):
        """A number for each replication."""
        return [row[0] for row in self.db.execute(
            'SELECT value FROM metric WHERE experiment = ? AND name = ? AND app IS ? AND class IS NULL '
            'AND value IS NOT NULL ORDER BY replication', (self.number, name, app))]

    def average(self, name, app=None):
        values = self.metric(name, app)
        return mean(values) if values else math.nan

    def fused_per_request(self):
        """Fused launches of the whole run over requests of it."""
        requests = self.average('completions', self.apps[self.pair[0]]) * self.run / self.window
        return self.average('fused_launches') / requests


def read(db):
    """{world: {variant: {pair: point}}}"""
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    for number, text in db.execute("SELECT id, config FROM experiment WHERE name = 'tacker-pair'"):
        config = json.loads(text)
        point = Point(db, number, config)
        if point.throughput and point.p99_ms is not None:
            found[world(config)][variant(config)][point.pair] = point
    return found


def gains(ours, theirs):
    """Percent more batch throughput, seed by seed."""
    return [100 * (a / b - 1) for a, b in zip(ours.throughput, theirs.throughput)]


def order(pair):
    return SERVICES.index(pair[0]), BATCHES.index(pair[1])


def print_summary(found):
    print('| world | policy | pairs | replications | batch over baymax, %: mean | from | to | pairs above | below |'
          ' violate | undecided | meet | p99 over SLA: median | within SLA, % |')
    print('| --- ' * 14 + '|')
    for name in sorted(found):
        for kind in sorted(found[name]):
            points = found[name][kind]
            plain = found[name].get('baymax', {})
            base = found[name].get(kind.replace('tacker nearest', 'baymax'), plain) if 'reorder' in kind else plain
            both = [gains(points[p], base[p]) for p in points if p in base] if kind != 'baymax' else []
            cells = [''] * 5
            if both:
                middle = [mean(g) for g in both]
                wide = [half_width(g) if len(g) > 1 else math.inf for g in both]
                cells = [f'{mean(middle):+.2f}', f'{min(middle):+.2f}', f'{max(middle):+.2f}',
                         str(sum(m - w > 0 for m, w in zip(middle, wide))),
                         str(sum(m + w < 0 for m, w in zip(middle, wide)))]
            values = list(points.values())
            p99 = sorted(p.p99_ms / p.sla_ms for p in values)
            count = [sum(p.verdict == v for p in values) for v in ('violates', 'undecided', 'meets')]
            print(f"| {name or 'main'} | {kind} | {len(values)} | {len(values[0].throughput)} | {' | '.join(cells)} |"
                  f" {' | '.join(map(str, count))} | {p99[len(p99) // 2]:.2f} |"
                  f" {100 * mean([p.met for p in values]):.2f} |")
    print()


def print_pairs(main, limits):
    base = main.get('baymax', {})
    print('| service + batch | batch over baymax, %: exact | nearest | bound | fused per request: exact | nearest |'
          ' saved by each, % | p99, ms: baymax | tacker | mean, ms: baymax | tacker | tensor cores active, %: baymax |'
          ' tacker | others: baymax | tacker | both: baymax | tacker |')
    print('| --- ' * 17 + '|')
    for pair in sorted(base, key=order):
        exact, nearest = (main.get('tacker ' + m, {}).get(pair) for m in ('exact', 'nearest'))
        if nearest is None:
            continue
        cells = [f'{pair[0]} + {pair[1]}']
        for point in (exact, nearest):
            g = gains(point, base[pair]) if point is not None else []
            cells.append(f'{mean(g):+.2f} ± {half_width(g):.2f}' if len(g) > 1 else '')
        cells.append(limit_text(limits, base[pair]))
        cells += [f'{p.fused_per_request():.1f}' if p is not None else '' for p in (exact, nearest)]
        saved = nearest.metric('fused_saved')
        cells.append(f'{100 * mean(saved):.1f}' if saved else '')
        cells += [f'{p.p99_ms:.1f}' for p in (base[pair], nearest)] + [f'{p.mean_ms:.1f}' for p in (base[pair], nearest)]
        for name in ('tensor_active', 'cuda_active', 'both_active'):
            cells += [f'{100 * p.average(name):.1f}' for p in (base[pair], nearest)]
        print('| ' + ' | '.join(cells) + ' |')
    print()


def read_limits(path):
    """{(service, batch application): ns of batch work that a request could hide at best}: each of its
    convolutions takes the largest gain that was measured of the nearest tensor kernel with that application,
    at whatever load ratio."""
    db = open_database(path)
    best = collections.defaultdict(float)
    for tensor, cuda, gain in db.execute('SELECT tensor, cuda, max((tensor_ns + cuda_ns - median_ns) * 1.0 / tensor_ns) '
                                         'FROM fused WHERE tensor_blocks > 0 GROUP BY tensor, cuda'):
        best[tensor, cuda] = max(0, gain)
    shared = dict(db.execute('SELECT tensor, shared_bytes FROM fused WHERE tensor_blocks = 0'))
    sizes = {t: tuple(map(int, MEASURED.match(t).groups())) for t in shared if MEASURED.match(t)}
    limits = collections.defaultdict(float)
    for service in SERVICES:
        for name, block, ns, count in db.execute(
                'SELECT r.kernel, h.shared_bytes, t.median_ns, count(*) FROM request_kernel r JOIN subject s '
                'ON s.application = r.application AND r.size = s.size_default JOIN kernel_shape h ON '
                'h.application = r.application AND h.size = r.size AND h.kernel = r.kernel JOIN kernel_solo t ON '
                "t.application = r.application AND t.size = r.size AND t.kernel = r.kernel AND t.mechanism = 'whole' "
                "WHERE r.application = ? AND h.cores = 'tensor' AND h.launches = 1 GROUP BY r.kernel", (service,)):
            match = CONVOLUTION.match(name)
            like = [t for t in sizes if shared[t] == block]
            if match is None or not like:
                continue
            high, wide, channels, n = map(int, match.groups())
            near = min(sorted(like), key=lambda t: math.log(n / sizes[t][0]) ** 2 +
                       math.log(high * wide * channels / sizes[t][1]) ** 2)
            for batch in BATCHES:
                limits[service, batch] += count * ns * best[near, batch]
    return limits


def limit_text(limits, base):
    if limits is None:
        return ''
    return f'{100 * base.rate_per_s * limits[base.pair] / 1e9 / mean(base.throughput):.1f}'


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('database', nargs='?', default='tacker.db', help='results of the study; tacker.db')
    parser.add_argument('profile', nargs='?', help='as a database, for the bound')
    return parser.parse_args()


def main():
    given = arguments()
    path = given.database
    try:
        found = read(open_database(path))
        limits = read_limits(given.profile) if given.profile is not None else None
    except sqlite3.DatabaseError as error:
        raise SystemExit(f'{path}: is no database of results, or the profile is none ({error})') from None
    print_summary(found)
    if {'baymax', 'tacker nearest'} <= set(found['']):
        print_pairs(found[''], limits)


if __name__ == '__main__':
    main()
