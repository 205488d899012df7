#!/usr/bin/env python3
"""Tables of the study of kernel fusion (configs/tacker/study.sh), as Markdown. Its pictures: plots/make.

  plots/tacker.py [DATABASE [PROFILE.db]]          default: tacker.db, none

For each setting: how many pairs of a service and a batch application violate the SLA, and how much more batch work tacker
does than baymax in the same world (seed by seed; in %, relative), of all pairs and pair by pair; how much was fused, and how
long both types of cores were active. With a profile also the bound of the paper's section VIII-C: what would be gained if
every kernel that can be fused met the batch kernel that suits it best.
"""
import argparse
import collections
import math
import re
import sqlite3

import study
from study import mean, pairs, table
from trem import half_width, open_database

SERVICES = ['resnet50', 'resnext', 'vgg16', 'vgg19', 'inception', 'densenet']
BATCHES = ['mriq', 'fft', 'mrif', 'cutcp', 'cp', 'sgemm', 'lbm', 'tpacf', 'resnet50-train', 'vgg16-train',
           'inception-train', 'densenet-train']
CONVOLUTION = re.compile(r'conv(\d+)x(\d+)s\d+p\d+_n\d+_\d+x\d+_c(\d+)_k(\d+)$')
MEASURED = re.compile(r'conv-(\d+)x(\d+)$')


def variant(config):
    """A policy and its rules as far as they differ from the main setting."""
    policy, scheduler = config['policy'], config['scheduler']
    name = policy['name']
    if name == 'tacker':
        name += ', ' + config['fusion']['match']
        if config['fusion'].get('decide') == 'launch':
            name += ', decided at launch'
        if policy['fuse'] != 'last':
            name += ', fuse ' + policy['fuse']
        if scheduler['fusion_round_us'] > 0:
            name += f", decisions cost {scheduler['fusion_cost_scale']:g}"
    if policy['reorder'] != 'one':
        name += ', reorder ' + policy['reorder']
    return name


def base_of(name):
    """The policy that a variant of tacker is compared with: baymax under the same rule of reordering."""
    reorder = re.search(r', reorder \w+$', name)
    return 'baymax' + (reorder.group() if reorder else '')


def gains(ours, theirs):
    """Percent more batch throughput, seed by seed."""
    return [100 * (a / b - 1) for a, b in zip(ours.throughput, theirs.throughput) if b > 0]


def order(pair):
    return SERVICES.index(pair[0]), BATCHES.index(pair[1])


def print_gains(points):
    table('setting', 'policy', 'pairs', 'batch over baymax, %: mean', 'best', '', 'worst', '', 'pairs above', 'below')
    for setting in sorted(points):
        for name, found in sorted(points[setting].items()):
            base = pairs(points[setting].get(base_of(name), {}))
            gained = {pair: g for pair, p in pairs(found).items() if pair in base and (g := gains(p, base[pair]))}
            if not name.startswith('tacker') or not gained:
                continue
            middle = {pair: mean(g) for pair, g in gained.items()}
            wide = {pair: half_width(g) if len(g) > 1 else math.inf for pair, g in gained.items()}
            best, worst = max(middle, key=middle.get), min(middle, key=middle.get)
            print(f"| {setting} | {name} | {len(middle)} | {mean(list(middle.values())):+.2f} | {middle[best]:+.2f} |"
                  f" {' + '.join(best)} | {middle[worst]:+.2f} | {' + '.join(worst)} |"
                  f" {sum(middle[p] - wide[p] > 0 for p in middle)} | {sum(middle[p] + wide[p] < 0 for p in middle)} |")
    print()


def print_by_batch(points):
    """Mean over the services of the gain, by batch application."""
    for setting in sorted(points):
        base = pairs(points[setting].get('baymax', {}))
        for name in ('tacker, nearest', 'tacker, exact'):
            found = pairs(points[setting].get(name, {}))
            names = [b for b in BATCHES if any(pair[1] == b and pair in base for pair in found)]
            if len(names) < len(BATCHES):
                continue
            print(f'{setting}: {name}\n')
            table('gain, %', *names)
            print('| mean of the services | ' + ' | '.join(
                f'{mean([mean(gains(p, base[pair])) for pair, p in found.items() if pair[1] == b]):+.2f}'
                for b in names) + ' |\n')


def print_pairs(setting, policies, limits):
    base = pairs(policies.get('baymax', {}))
    ours = pairs(policies.get('tacker, nearest', {}))
    exact = pairs(policies.get('tacker, exact', {}))
    if not base or not ours:
        return
    print(f'{setting}, pairs with a gain or a loss\n')
    table('pair', 'batch over baymax, %: exact', 'nearest', 'bound', 'fused per request', 'saved by each, %',
          'both types of cores active, %', 'p99 over SLA: baymax', 'tacker')
    for pair in sorted(set(ours) & set(base), key=order):
        point = ours[pair]
        requests = mean(point.metric('requests', point.app['latency']))
        fused = mean(point.metric('fused_launches') or [0]) / requests
        if fused == 0:
            continue
        cells = [f'{mean(g):+.2f} ± {half_width(g):.2f}' if len(g) > 1 else '' for g in
                 (gains(p, base[pair]) if p is not None else [] for p in (exact.get(pair), point))]
        saved = point.metric('fused_saved')
        print(f"| {' + '.join(pair)} | {cells[0]} | {cells[1]} | {limit_text(limits, base[pair])} | {fused:.1f} |"
              f" {100 * mean(saved):.1f} | {100 * mean(point.metric('both_active')):.1f} | {study.as_seen(base[pair].p99_over_sla, 3)} |"
              f' {study.as_seen(point.p99_over_sla, 3)} |')
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
    done = mean(base.metric('requests', base.app['latency']))
    horizon = base.config['horizon']
    rate_per_s = done / (horizon['duration_s'] - horizon['warmup_s'])
    return f'{100 * rate_per_s * limits[base.service, base.batch] / 1e9 / mean(base.throughput):.1f}'


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('database', nargs='?', default='tacker.db', help='results of the study; tacker.db')
    parser.add_argument('profile', nargs='?', help='as a database, for the bound')
    return parser.parse_args()


def main():
    given = arguments()
    path = given.database
    try:
        points = study.read(open_database(path), ['tacker-closed', 'tacker-paced', 'tacker-load'], variant)
        limits = read_limits(given.profile) if given.profile is not None else None
        study.print_policies(points, str)
        print_gains(points)
        print_by_batch(points)
        for setting in sorted(points):
            print_pairs(setting, points[setting], limits)
    except sqlite3.DatabaseError as error:
        raise SystemExit(f'{path}: is no database of results, or the profile is none ({error})') from None


if __name__ == '__main__':
    main()
