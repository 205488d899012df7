"""A made-up world of two kernels and eight producers whose contention is known (contention_fit.sh).

    contention_world.py plant DB   its co-runs in place of those of a profile
    contention_world.py trap DB    besides, what a fit must not read, absurd: the halves for judging
    contention_world.py judge DB   the fitted rows against pairs and triples of that world

Its own solver, by bisection, so that a fault of the fit's is not in both.
"""
import sqlite3
import sys

HINGES = ((0.0, 4.0, 16.0), (0.0, 4.0))
BUSY_MAX = 400 / 401
HALVINGS = 26
JOB, SERVICE = ('job', 100, 'work'), ('service', 4, 'layer')
SPLITS = ((32, 100), (64, 68), (96, 36))  # SMs of the kernel, of the producer
CEILINGS = (100.0, 200.0)  # of tests/data/profile-measured.sql

SOLO_NS = {32: 12800000, 64: 8000000, 96: 6400000}
# Shares of DRAM and L2 that counters would tell, on 64 SMs.
COUNTED = {JOB: (0.45, 0.30), SERVICE: (0.55, 0.10)}
# Weights of the hinges of DRAM, of L2.
WEIGHTS = {
    (JOB, 32): ((0.20, 0.06, 0.02), (0.25, 0.10)),
    (JOB, 64): ((0.15, 0.05, 0.02), (0.30, 0.10)),
    (JOB, 96): ((0.12, 0.03, 0.03), (0.30, 0.05)),
    (SERVICE, 32): ((0.30, 0.00, 0.05), (0.02, 0.00)),
    (SERVICE, 64): ((0.25, 0.04, 0.03), (0.05, 0.02)),
    (SERVICE, 96): ((0.18, 0.05, 0.02), (0.05, 0.00)),
}
# A kernel's traffic is the same on all SMs, and so in proportion to its speed.
KERNELS = {(kernel, sms): ([c * SOLO_NS[64] / SOLO_NS[sms] for c in COUNTED[kernel]], weights)
           for (kernel, sms), weights in WEIGHTS.items()}
# Counted traffic of the highest paced level on 100 SMs, as shares of the ceilings (fewer SMs have
# less); what a counted byte keeps busy; levels at which the unpaced one stands alone. Two kernels
# cannot tell all of eight producers: these are near to where the fit starts.
PRODUCERS = {
    'themis-bandwidth': ((0.50, 0.25), (1.3, 1.1), (1.3, 0.65)),
    'themis-cache': ((0.00, 0.25), (0.07, 1.9), (0.02, 0.42)),
    'dram-read': ((0.95, 0.48), (0.85, 1.15), (14, 0.55)),
    'dram-copy': ((0.90, 0.45), (1.0, 1.25), (15, 0.6)),
    'gather-32': ((0.30, 0.15), (2.7, 0.75), (14, 0.65)),
    'gather-64': ((0.60, 0.30), (1.4, 0.95), (15, 0.6)),
    'l2-read': ((0.00, 0.85), (0.1, 0.85), (0.02, 9)),
    'l2-capacity': ((0.00, 0.20), (0.06, 1.9), (0.02, 0.33)),
}
PRODUCER_WEIGHTS = ((0.022, 0.018, 0.02), (0.03, 0.025))
FINE = ('dram-copy', 'gather-64', 'l2-read', 'l2-capacity')
HELD_OUT = (
    ((JOB, 64), (SERVICE, 64)), ((JOB, 32), (SERVICE, 96)), ((JOB, 96), (SERVICE, 32)),
    ((JOB, 64), (JOB, 64)), ((SERVICE, 64), (SERVICE, 64)), ((SERVICE, 96), (SERVICE, 32)),
    ((JOB, 32), (SERVICE, 32), (JOB, 64)), ((JOB, 32), (SERVICE, 32), (SERVICE, 64)),
    ((SERVICE, 48), (JOB, 80)),
)


def level(busy):
    return busy / (1 - busy)


def grown(levels, weights):
    return sum(w * max(0.0, at - h) for at, hinges, of in zip(levels, HINGES, weights)
               for h, w in zip(hinges, of))


def solve(sides, paced=(0.0, 0.0)):
    """sides: (pressures, weights); paced: shares of the resources that do not give way."""
    base = [grown([level(p) for p in pressures], weights) for pressures, weights in sides]

    def excess(resource, levels):
        slow = [max(1.0, 1 + grown(levels, w) - b) for (_, w), b in zip(sides, base)]
        used = sum(p[resource] / s for (p, _), s in zip(sides, slow)) + paced[resource]
        return used - levels[resource] / (1 + levels[resource]), slow

    low, high = 0.0, BUSY_MAX
    for _ in range(HALVINGS):
        l2 = (low + high) / 2
        below, above = 0.0, BUSY_MAX
        for _ in range(HALVINGS):
            dram = (below + above) / 2
            more, _ = excess(0, (level(dram), level(l2)))
            below, above = (dram, above) if more > 0 else (below, dram)
        more, slow = excess(1, (level(dram), level(l2)))
        low, high = (l2, high) if more > 0 else (low, l2)
    return slow


def truth(kernel, sms):
    if (kernel, sms) in KERNELS:
        return KERNELS[kernel, sms]
    (p, w), (q, v) = KERNELS[kernel, sms - 16], KERNELS[kernel, sms + 16]  # in the middle
    return ([(a + b) / 2 for a, b in zip(p, q)],
            [[(a + b) / 2 for a, b in zip(c, d)] for c, d in zip(w, v)])


class Planter:
    def __init__(self, db):
        self.db = db
        self.count, = db.execute('SELECT coalesce(max(id), 0) FROM corun').fetchone()

    def corun(self, kind, half, gbs, sides):
        """sides: name, size, kernel, sms, slow-down"""
        self.count += 1
        self.db.execute('INSERT INTO corun VALUES(?, ?, ?, ?, 0, 1000000, ?, ?)',
                        (self.count, kind, 'green', half, *gbs))
        for i, (name, size, kernel, sms, slow) in enumerate(sides):
            solo = SOLO_NS.get(sms, 8000000)
            ns = round(solo * slow)
            self.db.execute(
                'INSERT INTO corun_side VALUES(?, ?, ?, ?, ?, ?, NULL, ?, ?, 9, 9, 0, '
                "?, ?, 1000.0, ?, ?, 'rse', 1400, 'warm')",
                (self.count, i, name, size, kernel, sms, solo, float(solo), ns, float(ns), ns, ns))

    def beside(self, kernel, sms, family, number, producer_sms):
        most, factor, (dram, l2) = PRODUCERS[family]
        part = (producer_sms / 100) ** 0.3
        traffic = [m * part for m in most]
        share = (0, 0)
        if number == 11:
            dram *= min(1, producer_sms / 68) ** 2  # too few to fill it
            own = [busy / (1 + busy) for busy in (dram, l2)]
            slow, meter = solve([KERNELS[kernel, sms], (own, PRODUCER_WEIGHTS)])
            self.corun('meter', None, (None, None),
                       [(*kernel, sms, slow), (family, 11, 'producer', producer_sms, meter)])
        else:
            traffic = [t * (number + 0.2) / 11 for t in traffic]
            share = [f * (t or traffic[1] * CEILINGS[1] / CEILINGS[0])
                     for f, t in zip(factor, traffic)]
            slow = solve([KERNELS[kernel, sms]], share)[0]
        gbs = [t * c for t, c in zip(traffic, CEILINGS)]
        self.corun('sensitivity', None, gbs,
                   [(*kernel, sms, slow), (family, number, 'producer', producer_sms, 1)])


def plant(db):
    for table in ('corun', 'corun_side'):
        db.execute(f'DELETE FROM {table}')
    db.execute('UPDATE device SET sms = 132')
    for kernel, shares in COUNTED.items():
        bytes_ = [share * ceiling * SOLO_NS[64] for share, ceiling in zip(shares, CEILINGS)]
        db.execute('UPDATE kernel_counters SET dram_read_bytes = ?, dram_write_bytes = 0, '
                   'l2_bytes = ? WHERE application = ? AND size = ? AND kernel = ?',
                   (*bytes_, *kernel))
    planter = Planter(db)
    for kernel in (JOB, SERVICE):
        for sms, producer_sms in SPLITS:
            for family in PRODUCERS:
                for number in range(12) if family in FINE else (2, 5, 8, 11):
                    planter.beside(kernel, sms, family, number, producer_sms)


def trap(db):
    planter = Planter(db)
    for kernel, other in ((JOB, SERVICE), (SERVICE, JOB)):
        for half in ('test', 'test2', 'test3'):
            planter.corun('pair', half, (None, None), [(*kernel, 64, 9), (*other, 64, 9)])
        for half in ('dev', 'test2'):
            planter.corun('sized-pair', half, (None, None), [(*kernel, 64, 9), (*other, 64, 9)])
        planter.corun('sensitivity', 'test', (50.0, 50.0),
                      [(*kernel, 64, 9), ('dram-copy', 5, 'producer', 68, 1)])
        planter.corun('meter', 'test', (None, None),
                      [(*kernel, 64, 9), ('dram-copy', 11, 'producer', 68, 9)])


def fitted(db, kernel, sms):
    """Linear between fitted SMs."""
    def of(count):
        pressures, weights = [0.0, 0.0], [[0.0] * len(h) for h in HINGES]
        where = (*kernel, count)
        for name, r in db.execute('SELECT name, position FROM contention_resource'):
            for p, in db.execute('SELECT pressure FROM contention_kernel WHERE application = ? AND '
                                 'size = ? AND kernel = ? AND sms = ? AND resource = ?',
                                 (*where, name)):
                pressures[r] = p
            for k, w in db.execute(
                    'SELECT position, weight FROM contention_weight WHERE application = ? AND '
                    'size = ? AND kernel = ? AND sms = ? AND resource = ?', (*where, name)):
                weights[r][k] = w
        return pressures, weights
    if (kernel, sms) in KERNELS:
        return of(sms)
    (p, w), (q, v) = of(sms - 16), of(sms + 16)
    return ([(a + b) / 2 for a, b in zip(p, q)],
            [[(a + b) / 2 for a, b in zip(c, d)] for c, d in zip(w, v)])


def judge(db):
    worst, least = 0.0, 9.0
    for sides in HELD_OUT:
        real = solve([truth(*s) for s in sides])
        found = solve([fitted(db, *s) for s in sides])
        for (kernel, sms), r, f in zip(sides, real, found):
            print(f'{kernel[0]} on {sms} of {len(sides)}: {r:.3f}, fitted {f:.3f}')
            worst = max(worst, abs(f / r - 1))
        least = min(least, max(real))
    print(f'worst error {100 * worst:.1f} %, every set has a slow-down of {least:.2f} or more')
    return worst <= 0.05 and least > 1.1


def main():
    db = sqlite3.connect(sys.argv[2])
    if sys.argv[1] == 'judge':
        return 0 if judge(db) else 1
    with db:
        {'plant': plant, 'trap': trap}[sys.argv[1]](db)
    return 0


if __name__ == '__main__':
    sys.exit(main())
