"""A made-up world of three kernels and eight producers whose contention is known (contention_fit.sh).

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
LIGHT = ('job', 100, 'light')  # beside it a producer is nearly as fast as alone
SPLITS = ((32, 100), (64, 68), (96, 36))  # SMs of the kernel, of the producer
CEILINGS = (100.0, 200.0)  # of tests/data/profile-measured.sql

# Shares of DRAM and L2 that counters would tell, on 64 SMs.
COUNTED = {JOB: (0.45, 0.30), SERVICE: (0.55, 0.10), LIGHT: (0.01, 0.02)}
# Weights of the hinges of DRAM, of L2, as parts of a time without queues: the same on all SMs.
WEIGHTS = {
    JOB: ((0.20, 0.06, 0.03), (0.35, 0.10)),
    SERVICE: ((0.35, 0.04, 0.04), (0.05, 0.02)),
    LIGHT: ((0.01, 0.00, 0.00), (0.01, 0.00)),
}
UNQUEUED_NS = 360e6  # on one SM
# Traffic at full rate on 100 SMs, as a share of L2's ceiling (fewer SMs have less); levels at which
# the producer stands alone. Two kernels cannot tell all of eight producers: these are near to where
# the fit starts.
PRODUCERS = {
    'themis-bandwidth': (0.25, (1.3, 0.65)),
    'themis-cache': (0.25, (0.02, 0.42)),
    'dram-read': (0.48, (14, 0.55)),
    'dram-copy': (0.45, (15, 0.6)),
    'gather-32': (0.15, (9, 0.65)),
    'gather-64': (0.30, (11, 0.6)),
    'l2-read': (0.85, (0.02, 9)),
    'l2-capacity': (0.20, (0.02, 0.33)),
}
FULL = 0.85  # part of a meter's launch that presses
PRODUCER_WEIGHTS = ((0.022, 0.018, 0.02), (0.03, 0.025))
BY_SET = 'l2-capacity'  # its levels differ by what is left in L2, here by nothing
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


def kernel_at(kernel, sms):
    """Its (pressures, weights) and its time alone: on other SMs than 64 it presses in proportion
    to its rate."""
    def at(part):
        pressures = [part * c for c in COUNTED[kernel]]
        time = (1 + grown([level(p) for p in pressures], WEIGHTS[kernel]))
        return pressures, time

    _, reference = at(1)
    low, high = 0.0, 1 / max(COUNTED[kernel])
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * at(middle)[1] * 64 < reference * sms else (low, middle)
    pressures, time = at(low)
    weights = [[w / time for w in of] for of in WEIGHTS[kernel]]
    return (pressures, weights), round(UNQUEUED_NS * time / sms)


def solve(sides, pace=1.0):
    """sides: (pressures, weights); pace: of the last one, as a part of its rate."""
    least = [1.0] * (len(sides) - 1) + [1 / pace]
    base = [grown([level(p) for p in pressures], weights) for pressures, weights in sides]

    def excess(resource, levels):
        slow = [max(m, 1 + grown(levels, w) - b) for (_, w), b, m in zip(sides, base, least)]
        used = sum(p[resource] / s for (p, _), s in zip(sides, slow))
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


KERNELS, SOLO_NS = {}, {}
for _kernel in COUNTED:
    for _sms, _ in SPLITS:
        KERNELS[_kernel, _sms], SOLO_NS[_kernel, _sms] = kernel_at(_kernel, _sms)


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
            solo = SOLO_NS.get(((name, size, kernel), sms), 8000000)
            ns = round(solo * slow)
            self.db.execute(
                'INSERT INTO corun_side VALUES(?, ?, ?, ?, ?, ?, NULL, ?, ?, 9, 9, 0, '
                "?, ?, 1000.0, ?, ?, 'rse', 1400, 'warm')",
                (self.count, i, name, size, kernel, sms, solo, float(solo), ns, float(ns), ns, ns))

    def beside(self, kernel, sms, family, number, producer_sms):
        traffic, levels = PRODUCERS[family]
        part = (producer_sms / 100) ** 0.3
        own = [part * busy / (1 + busy) for busy in levels]
        pace = 1 if family == BY_SET else (number + 0.2) / 11.2
        slow, given_way = solve([KERNELS[kernel, sms], (own, PRODUCER_WEIGHTS)], pace)
        if number == 11:
            launch = FULL * given_way + 1 - FULL
            beside = launch / (FULL * given_way / slow + 1 - FULL)
            self.corun('meter', None, (None, None),
                       [(*kernel, sms, beside), (family, 11, 'producer', producer_sms, launch)])
        gbs = traffic * part / given_way * CEILINGS[1]
        self.corun('sensitivity', None, (0.0, gbs),
                   [(*kernel, sms, slow), (family, number, 'producer', producer_sms, 1)])


def plant(db):
    for table in ('corun', 'corun_side'):
        db.execute(f'DELETE FROM {table}')
    db.execute('UPDATE device SET sms = 132')
    for kernel, shares in COUNTED.items():
        bytes_ = [share * ceiling * SOLO_NS[kernel, 64] for share, ceiling in zip(shares, CEILINGS)]
        db.execute('UPDATE kernel_counters SET dram_read_bytes = ?, dram_write_bytes = 0, '
                   'l2_bytes = ? WHERE application = ? AND size = ? AND kernel = ?',
                   (*bytes_, *kernel))
    planter = Planter(db)
    for kernel in COUNTED:
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
