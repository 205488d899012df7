#!/usr/bin/env python3
"""Fits a law of kernels that share an SM to a profile's residency, and prints it and how far it is off.

    calibrate/fit/fit_residency.py [--judge] PROFILE.db

THE LAW  An SM has two resources. A block of a kernel takes the time `latency` where it never waits, and
in it uses each resource j for `demand[j]`, in `visits[j]` turns. A turn waits w[j], whichever kernel's
it is. With n blocks of each kernel in the SM:

    rate of a kernel      x = n / (latency + sum over j of visits[j] * w[j])
    use of a resource     u[j] = sum over kernels of x * demand[j]
    who uses waits        u[j] = (w[j] / (1 + w[j])) ^ (1 / sharpness[j])

Rates are normalised, as read_residency.py has them: 1 is the most that the kernel reaches alone. They
are the mean of the two orders of launching; a point of which one order is left has the rates of that
order. Beside others a kernel keeps, of what was measured of it alone with as many blocks, the share that
the law says.

Fitted by least squares (Levenberg-Marquardt) from one start: the same profile gives the same law.
Only reads the profile. Needs numpy (Debian: python3-numpy); half a minute.

  --judge   fits without every third pair by name, and prints how far these are from the fit, too
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

RESOURCES = 2
PULL = 0.01  # towards the start, as a residual: for what the data does not say


def refuse(text):
    print(f'fit_residency.py: {text}', file=sys.stderr)
    sys.exit(2)


class Law:
    """latency [K], demand and visits [K, J], sharpness [J], from the logarithms of all."""

    def __init__(self, logs, kernels):
        values, j = np.exp(logs), RESOURCES
        self.latency, rest = values[:kernels], values[kernels:]
        self.demand = rest[:kernels * j].reshape(kernels, j)
        self.visits = rest[kernels * j:2 * kernels * j].reshape(kernels, j)
        self.sharpness = rest[2 * kernels * j:]

    def rates(self, first, n, second, m):
        """Of n blocks of the kernels `first` beside m of `second`: arrays of one length."""
        demand = self.demand[first], self.demand[second]
        visits = self.visits[first], self.visits[second]
        log_w = np.full((len(n), RESOURCES), -1.0)
        own = np.arange(RESOURCES)
        for _ in range(100):
            w = np.exp(log_w)
            times = (self.latency[first] + (visits[0] * w).sum(1),
                     self.latency[second] + (visits[1] * w).sum(1))
            x = n / times[0], m / times[1]
            use = x[0][:, None] * demand[0] + x[1][:, None] * demand[1]
            miss = np.log(use) - np.log(w / (1 + w)) / self.sharpness
            slope = -sum((x[k] / times[k])[:, None, None] * demand[k][:, :, None] * visits[k][:, None, :]
                         for k in (0, 1)) / use[:, :, None] * w[:, None, :]
            slope[:, own, own] -= 1 / (1 + w) / self.sharpness
            step = np.clip(-np.linalg.solve(slope, miss[:, :, None])[:, :, 0], -2, 2)
            log_w = np.clip(log_w + step, -20, 14)
            if np.abs(step).max() < 1e-9:
                break
        w = np.exp(log_w)
        return (n / (self.latency[first] + (visits[0] * w).sum(1)),
                m / (self.latency[second] + (visits[1] * w).sum(1)))


class World:
    """What was measured: alone as rows (kernel, blocks, rate), pairs as (pair, kernel, blocks, kernel, blocks, rates)."""

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
        self.alone = np.array([(self.kernels.index(k), n, best[k] / ns) for (k, n), ns in sorted(times.items())])
        rate_alone = {(k, n): best[k] / ns for (k, n), ns in times.items()}
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

    def predicted(self, law, which):
        """Normalised rates of the pairs' points `which`, and of all kernels alone."""
        none = np.zeros(which.sum())
        k, n, o, m = self.first[which], self.n[which], self.second[which], self.m[which]
        x, y = law.rates(k, n, o, m)
        kept = np.stack([x / law.rates(k, n, o, none)[0], y / law.rates(o, m, k, none)[0]], axis=1)
        who = self.alone[:, 0].astype(int)
        return self.unslowed[which] * kept, law.rates(who, self.alone[:, 1], who, np.zeros(len(who)))[0]


def fit(world, which):
    """The logarithms of the law's numbers, fitted to all kernels alone and to the points `which`."""
    kernels = len(world.kernels)
    single = np.array([1 / world.alone[(world.alone[:, 0] == k) & (world.alone[:, 1] == 1), 2][0]
                       for k in range(kernels)])
    demand = np.tile([0.6, 0.2], (kernels, 1))
    demand[::2] = demand[::2, ::-1]  # resources that differ, so that the fit can tell them apart
    start = np.log(np.concatenate([0.8 * single, demand.ravel(), demand.ravel() / 2, [2.0] * RESOURCES]))

    def residual(logs):
        points, alone = world.predicted(Law(logs, kernels), which)
        return np.concatenate([(points - world.rates[which]).ravel(), alone - world.alone[:, 2],
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
    points, _ = world.predicted(Law(logs, len(world.kernels)), which)
    off, trivial = np.abs(points - world.rates[which]), np.abs(world.unslowed[which] - world.rates[which])
    print(f'{name}: {which.sum()} points of {len(set(world.pair[which]))} pairs, '
          f'{off.mean():.4f} off in the mean, {np.quantile(off, 0.95):.3f} at p95 '
          f'(if nothing were slowed: {trivial.mean():.4f}, {np.quantile(trivial, 0.95):.3f})')
    return off


def tell_law(world, logs):
    law = Law(logs, len(world.kernels))
    print('\n| kernel | latency | demand | visits |\n| --- | --- | --- | --- |')
    for k, kernel in enumerate(world.kernels):
        print(f'| {kernel} | {law.latency[k]:.2f} | {law.demand[k, 0]:.2f}, {law.demand[k, 1]:.2f} | '
              f'{law.visits[k, 0]:.2f}, {law.visits[k, 1]:.2f} |')
    print(f'\nsharpness {law.sharpness[0]:.2f}, {law.sharpness[1]:.2f}')


def main():
    parser = argparse.ArgumentParser(description='Fits the law of kernels that share an SM.')
    parser.add_argument('--judge', action='store_true', help='hold out every third pair')
    parser.add_argument('profile', help='SQLite database of dcsim-calibrate or dcsim profile build')
    args = parser.parse_args()
    try:
        world = World(args.profile)
        held = (world.pair % 3 == 2) & args.judge
        if args.judge and (held.all() or not held.any()):
            refuse(f'{args.profile}: --judge needs points of pairs to hold out, every third, and of others')
        logs = fit(world, ~held)
        tell(world, logs, 'fitted', ~held)
        if args.judge:
            off = tell(world, logs, 'held out', held)
            for number in sorted(set(world.pair[held])):
                print(f'  {" + ".join(world.pairs[number])}: {off[world.pair[held] == number].mean():.3f}')
        tell_law(world, logs)
    except sqlite3.Error as error:
        refuse(f'{args.profile}: {error}')


if __name__ == '__main__':
    main()
