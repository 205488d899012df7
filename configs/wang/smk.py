#!/usr/bin/env python3
"""The runs behind docs/validation/smk.md: kernels inside SMs under SMK, Spart and quotas, and their tables as Markdown.

    configs/wang/smk.py smk|quota|trios|epochs|saving [--profile NAME] [--dcsim PROGRAM] [--output FILE.db]

smk: all pairs of kernels, and all trios and quartets, under the variants of SMK and under Spart. quota: ordered pairs of kernels, the
first with a goal of 50 to 95 % of its speed alone. trios: one or two of three with a goal. --every N takes every Nth pair or trio. epochs: a part of
quota with other epochs. saving: pairs of
kernels of 20 us, of which one comes and goes, with contexts that cost nothing, are saved, or drain.

A kernel is launched again when it has ended, as in the thesis; it takes 0.2 ms alone. Each run covers 10 ms after 2, the thesis 1.6. System throughput is the sum of progresses, fairness the smallest over the largest (metrics aggregated_performance and 1 -
unfairness). A goal is reached if progress is at least 0.999 of it. Needs Python 3 alone.
"""
import argparse
import itertools
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile

STREAMING = ('fft', 'frontier', 'histo', 'lbm', 'sad', 'spmv', 'stencil')  # those of section 2.5.1, fft and frontier
SMK = {'SMK': {'name': 'smk', 'partition': False, 'warp_quotas': 'none'}, 'SMK-P': {'name': 'smk', 'warp_quotas': 'none'},
       'SMK-(P+W)': {'name': 'smk', 'kernels_per_sm': 2, 'warp_quotas': 'linear', 'quotas_of': 'sm'},
       'measured W': {'name': 'smk', 'warp_quotas': 'measured', 'quotas_of': 'sm'}, 'Spart': {'name': 'spart'}}
QUOTA = {s: {'name': 'qos-quota', 'scheme': s, 'rate_until': 'epoch', 'quotas_of': 'sm'} for s in ('naive', 'history', 'elastic', 'rollover', 'rollover_time')}
QUOTA |= {f'{s}, quota': {'name': 'qos-quota', 'scheme': s, 'rate_until': 'quota', 'quotas_of': 'sm'} for s in ('naive', 'rollover')}
QUOTA['spart-qos'] = {'name': 'spart-qos'}
GOALS = [g / 100 for g in range(50, 100, 5)]
REACHED = 0.999


def kind(kernels):
    """'C+M': how many of the kernels compute, how many stream."""
    return '+'.join(sorted('M' if k in STREAMING else 'C' for k in kernels))


class Study:
    def __init__(self, args):
        self.args = args
        with tempfile.TemporaryDirectory() as folder:
            path = args.profile
            if not path.endswith('.db'):
                path = f'{folder}/profile.db'
                self.dcsim('profile', 'build', args.profile, path)
            self.kernels = [row[0] for row in sqlite3.connect(path).execute('SELECT kernel FROM resident_kernel ORDER BY 1')]
        if len(self.kernels) < 4:
            sys.exit(f'smk.py: profile {args.profile} has fewer than four kernels inside SMs')

    def dcsim(self, *arguments, text=None):
        done = subprocess.run([self.args.dcsim, *arguments], input=text, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.returncode)

    def run(self, name, groups, policies, goals=(0,), qos=0, sharing=None, alone_ms=0.2, think_ms=0):
        """{(kernels, policy, goal): [progress of each kernel]}; the first `qos` of a group have the goal."""
        n = len(groups[0])
        axes = [{'zip': [{'key': f'resident[{i}].kernel', 'values': [g[i] for g in groups]} for i in range(n)]},
                {'key': 'policy', 'values': list(policies.values())}]
        if qos > 0:
            each = [{'key': f'resident[{i}].goal', 'values': list(goals)} for i in range(qos)]
            axes.append({'zip': each} if qos > 1 else each[0])
        config = {'name': name, 'profile': self.args.profile, 'sharing': {'model': 'sm', **(sharing or {})},
                  'resident': [{'name': f'k{i}', 'alone_ms': alone_ms} for i in range(n)], 'policy': list(policies.values())[0],
                  'workload': {'batch': [{'application': f'k{i}', 'think_ms': think_ms if i == 0 else 0} for i in range(n)]},
                  'fairness': {'metrics': True}, 'horizon': {'duration_s': 0.012, 'warmup_s': 0.002}, 'seed': 1, 'sweep': {'axes': axes}}
        with tempfile.TemporaryDirectory() as folder:
            path = self.args.output or f'{folder}/results.db'
            with open(f'{folder}/config.json', 'w', encoding='utf-8') as file:
                json.dump(config, file)
            self.dcsim('run', f'{folder}/config.json', '--output', path, '--quiet')
            return self.read(path, name, n, policies)

    @staticmethod
    def read(path, name, n, policies):
        found = {}
        db = sqlite3.connect(f'file:{path}?mode=ro', uri=True)
        for eid, text in db.execute('SELECT id, config FROM experiment WHERE name = ?', (name,)):
            config = json.loads(text)
            slow = dict(db.execute("SELECT app, value FROM metric WHERE experiment = ? AND name = 'slowdown'", (eid,)))
            own = config['policy']
            policy = next(k for k, p in policies.items() if all(own.get(key) == value for key, value in p.items()))
            group = tuple(r['kernel'] for r in config['resident'])
            found[group, policy, config['resident'][0].get('goal', 0)] = [
                1 / slow[i] if slow.get(i) else 0.0 for i in range(n)]
        return found


def row(*cells):
    print('| ' + ' | '.join(str(c) for c in cells) + ' |')


def print_smk(study):
    for n in (2, 3, 4):
        policies = dict(SMK)
        if n > 2:
            policies['SMK-(P+W)K'] = {'name': 'smk', 'kernels_per_sm': n, 'warp_quotas': 'linear', 'quotas_of': 'sm'}
            policies['W of device'] = SMK['SMK-(P+W)'] | {'quotas_of': 'device'}
        groups = list(itertools.combinations(study.kernels, n))
        found = study.run(f'wang-smk-{n}', groups, policies)
        print(f'\n{n} kernels: system throughput, fairness, mean turnaround over that alone\n')
        row('', 'groups', *policies)
        row(*['---'] * (len(policies) + 2))
        for k in sorted({kind(g) for g in groups}) + ['all']:
            chosen = [g for g in groups if k in ('all', kind(g))]
            cells = []
            for p in policies:
                runs = [found[g, p, 0] for g in chosen]
                starved = sum(min(r) <= 0 for r in runs)
                ends = [r for r in runs if min(r) > 0]
                cells.append(f'{statistics.mean(sum(r) for r in runs):.2f}, {statistics.mean(min(r) / max(r) for r in runs):.2f}, '
                             f'{statistics.mean(statistics.mean(1 / x for x in r) for r in ends):.2f}'
                             + (f' ({starved} starve)' if starved else ''))
            row(k, len(chosen), *cells)
        gains = sorted((sum(found[g, 'SMK-(P+W)', 0]) / sum(found[g, 'Spart', 0]) - 1, g) for g in groups)
        best = sorted((max(sum(found[g, p, 0]) for p in ('SMK', 'SMK-P', 'SMK-(P+W)', 'measured W')) / sum(found[g, 'Spart', 0]) - 1, g) for g in groups)
        row('over Spart', len(groups), *(f'{100 * statistics.mean(sum(found[g, p, 0]) / sum(found[g, "Spart", 0]) - 1 for g in groups):+.1f} %'
                                         for p in policies))
        print(f'\nSMK-(P+W) over Spart: {100 * statistics.mean(x for x, _ in gains):+.1f} % in the mean, '
              f'{100 * gains[-1][0]:+.1f} % with {" + ".join(gains[-1][1])}, {100 * gains[0][0]:+.1f} % with {" + ".join(gains[0][1])}; '
              f'the best variant of SMK: {100 * statistics.mean(x for x, _ in best):+.1f} %')


def print_goals(found, policies, qos):
    print(f'{len(found) // len(policies)} cases\n')
    row('', *policies)
    row(*['---'] * (len(policies) + 1))
    cases = {p: [(g, goal, r) for (g, q, goal), r in found.items() if q == p] for p in policies}
    met = {p: [c for c in cases[p] if all(x >= REACHED * c[1] for x in c[2][:qos])] for p in policies}
    share = lambda p, ok=lambda c: True: f'{100 * sum(map(ok, met[p])) / max(1, sum(map(ok, cases[p]))):.1f} %'
    row('goal reached', *(share(p) for p in policies))
    for k in sorted({kind(c[0]) for c in cases[next(iter(policies))]}):
        row(f'of {k}', *(share(p, lambda c, k=k: kind(c[0]) == k) for p in policies))
    for goal in sorted({c[1] for c in cases[next(iter(policies))]}):
        row(f'of goal {goal:.2f}', *(share(p, lambda c, goal=goal: c[1] == goal) for p in policies))
    row('missed by, mean', *(f'{100 * statistics.mean([1 - min(c[2][:qos]) / c[1] for c in cases[p] if c not in met[p]] or [0]):.1f} %'
                             for p in policies))
    row('above the goal by', *(f'{100 * statistics.mean([x / c[1] - 1 for c in met[p] for x in c[2][:qos]] or [0]):.1f} %' for p in policies))
    row('progress of the others', *(f'{statistics.mean([sum(c[2][qos:]) for c in met[p]] or [0]):.3f}' for p in policies))
    both = [(g, goal) for g, goal, _ in met[next(iter(policies))] if all((g, goal) in {c[:2] for c in met[p]} for p in policies)]
    row(f'the same, of the {len(both)} cases that all reach', *(
        f'{statistics.mean([sum(c[2][qos:]) for c in met[p] if c[:2] in both] or [0]):.3f}' for p in policies))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('part', choices=['smk', 'quota', 'trios', 'epochs', 'saving'])
    parser.add_argument('--profile', default='nvidia-h200-residency')
    parser.add_argument('--dcsim', default='dcsim')
    parser.add_argument('--every', type=int, default=1, metavar='N')
    parser.add_argument('--output', help='keep the results in this database')
    args = parser.parse_args()
    study = Study(args)
    pairs = list(itertools.permutations(study.kernels, 2))[::args.every]
    if args.part == 'smk':
        print_smk(study)
    elif args.part == 'saving':
        groups = list(itertools.combinations(study.kernels, 2))
        row('contexts', *SMK)
        row(*['---'] * (len(SMK) + 1))
        for name, sharing in (('at no cost', {'context_gbs': 0}), ('saved at 4600 GB/s', {}), ('drained', {'blocks_leave': 'drain'})):
            found = study.run(f'wang-{name[:5]}', groups, SMK, sharing=sharing, alone_ms=0.02, think_ms=0.02)
            row(name, *(f'{statistics.mean(sum(found[g, p, 0]) for g in groups):.3f}' for p in SMK))
    elif args.part == 'quota':
        print_goals(study.run('wang-quota', pairs, QUOTA, GOALS, 1), QUOTA, 1)
    elif args.part == 'trios':
        policies = {p: QUOTA[p] for p in ('naive', 'rollover', 'rollover, quota', 'spart-qos')}
        policies['rollover, device'] = QUOTA['rollover'] | {'quotas_of': 'device'}
        for qos, goals in ((1, GOALS), (2, [g / 100 for g in range(25, 75, 5)])):
            trios = [(*first, *rest) for first in itertools.combinations(study.kernels, qos)
                     for rest in itertools.combinations([k for k in study.kernels if k not in first], 3 - qos)][::args.every]
            print(f'\n{len(trios)} trios, {qos} with a goal\n')
            print_goals(study.run(f'wang-trios-{qos}', trios, policies, goals, qos), policies, qos)
    else:
        policies = {f'{p} {us:g} us': {**QUOTA[p], 'epoch_us': us} for us in (5.05, 20.2, 50.5) for p in ('naive', 'rollover', 'rollover, quota', 'spart-qos')}
        print_goals(study.run('wang-epochs', pairs, policies, GOALS[::3], 1), policies, 1)


if __name__ == '__main__':
    main()
