#!/usr/bin/env python3
"""Fits a law of kernels that share SMs to a profile's residency, and prints it and how far it is off.

    calibrate/fit/fit_residency.py [--judge | --keep | --three] PROFILE.db

THE LAW  A block of a kernel takes the time `latency` where it never waits, and in it uses each resource
j for `demand[j]`, in `visits[j]` turns. A turn waits w[j], whichever kernel's it is. Two resources are
those of an SM. The third is the way to the L2 cache, which all SMs share: its use is the mean over all
SMs, and a kernel's demand of it is the bytes that it moves there a ns alone (residency_l2; where there is
none, kernel_counters of its application), over the most that any kernel does. With n blocks of each kernel in an SM:

    rate of a kernel      x = n / (latency + sum over j of visits[j] * w[j])
    use of a resource     u[j] = sum over kernels of x * demand[j]
    who uses waits        u[j] = (w[j] / (1 + w[j])) ^ (1 / sharpness[j])

Rates are of an SM and normalised, as read_residency.py has them: 1 is the most that the kernel reaches
alone, with all SMs alike. They are the mean of the two orders of launching; a point of which one order is
left has the rates of that order. Beside others a kernel keeps, of what was measured of it alone with as
many blocks, the share that the law says.

Fitted by least squares (Levenberg-Marquardt) from one start to the points of all pairs, to each kernel
alone, to applications alone on fewer SMs (kernel_solo), and beside each other on partitions (corun, half
dev): the same profile gives the same law. Needs numpy (Debian: python3-numpy); some minutes.

  --judge   fits without every third pair by name, and prints how far these are from the fit, too
  --keep    writes law and rates into the profile, for sharing.model "sm" (tables resident_...)
  --three   fits nothing: how far the profile's law is from what was measured of three kernels (residency_three)
"""
import argparse
import itertools
import sqlite3
import sys

try:
    import numpy as np
except ImportError:
    sys.exit('fit_residency.py: needs numpy (Debian: python3-numpy)')

import read_residency

RESOURCES = 3
WIDE = 2     # the one that all SMs share
PULL = 0.01  # towards the start, as a residual: for what the data does not say


def refuse(text):
    print(f'fit_residency.py: {text}', file=sys.stderr)
    sys.exit(2)


class Law:
    """latency [K], demand and visits [K, J], sharpness [J], from the logarithms of all; wide [K]: demands of WIDE, NaN: as
    the logarithms say."""

    def __init__(self, logs, wide):
        values, j, kernels = np.exp(logs), RESOURCES, len(wide)
        self.latency, rest = values[:kernels], values[kernels:]
        self.demand = rest[:kernels * j].reshape(kernels, j)
        self.visits = rest[kernels * j:2 * kernels * j].reshape(kernels, j)
        self.sharpness = rest[2 * kernels * j:]
        self.demand[~np.isnan(wide), WIDE] = wide[~np.isnan(wide)]

    def together(self, held, share=1.0):
        """Of the kernels and blocks of `held`, (kernels, blocks) each, in this share of all SMs, the others empty: arrays."""
        count = len(held[0][1])
        part = np.ones((count, RESOURCES))
        part[:, WIDE] = share
        log_w = np.full((count, RESOURCES), -1.0)
        own = np.arange(RESOURCES)
        for _ in range(100):
            w = np.exp(log_w)
            times = [self.latency[k] + (self.visits[k] * w).sum(1) for k, _ in held]
            x = [n / time for (_, n), time in zip(held, times)]
            use = part * sum(x_k[:, None] * self.demand[k] for x_k, (k, _) in zip(x, held))
            miss = np.log(use) - np.log(w / (1 + w)) / self.sharpness
            slope = -sum(part[:, :, None] * (x_k / time)[:, None, None] * self.demand[k][:, :, None] * self.visits[k][:, None, :]
                         for x_k, time, (k, _) in zip(x, times, held)) / use[:, :, None] * w[:, None, :]
            slope[:, own, own] -= 1 / (1 + w) / self.sharpness
            step = np.clip(-np.linalg.solve(slope, miss[:, :, None])[:, :, 0], -2, 2)
            log_w = np.clip(log_w + step, -20, 14)
            if np.abs(step).max(initial=0) < 1e-9:
                break
        w = np.exp(log_w)
        return [n / (self.latency[k] + (self.visits[k] * w).sum(1)) for k, n in held]

    def rates(self, first, n, second, m, share=1.0):
        """Of n blocks of the kernels `first` beside m of `second`: arrays."""
        return self.together(((first, n), (second, m)), share)

    def side_by_side(self, first, n, share, second, m, other_share):
        """Of n blocks of the kernels `first` in this share of the SMs, and m of `second` in that: arrays."""
        log_w = np.full((len(n), 2 * WIDE + 1), -1.0)
        sides = [(first, n, share, [0, 1, 4]), (second, m, other_share, [2, 3, 4])]
        own = np.arange(2 * WIDE + 1)
        sharpness = np.concatenate([self.sharpness[:WIDE], self.sharpness])
        for _ in range(100):
            w = np.exp(log_w)
            use, slope = np.zeros_like(w), np.zeros((len(n), len(own), len(own)))
            for k, blocks, part, at in sides:
                time = self.latency[k] + (self.visits[k] * w[:, at]).sum(1)
                x = blocks / time
                for j in range(RESOURCES):
                    share_of = part if j == WIDE else 1.0
                    use[:, at[j]] += share_of * x * self.demand[k, j]
                    for i in range(RESOURCES):
                        slope[:, at[j], at[i]] -= share_of * x / time * self.demand[k, j] * self.visits[k, i] * w[:, at[i]]
            miss = np.log(use) - np.log(w / (1 + w)) / sharpness
            slope /= use[:, :, None]
            slope[:, own, own] -= 1 / (1 + w) / sharpness
            step = np.clip(-np.linalg.solve(slope, miss[:, :, None])[:, :, 0], -2, 2)
            log_w = np.clip(log_w + step, -20, 14)
            if np.abs(step).max(initial=0) < 1e-9:
                break
        w = np.exp(log_w)
        return [blocks / (self.latency[k] + (self.visits[k] * w[:, at]).sum(1)) for k, blocks, _, at in sides]


class World:
    """What was measured: alone as rows (kernel, blocks, rate), pairs as (pair, kernel, blocks, kernel, blocks, rates),
    on fewer SMs as (kernel, blocks, share of the SMs, rate of an SM over that with all), on partitions as (kernel, blocks,
    share, kernel, blocks, share, both slow-downs)."""

    def __init__(self, path):
        times, beside, self.kernels = read_residency.read(path)
        if len(self.kernels) < 2 or not beside:
            refuse(f'{path} holds no pairs of kernels inside an SM: '
                   'dcsim-calibrate residency measures them')
        missing = [k for k in self.kernels if (k, 1) not in times]
        if missing:
            refuse(f'{path} lacks rows of one block alone of {", ".join(missing)}: '
                   'dcsim-calibrate residency measures them')
        best = {k: min(ns for (kernel, _), ns in times.items() if kernel == k) for k in self.kernels}
        self.best = best
        self.alone = np.array([(self.kernels.index(k), n, best[k] / ns) for (k, n), ns in sorted(times.items())])
        rate_alone = self.rate_alone = {(k, n): best[k] / ns for (k, n), ns in times.items()}
        rows, self.pairs = [], list(itertools.combinations(self.kernels, 2))
        for number, (k, o) in enumerate(self.pairs):
            for n, m in sorted({(key[1], key[3]) for key in beside if key[0] == k and key[2] == o}):
                orders = [[0.0 if beside[key] is None else best[key[0]] / beside[key]
                           for key in ((k, n, o, m, order), (o, m, k, n, 1 - order))]
                          for order in (0, 1)
                          if (k, n, o, m, order) in beside and (o, m, k, n, 1 - order) in beside]
                if orders and (k, n) in rate_alone and (o, m) in rate_alone:
                    rows.append((number, self.kernels.index(k), n, self.kernels.index(o), m,
                                 *np.mean(orders, axis=0), rate_alone[k, n], rate_alone[o, m]))
        if not rows:
            refuse(f'{path} has no whole point of a pair: rows of both kernels in one order of '
                   'launching, and of each alone with as many blocks; dcsim-calibrate residency measures them')
        table = np.array(rows)
        self.pair, self.first, self.second = (table[:, i].astype(int) for i in (0, 1, 3))
        self.n, self.m, self.rates, self.unslowed = table[:, 2], table[:, 4], table[:, 5:7], table[:, 7:9]
        self.read_alone(path)

    def fits(self, kernel):
        return self.alone[self.alone[:, 0] == kernel, 1].max()

    def read_alone(self, path):
        """Of each application the kernel that takes longest: on fewer SMs, what it moves, and on partitions."""
        with sqlite3.connect(path) as db:
            sms = (db.execute('SELECT sms FROM device').fetchone() or [0])[0]
            times = {}
            for application, kernel, n, ns in db.execute(
                    "SELECT application, kernel, sms, median_ns FROM kernel_solo WHERE mechanism <> 'mps' AND n > 0 "
                    'ORDER BY application, kernel, sms'):
                if application in self.kernels:
                    times.setdefault(application, {}).setdefault(kernel, {})[n] = ns
            longest = {a: max((k for k in kernels if sms in kernels[k]), key=lambda k: kernels[k][sms])
                       for a, kernels in sorted(times.items()) if any(sms in t for t in kernels.values())}
            moved = {application: bytes_ / ns for application, kernel, bytes_, ns in db.execute(
                'SELECT application, kernel, l2_bytes, duration_ns FROM kernel_counters WHERE duration_ns > 0 AND l2_bytes > 0 '
                "ORDER BY l2 = 'warm'") if longest.get(application) == kernel}
            if db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'residency_l2'").fetchone()[0]:
                most = {k: max(n for n in range(1, 33) if self.rate_alone.get((k, n)) == 1) for k in self.kernels}
                moved |= {kernel: rate for kernel, n, rate in db.execute('SELECT kernel, blocks, bytes_per_ns FROM residency_l2')
                          if most.get(kernel) == n}
            sides = {}
            for number, *side in db.execute(
                    'SELECT corun, application, kernel, sms, solo_median_ns, median_ns FROM corun_side JOIN corun ON corun = id '
                    "WHERE kind = 'pair' AND mechanism = 'green' AND half = 'dev' AND n > 0 ORDER BY corun, side"):
                sides.setdefault(number, []).append(side)
        index = self.kernels.index
        solo = [(index(a), self.fits(index(a)), n / sms, times[a][k][sms] / ns * sms / n)
                for a, k in longest.items() for n, ns in times[a][k].items() if n < sms]
        if not solo:
            refuse(f'{path} has no application of its kernels alone on fewer SMs: dcsim-calibrate solo measures them')
        if not moved:
            refuse(f'{path} does not say what any application of its kernels moves to L2: dcsim-calibrate counters measures it')
        self.solo = np.array(solo)
        self.wide = np.array([max(moved[k] / max(moved.values()), 1e-6) if k in moved else np.nan for k in self.kernels])
        self.parts = np.array([(*(v for a, _, n, _, _ in pair for v in (index(a), self.fits(index(a)), n / sms)),
                                *(beside / alone for *_, alone, beside in pair)) for pair in sides.values()
                               if len(pair) == 2 and all(longest.get(a) == k for a, k, *_ in pair)]).reshape(-1, 8)

    def predicted(self, law, which):
        """Normalised rates of the pairs' points `which`, of all kernels alone, and of those on fewer SMs; slow-downs on
        partitions."""
        none = np.zeros(which.sum())
        k, n, o, m = self.first[which], self.n[which], self.second[which], self.m[which]
        x, y = law.rates(k, n, o, m)
        kept = np.stack([x / law.rates(k, n, o, none)[0], y / law.rates(o, m, k, none)[0]], axis=1)
        who = self.alone[:, 0].astype(int)
        few, no_few = self.solo[:, 0].astype(int), np.zeros(len(self.solo))
        fewer = law.rates(few, self.solo[:, 1], few, no_few, self.solo[:, 2])[0]
        a, b = self.parts[:, 0].astype(int), self.parts[:, 3].astype(int)
        n, m, empty = self.parts[:, 1], self.parts[:, 4], np.zeros(len(self.parts))
        x, y = law.side_by_side(a, n, self.parts[:, 2], b, m, self.parts[:, 5])
        return (self.unslowed[which] * kept, law.rates(who, self.alone[:, 1], who, np.zeros(len(who)))[0],
                fewer / law.rates(few, self.solo[:, 1], few, no_few)[0],
                np.stack([law.rates(a, n, a, empty, self.parts[:, 2])[0] / x,
                          law.rates(b, m, b, empty, self.parts[:, 5])[0] / y], axis=1))


def fit(world, which):
    """The logarithms of the law's numbers, fitted to all kernels alone and to the points `which`."""
    kernels = len(world.kernels)
    single = np.array([1 / world.alone[(world.alone[:, 0] == k) & (world.alone[:, 1] == 1), 2][0]
                       for k in range(kernels)])
    demand = np.tile([0.6, 0.2, 0.1], (kernels, 1))
    demand[::2] = demand[::2][:, [1, 0, 2]]  # resources that differ, so that the fit can tell them apart
    start = np.log(np.concatenate([0.8 * single, demand.ravel(), demand.ravel() / 2, [2.0] * RESOURCES]))

    def residual(logs):
        points, alone, fewer, slowed = world.predicted(Law(logs, world.wide), which)
        return np.concatenate([(points - world.rates[which]).ravel(), alone - world.alone[:, 2],
                               np.log(fewer / world.solo[:, 3]), np.log(slowed / world.parts[:, 6:]).ravel(),
                               PULL * (logs - start)])

    logs, damping = start.copy(), 1e-2
    now = residual(logs)
    for _ in range(200):
        slopes = np.empty((len(now), len(logs)))
        for i in range(len(logs)):
            moved = logs.copy()
            moved[i] += 1e-5
            slopes[:, i] = (residual(moved) - now) / 1e-5
        normal, pull, before = slopes.T @ slopes, slopes.T @ now, now @ now
        for _ in range(12):
            step = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-6), pull)
            after = residual(logs + np.clip(step, -1, 1))
            if after @ after < before:
                break
            damping *= 4
        else:
            return logs
        logs, now, damping = logs + np.clip(step, -1, 1), after, max(damping / 4, 1e-7)
        if before - now @ now < 1e-6 * before:
            return logs
    return logs


def tell(world, logs, name, which):
    points = world.predicted(Law(logs, world.wide), which)[0]
    off, trivial = np.abs(points - world.rates[which]), np.abs(world.unslowed[which] - world.rates[which])
    print(f'{name}: {which.sum()} points of {len(set(world.pair[which]))} pairs, '
          f'{off.mean():.4f} off in the mean, {np.quantile(off, 0.95):.3f} at p95 '
          f'(if nothing were slowed: {trivial.mean():.4f}, {np.quantile(trivial, 0.95):.3f})')
    return off


def tell_others(world, logs):
    _, _, fewer, slowed = world.predicted(Law(logs, world.wide), world.pair == 0)
    print(f'fitted: {len(fewer)} rates on fewer SMs, {100 * np.abs(fewer / world.solo[:, 3] - 1).mean():.1f} % off in the mean')
    if len(slowed):
        measured = world.parts[:, 6:]
        print(f'fitted: {slowed.size} slow-downs on partitions, {100 * np.abs(slowed / measured - 1).mean():.1f} % off in the mean '
              f'(if nothing were slowed: {100 * np.abs(1 / measured - 1).mean():.1f} %)')


def tell_law(world, logs):
    law = Law(logs, world.wide)
    print('\n| kernel | latency | demand | visits |\n| --- | --- | --- | --- |')
    for k, kernel in enumerate(world.kernels):
        numbers = [', '.join(f'{x:.2f}' for x in row[k]) for row in (law.demand, law.visits)]
        print(f'| {kernel} | {law.latency[k]:.2f} | {numbers[0]} | {numbers[1]} |')
    print('\nsharpness ' + ', '.join(f'{x:.2f}' for x in law.sharpness) + '; the last resource is the device\'s')


def keep(world, logs, path):
    law, kernels = Law(logs, world.wide), world.kernels
    source = 'fit_residency.py: residency, kernel_solo on fewer SMs, kernel_counters, corun on partitions'
    rates = [(kernels[int(k)], int(n), 'none', 0, float(rate)) for k, n, rate in world.alone]
    for k, n, o, m, (x, y) in zip(world.first, world.n, world.second, world.m, world.rates):
        rates += [(kernels[k], int(n), kernels[o], int(m), float(x)), (kernels[o], int(m), kernels[k], int(n), float(y))]
    with sqlite3.connect(path) as db:
        block = {row[0]: row[1:] for row in db.execute(
            "SELECT kernel, threads, registers, shared_bytes, max(blocks) FROM residency WHERE beside = 'none' GROUP BY kernel")}
        for table in ('resident_kernel', 'resident_use', 'resident_resource', 'resident_rate'):
            db.execute(f'DELETE FROM {table}')
        db.executemany('INSERT INTO resident_resource VALUES (?, ?, ?, ?)',
                       [(j, float(law.sharpness[j]), int(j == WIDE), source) for j in range(RESOURCES)])
        db.executemany('INSERT INTO resident_kernel VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
                       [(name, *block[name], world.best[name] / 1000, float(law.latency[k]), source)
                        for k, name in enumerate(kernels)])
        db.executemany('INSERT INTO resident_use VALUES (?, ?, ?, ?)',
                       [(name, j, float(law.demand[k, j]), float(law.visits[k, j]))
                        for k, name in enumerate(kernels) for j in range(RESOURCES)])
        db.executemany('INSERT INTO resident_rate VALUES (?, ?, ?, ?, ?)', sorted(rates))


def kept_law(db, kernels, path):
    """The law in a profile."""
    law = Law.__new__(Law)
    latency = dict(db.execute('SELECT kernel, latency FROM resident_kernel'))
    use = {(kernel, j): row for kernel, j, *row in db.execute('SELECT kernel, resource, demand, visits FROM resident_use')}
    resources = db.execute('SELECT sharpness, device_wide FROM resident_resource ORDER BY resource').fetchall()
    if [wide for _, wide in resources] != [j == WIDE for j in range(RESOURCES)] or len(use) < len(latency) * RESOURCES or \
            not set(kernels) <= set(latency):
        refuse(f'{path} has no law of this form of all its kernels: --keep writes it')
    law.latency = np.array([latency[k] for k in kernels])
    law.demand, law.visits = np.array([[use[k, j] for j in range(RESOURCES)] for k in kernels]).transpose(2, 0, 1)
    law.sharpness = np.array([sharpness for sharpness, _ in resources])
    return law


def judge_three(path):
    """Prints how far the kept law is off for three kernels in each SM, which no fit sees."""
    with sqlite3.connect(path) as db:
        alone, _, kernels = read_residency.read(path)
        best = {k: min(ns for (kernel, _), ns in alone.items() if kernel == k) for k in kernels}
        points = {}
        rows = []
        if db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'residency_three'").fetchone()[0]:
            rows = db.execute('SELECT kernel, blocks, second, second_blocks, third, third_blocks, failed, median_ns '
                              'FROM residency_three ORDER BY kernel, second, third, launched')
        for *held, failed, ns in rows:
            if failed in ('no', 'starved') and all(at in alone for at in zip(held[::2], held[1::2])):
                points.setdefault(tuple(held), []).append(0.0 if failed == 'starved' else best[held[0]] / ns)
        if not points:
            refuse(f'{path} holds no three kernels inside an SM that were measured alone, too: dcsim-calibrate residency measures them')
        law = kept_law(db, kernels, path)
    held = [(np.array([kernels.index(point[2 * i]) for point in points]), np.array([float(point[2 * i + 1]) for point in points]))
            for i in range(3)]
    nobody = (held[1][0], np.zeros(len(points)))
    measured = np.array([np.mean(rates) for rates in points.values()])
    unslowed = np.array([best[point[0]] / alone[point[:2]] for point in points])
    predicted = unslowed * law.together(held)[0] / law.together((held[0], nobody))[0]
    off, trivial = np.abs(predicted - measured), np.abs(unslowed - measured)
    trios = {}
    for point, error, other in zip(points, off, trivial):
        trios.setdefault(tuple(sorted(point[::2])), []).append((error, other))
    print(f'three: {len(points)} sides of {len(trios)} threes, {off.mean():.4f} off in the mean, {np.quantile(off, 0.95):.3f} at p95, '
          f'{(predicted - measured).mean():+.4f} with its sign (if nothing were slowed: {trivial.mean():.4f}, {np.quantile(trivial, 0.95):.3f})')
    for trio, errors in sorted(trios.items(), key=lambda item: -np.mean([e for e, _ in item[1]]))[:10]:
        print(f'  {" + ".join(trio)}: {np.mean([e for e, _ in errors]):.3f}')


def main():
    parser = argparse.ArgumentParser(description='Fits the law of kernels that share SMs.')
    parser.add_argument('--judge', action='store_true', help='hold out every third pair')
    parser.add_argument('--keep', action='store_true', help='write law and rates into the profile')
    parser.add_argument('--three', action='store_true', help='judge the law in the profile by three kernels')
    parser.add_argument('profile', help='SQLite database of dcsim-calibrate or dcsim profile build')
    args = parser.parse_args()
    if args.judge and args.keep:
        refuse('--judge leaves pairs out: --keep goes without it')
    if args.three and (args.judge or args.keep):
        refuse('--three fits nothing: --judge and --keep go without it')
    try:
        if args.three:
            judge_three(args.profile)
            return
        world = World(args.profile)
        held = (world.pair % 3 == 2) & args.judge
        if args.judge and (held.all() or not held.any()):
            refuse(f'{args.profile}: --judge needs points of pairs to hold out, every third, and of others')
        logs = fit(world, ~held)
        tell(world, logs, 'fitted', ~held)
        tell_others(world, logs)
        if args.judge:
            off = tell(world, logs, 'held out', held)
            for number in sorted(set(world.pair[held])):
                print(f'  {" + ".join(world.pairs[number])}: {off[world.pair[held] == number].mean():.3f}')
        tell_law(world, logs)
        if args.keep:
            keep(world, logs, args.profile)
    except sqlite3.Error as error:
        refuse(f'{args.profile}: {error}')


if __name__ == '__main__':
    main()
