"""The contention model of a profile, and its fit to co-runs with producers (docs/calibrate.md).

A resource (DRAM, L2) has a queue of length l, its level, and is l / (1 + l) busy. A kernel alone on
its SMs stands at levels of its own; its pressure p is how busy it alone keeps the resource. With
others the levels are higher, and its time grows with them in straight pieces:

    S_i = max(1, 1 + sum over hinges h of w_ih (max(0, l - h) - max(0, own l_i - h)))
    sum over i of p_i / S_i = l / (1 + l)       for each resource: a slowed kernel presses less

The simulator solves the same equations with fixed work (src/models/gpu/contention.h). Here Newton's
method solves some thousand sets of one kernel and one producer at a time.

A kernel on a number of SMs is a *point*: the logarithms of its two levels and the square roots of
its weights, one row of PARAMETERS numbers. A producer at full rate is a point, too. Three assumptions join
what is fitted to what was measured:

- A producer with a pace gives way only where it is slower than its pace.
- A meter, a producer in launches, slows a kernel less than the same producer without end. It is taken
  to press for a part of each launch, and to press nothing at its end.
- A kernel is the same on all SMs. Its pressure is in proportion to its rate, and its time for
  the same work on more SMs grows with its own levels just as it does with those of others.

Needs numpy.
"""
import numpy as np

RESOURCES = ('dram', 'l2')
HINGES = ((0.0, 4.0, 16.0), (0.0, 4.0))  # levels of each resource where a kernel's slope may change
LEVELS = len(RESOURCES)
HINGE = np.array([h for hinges in HINGES for h in hinges])
RESOURCE_OF = np.array([r for r, hinges in enumerate(HINGES) for _ in hinges])
PARAMETERS = LEVELS + len(HINGE)

LEVEL_MAX = 400.0  # of a queue: 99.75 % busy
LEVEL_ALONE_MAX = 200.0  # of kernel or producer
LOW = np.array([-9.0] * LEVELS + [-2.5] * len(HINGE))
HIGH = np.array([np.log(LEVEL_ALONE_MAX)] * LEVELS + [2.5] * len(HINGE))
FULL_LOW, FULL_HIGH = -2.0, 6.0  # of the logit of a launch's part at full rate

STARTS = 6  # fits; the one that predicts real kernels of the half dev best counts
START_SPREAD = 0.05  # of the starts after the first, in theta
SHARED_ROUNDS, FREE_ROUNDS = 4, 3  # of kernels, then producers
ROUNDS = SHARED_ROUNDS + FREE_ROUNDS
SHARED_STEPS = (8, 6)  # of kernels, of producers
FREE_STEPS = (6, 4)
SOFT = 0.03  # errors well above 3 % count linearly, not squared
METER_WEIGHT = 2.0  # of a meter's error: few, and they tell what a kernel presses
RATE_WEIGHT = 0.7  # of the error of a producer's rate, which tells the same less exactly
PULL_COUNTED = 0.2  # of levels to what counters say
COUNTED_MAX = 0.9  # busy: what counters tell of a nearly full resource is uncertain
PULL_UNCOUNTED = 0.02  # of levels without counters, to UNCOUNTED
UNCOUNTED = 0.1
PULL_WEIGHT = 0.1  # of weights to 0
# Of points to their kernel, levels and weights; chosen by dev pairs (docs/calibrate.md).
PULL_SHARED = np.array([0.5] * LEVELS + [1.0] * len(HINGE))
PULL_PRODUCER = 0.1  # of points of producers to their family
PULL_START = 0.03  # of producers to where they start
WRITE_COST = 1.3  # a byte written keeps DRAM busy as long as so many bytes read

# What is fitted of a producer only serves to fit the kernels. Where it starts: its levels of DRAM
# and of L2 at full rate on the most SMs, for an H200.
PRODUCERS = {
    'themis-bandwidth': (1.2, 0.6),
    'themis-cache': (0.02, 0.4),
    'dram-read': (15.0, 0.6),
    'dram-copy': (15.0, 0.6),
    'gather-32': (8.0, 0.6),
    'gather-64': (10.0, 0.6),
    'l2-read': (0.02, 10.0),
    'l2-capacity': (0.02, 0.3),
    'l2-gather': (0.02, 4.0),
    'l2-scatter': (0.02, 4.0),
    'l2-atomic': (0.02, 4.0),
    'scatter-32': (12.0, 0.6),
}
FAMILIES = list(PRODUCERS)
BY_SET = 'l2-capacity'  # its levels are sets of other sizes at one pace: each a producer of its own
EVICTING_LEVEL, EVICTING_DRAM = 8, 0.3  # from here on its set leaves L2, and reads DRAM
FULL_START = 1.7  # logit of a launch's part at full rate: 85 %
TOP_LEVEL = 11  # of a producer: not paced


def decode(theta):
    """Levels and weights of points."""
    return np.concatenate([np.exp(theta[..., :LEVELS]), theta[..., LEVELS:] ** 2], -1)


def encode(values):
    """Points of pressures and weights, which shares() gives of decoded ones."""
    level = np.clip(values[..., :LEVELS], 1e-9, 1 - 1e-9)
    return np.concatenate([np.log(level / (1 - level)), np.sqrt(values[..., LEVELS:])], -1)


def shares(points):
    """The same with pressures for levels, and so what can be averaged and interpolated."""
    level = points[..., :LEVELS]
    return np.concatenate([level / (1 + level), points[..., LEVELS:]], -1)


def slowdowns(points, least=1.0):
    """Sets x sides x PARAMETERS (decoded) to sets x sides. least: slow-down of each side by its own
    pace."""
    own, weight = points[..., :LEVELS], points[..., LEVELS:]
    pressure = own / (1 + own)
    base = (weight * np.maximum(0, own[..., RESOURCE_OF] - HINGE)).sum(-1)
    least = np.broadcast_to(least, points.shape[:2])
    top = np.log1p(LEVEL_MAX)
    y = np.log1p(np.minimum(LEVEL_MAX, own.max(1)))  # log(1 + level)
    result = np.ones(points.shape[:2])
    left = np.arange(len(points))
    for step in range(100):
        e = np.exp(y[left])
        above = (e - 1)[:, None, RESOURCE_OF] - HINGE
        slow = 1 + (weight[left] * np.maximum(0, above)).sum(-1) - base[left]
        feels = slow > least[left]
        slow = np.where(feels, slow, least[left])
        result[left] = slow
        # Newton in y on the balances; slope: of slow by each level.
        active = weight[left] * (above > 0)
        slope = np.stack([active[..., RESOURCE_OF == r].sum(-1) for r in range(LEVELS)], -1)
        slope = slope * feels[..., None]
        press = pressure[left] / slow[..., None]
        excess = press.sum(1) - (1 - 1 / e)
        jacobian = -np.einsum('sir,siq->srq', press / slow[..., None], slope) * e[:, None, :]
        jacobian[:, 0, 0] -= 1 / e[:, 0]
        jacobian[:, 1, 1] -= 1 / e[:, 1]
        move = newton_step(jacobian, excess)
        limit = 0.7 if step < 20 else 0.3 if step < 40 else 0.1
        move = np.clip(move, -limit, limit) * (0.5 if step > 30 else 1.0)
        moved = np.clip(y[left] + move, 0, top)
        going = np.abs(moved - y[left]).max(1) >= 1e-6
        y[left] = moved
        left = left[going]
        if len(left) == 0:
            break
    return result


def at(points, sms):
    """Of one kernel: [(sms, values)], ascending; linear between, the nearest beyond."""
    counts = [s for s, _ in points]
    return np.array([np.interp(sms, counts, column) for column in zip(*(v for _, v in points))])


def newton_step(jacobian, excess):
    """-jacobian^-1 excess for 2 x 2; bounded where it is singular."""
    (a, b), (c, d) = jacobian.transpose(1, 2, 0)
    f, g = excess.T
    det = a * d - b * c
    det = np.where(np.abs(det) < 1e-12, 1e-12, det)
    return np.stack([(b * g - d * f) / det, (c * f - a * g) / det], -1)


def least_squares(theta, residuals, group, prior, pull, bounds, steps):
    """Levenberg and Marquardt's method for many small problems at once: row i of theta against the
    residuals whose group is i, errors weighed softly (SOFT), and pull * (theta - prior)."""
    count, size = theta.shape
    damping = np.full(count, 1e-2)
    pull = np.broadcast_to(pull, theta.shape)

    def costs(found, theta):
        soft = sum(2 * SOFT**2 * (np.sqrt(1 + (r / SOFT) ** 2) - 1) for r in found)
        return np.bincount(group, soft, count) + ((pull * (theta - prior)) ** 2).sum(1)

    found = residuals(theta)
    cost = costs(found, theta)
    for _ in range(steps):
        slopes = []
        for j in range(size):
            beside = theta.copy()
            beside[:, j] += 1e-3
            slopes.append([(b - a) / 1e-3 for a, b in zip(found, residuals(beside))])
        weights = [1 / np.sqrt(1 + (r / SOFT) ** 2) for r in found]
        hessian = np.zeros((count, size, size))
        gradient = np.zeros((count, size))
        for j in range(size):
            gradient[:, j] = np.bincount(
                group, sum(w * s * r for w, s, r in zip(weights, slopes[j], found)), count)
            for k in range(j, size):
                hessian[:, j, k] = hessian[:, k, j] = np.bincount(
                    group, sum(w * s * t for w, s, t in zip(weights, slopes[j], slopes[k])), count)
        gradient += pull**2 * (theta - prior)
        hessian += np.eye(size) * (pull**2)[:, :, None]
        diagonal = np.einsum('gii->gi', hessian) + 1e-6
        for attempt in range(4):
            damped = hessian + np.eye(size) * (diagonal * damping[:, None])[:, :, None]
            step = np.clip(-np.linalg.solve(damped, gradient[..., None])[..., 0], -1, 1)
            tried = np.clip(theta + step, *bounds)
            new = costs(residuals(tried), tried)
            better = new < cost
            theta = np.where(better[:, None], tried, theta)
            cost = np.where(better, new, cost)
            damping = np.where(better, np.maximum(damping * 0.3, 1e-6),
                               np.minimum(damping * 8, 1e6))
            # New slopes are dearer than another step along the old ones, if enough comes of it.
            if better.mean() > 0.5 or (attempt > 0 and better.mean() < 0.2):
                break
        found = residuals(theta)
    return theta


class Points:
    """Of kernels, or of producers: each owner on some numbers of SMs, at a rate on each.

    shared: one row for an owner, with its levels where its rate is highest and with weights of a
    time without queues. theta: one row for a point.
    """

    def __init__(self, rates):
        """rates: {(owner, sms): work per time, in any unit}"""
        self.keys = sorted(rates)
        self.index = {key: i for i, key in enumerate(self.keys)}
        self.owners = sorted({owner for owner, _ in self.keys})
        number = {owner: i for i, owner in enumerate(self.owners)}
        self.owner = np.array([number[owner] for owner, _ in self.keys])
        rate = np.array([rates[key] for key in self.keys])
        highest = np.zeros(len(self.owners))
        np.maximum.at(highest, self.owner, rate)
        self.rate = rate / highest[self.owner]
        self.sm_time = np.array([sms for _, sms in self.keys]) / rate  # of the same work
        self.fastest = [int(np.flatnonzero((self.owner == i) & (self.rate == 1))[0])
                        for i in range(len(self.owners))]

    def spread(self, shared):
        """Points of owners, and how far their SM time is from what their own levels make of it."""
        own = np.exp(shared[self.owner, :LEVELS])
        pressure = own / (1 + own) * self.rate[:, None]
        level = pressure / (1 - pressure)
        weight = shared[self.owner, LEVELS:] ** 2
        alone = 1 + (weight * np.maximum(0, level[:, RESOURCE_OF] - HINGE)).sum(1)
        off = np.log(alone / self.sm_time)
        mean = np.bincount(self.owner, off) / np.bincount(self.owner)
        return (np.concatenate([np.log(level), np.sqrt(weight / alone[:, None])], 1),
                off - mean[self.owner])


def producer_of(corun):
    """Whose point its producer is: (family, level) of what is at full rate, and SMs."""
    by_set = corun['family'] == BY_SET
    return (corun['family'], corun['level'] if by_set else TOP_LEVEL), corun['producer_sms']


class Fit:
    """Points of kernels fitted to co-runs with producers.

    coruns: for each, kernel and its sms, family, level and sms of the producer, gbs (its traffic;
    None of a meter), slow and, of a meter, meter_slow: time over that alone.
    counted: {kernel: (bytes read from DRAM, written to it, moved by L2)}; solo_ns: {(kernel, sms)};
    ceilings: of DRAM and L2, 10^9 bytes per second.
    """

    def __init__(self, coruns, counted, solo_ns, ceilings):
        def column(value):
            return np.array([value(c) for c in coruns])

        self.kernels = Points({point: 1 / ns for point, ns in solo_ns.items()})
        self.point = column(lambda c: self.kernels.index[c['kernel'], c['sms']])
        self.slow = column(lambda c: c['slow'])
        self.is_meter = column(lambda c: c['meter_slow'] is not None)
        self.meter_slow = column(lambda c: c['meter_slow'] or 1.0)
        highest = {}  # traffic of a producer, then of it at a level
        for c in coruns:
            for key in (producer_of(c), (producer_of(c), c['level'])):
                highest[key] = max(highest.get(key, 0.0), c['gbs'] or 0.0)
        self.highest = highest
        self.producers = Points({producer_of(c): highest[producer_of(c)] or c['producer_sms']
                                 for c in coruns})
        self._note_paces(coruns)
        # Over the time that the producer would take alone; of its rate where it was highest.
        self.producer_slow = column(
            lambda c: highest[producer_of(c)] / c['gbs'] if c['gbs'] else 0.0)
        fastest = {}
        for i in np.flatnonzero(self.producer_slow > 0):
            best = fastest.setdefault(self.producer[i], i)
            if self.producer_slow[i] < self.producer_slow[best]:
                fastest[self.producer[i]] = i
        self.fastest = np.array([fastest.get(p, 0) for p in self.producer])
        self._start_kernels(counted, solo_ns, np.array(ceilings))
        self._start_producers()

    def _note_paces(self, coruns):
        """Of each co-run: its producer, and by how much its pace slows it."""
        highest = self.highest
        self.producer = np.array([self.producers.index[producer_of(c)] for c in coruns])
        most = np.array([highest[producer_of(c)] for c in coruns])
        paced = np.array([highest[producer_of(c), c['level']] if c['meter_slow'] is None else 0.0
                          for c in coruns])
        # Over the time at full rate; of the highest rates, beside whichever kernel.
        self.pace_slow = np.where(paced > 0, most / np.where(paced > 0, paced, 1), 1)
        self.has_pace = np.array([c['level'] < TOP_LEVEL and c['family'] != BY_SET
                                  for c in coruns])
        self.least = np.ones((len(coruns), 2))
        self.least[:, 1] = self.pace_slow

    def _start_kernels(self, counted, solo_ns, ceilings):
        kernels = self.kernels
        levels = np.full((len(kernels.owners), LEVELS), UNCOUNTED)
        self.pull = np.full((len(kernels.owners), PARAMETERS), PULL_WEIGHT)
        self.pull[:, :LEVELS] = PULL_UNCOUNTED
        for i, kernel in enumerate(kernels.owners):
            if kernel in counted:
                read, written, l2 = counted[kernel]
                ns = solo_ns[kernels.keys[kernels.fastest[i]]]
                pressure = np.clip(np.array([read + WRITE_COST * written, l2]) / ns / ceilings,
                                   1e-3, COUNTED_MAX)
                levels[i] = pressure / (1 - pressure)
                self.pull[i, :LEVELS] = PULL_COUNTED
        self.shared = np.full((len(kernels.owners), PARAMETERS), 0.17)
        self.shared[:, :LEVELS] = np.log(levels)
        self.prior = self.shared.copy()
        self.prior[:, LEVELS:] = 0

    def _start_producers(self):
        producers = self.producers
        self.own = np.full((len(producers.owners), PARAMETERS), 0.15)
        for i, (family, level) in enumerate(producers.owners):
            dram, l2 = PRODUCERS[family]
            if family == BY_SET and level >= EVICTING_LEVEL:
                dram = EVICTING_DRAM
            self.own[i, :LEVELS] = np.log([dram, l2])
        self.full = np.full(len(producers.owners), FULL_START)

    def _times(self, theta, own, full):
        """Of points: slow-downs of kernels and of producers."""
        sides = np.stack([decode(theta)[self.point], decode(own)[self.producer]], 1)
        slow = slowdowns(sides, self.least)
        part = 1 / (1 + np.exp(-full[self.producer]))
        launch = part * slow[:, 1] + 1 - part
        beside = launch / (part * slow[:, 1] / slow[:, 0] + 1 - part)
        return (np.where(self.is_meter, beside, slow[:, 0]),
                np.where(self.is_meter, launch, slow[:, 1]))

    def _residuals(self, *where):
        """Logarithms of fitted over measured: of kernels, of producers."""
        kernels, producers = self._times(*where)
        rate = np.where(self.producer_slow > 0,
                        np.log(producers / np.where(self.producer_slow > 0, self.producer_slow, 1)),
                        0)
        return (np.log(kernels / self.slow),
                np.where(self.is_meter, METER_WEIGHT * np.log(producers / self.meter_slow),
                         RATE_WEIGHT * (rate - self.beside_fastest)))

    def _note_fastest(self, *where):
        """No producer of a sensitivity co-run was timed alone: its rate counts as a part of the
        highest, beside the kernel that slows it least. What the fit says of that counts."""
        slow = self._times(*where)[1][self.fastest]
        self.beside_fastest = np.log(slow)
        self.least[:, 1] = np.where(self.has_pace, self.pace_slow * slow, 1)

    def run(self, real, starts=STARTS, progress=lambda done: None):
        """A fit can end in a poor corner, and where depends on its start: the best of several, by
        its error on co-runs of real kernels (of each a list of (kernel, sms, slow)); by its error
        on the co-runs that it was fitted to where there are none. Returns these two of each."""
        start, results = (self.shared, self.own, self.full), []
        for number in range(starts):
            spread = START_SPREAD if number > 0 else 0.0
            random = np.random.default_rng(number)
            shared = start[0] + random.normal(0, spread, start[0].shape)
            first = self._fit_owners(shared, *start[1:],
                                     lambda done: progress(number * ROUNDS + done))
            result = self._fit_points(*first, lambda done: progress(number * ROUNDS + done))
            self.result = result
            own = sum(np.abs(side).mean() for side in self._residuals(*result))
            results.append((self.real_off(real), own, number, result))
        _, _, _, self.result = min(results, key=lambda tried: tried[:3])
        self.least[:, 1] = self.pace_slow
        self._note_fastest(*self.result)
        return [tried[:2] for tried in results]

    def real_off(self, real):
        """Mean |predicted / measured - 1| of all sides; 0 without co-runs of fitted kernels."""
        by_kernel = {}
        for (kernel, sms), values in sorted(self.fitted().items()):
            by_kernel.setdefault(kernel, []).append((sms, values))
        known = [c for c in real if all(kernel in by_kernel for kernel, _, _ in c)]
        off = []
        for sides in sorted({len(c) for c in known}):
            alike = [c for c in known if len(c) == sides]
            points = np.array([[at(by_kernel[kernel], sms) for kernel, sms, _ in c] for c in alike])
            points[..., :LEVELS] /= 1 - points[..., :LEVELS]
            measured = np.array([[slow for _, _, slow in c] for c in alike])
            off.extend(np.abs(slowdowns(points) / measured - 1).ravel())
        return float(np.mean(off)) if off else 0.0

    def _fit_owners(self, shared, own, full, progress):
        """Kernels beside the producers as they are, then the producers, in turn: one row each for
        all numbers of SMs. Returns their points."""
        kernels, producers = self.kernels, self.producers
        start = np.concatenate([own, full[:, None]], 1)

        def points(shared, both):
            return (kernels.spread(shared)[0], producers.spread(both[:, :-1])[0],
                    both[producers.owner, -1])

        def residuals(shared, both):
            theta, off = kernels.spread(shared)
            found = self._residuals(theta, *points(shared, both)[1:])
            return [np.concatenate([found[0], off]),
                    np.concatenate([found[1], np.zeros(len(off))])]

        both = start
        for done in range(SHARED_ROUNDS):
            self._note_fastest(*points(shared, both))
            shared = least_squares(
                shared, lambda s: residuals(s, both),
                np.concatenate([kernels.owner[self.point], kernels.owner]), self.prior, self.pull,
                (LOW, HIGH), SHARED_STEPS[0])
            progress(done + 1)
            if done == SHARED_ROUNDS - 1:
                break  # the kernels' last word is on the producers that they were fitted to
            both = self._fit_producer_owners(kernels.spread(shared)[0], both, start)
        return points(shared, both)

    def _fit_producer_owners(self, theta, both, start):
        """The producers beside the kernels as they are, one row each for all numbers of SMs."""
        producers = self.producers

        def residuals(both):
            own, off = producers.spread(both[:, :-1])
            found = self._residuals(theta, own, both[producers.owner, -1])
            return [np.concatenate([found[0], off]),
                    np.concatenate([found[1], np.zeros(len(off))])]

        return least_squares(
            both, residuals, np.concatenate([producers.owner[self.producer], producers.owner]),
            start, PULL_START, (np.append(LOW, FULL_LOW), np.append(HIGH, FULL_HIGH)),
            SHARED_STEPS[1])

    def _fit_points(self, theta, own, full, progress):
        """Then each point for itself, pulled to that of its owner."""
        prior = theta
        start = np.concatenate([own, full[:, None]], 1)
        for done in range(FREE_ROUNDS):
            self._note_fastest(theta, own, full)
            theta = least_squares(
                theta, lambda t: self._residuals(t, own, full), self.point, prior, PULL_SHARED,
                (LOW, HIGH), FREE_STEPS[0])
            progress(SHARED_ROUNDS + done + 1)
            if done == FREE_ROUNDS - 1:
                break
            own, full = self._fit_producer_points(theta, own, full, start)
        return theta, own, full

    def _fit_producer_points(self, theta, own, full, start):
        pull = np.append(np.full(PARAMETERS, PULL_PRODUCER), PULL_START)
        both = least_squares(
            np.concatenate([own, full[:, None]], 1),
            lambda b: self._residuals(theta, b[:, :-1], b[:, -1]), self.producer, start, pull,
            (np.append(LOW, FULL_LOW), np.append(HIGH, FULL_HIGH)), FREE_STEPS[1])
        return both[:, :-1], both[:, -1]

    def fit_producers(self, kept):
        """The producers alone, to kernels that stay as a fit before left them: {(kernel, sms):
        pressures and weights} of all points."""
        theta = encode(np.array([kept[key] for key in self.kernels.keys]))
        producers = self.producers
        start = np.concatenate([self.own, self.full[:, None]], 1)

        both = start
        for _ in range(SHARED_ROUNDS - 1):
            self._note_fastest(theta, producers.spread(both[:, :-1])[0], both[producers.owner, -1])
            both = self._fit_producer_owners(theta, both, start)
        own, full = producers.spread(both[:, :-1])[0], both[producers.owner, -1]
        start = np.concatenate([own, full[:, None]], 1)
        for _ in range(FREE_ROUNDS - 1):
            self._note_fastest(theta, own, full)
            own, full = self._fit_producer_points(theta, own, full, start)
        self.result = theta, own, full
        self._note_fastest(*self.result)

    def knows(self, corun):
        """Whether its producer was at its level in a co-run of the fit."""
        return (producer_of(corun), corun['level']) in self.highest

    def errors(self):
        """Of kernels, then of meters: |fitted / measured - 1|, and |1 / measured - 1| beside it."""
        kernels, producers = self._times(*self.result)
        meters = self.is_meter
        return ((np.abs(kernels / self.slow - 1), np.abs(1 / self.slow - 1)),
                (np.abs(producers[meters] / self.meter_slow[meters] - 1),
                 np.abs(1 / self.meter_slow[meters] - 1)))

    def fitted(self):
        """{(kernel, sms): pressures and weights}"""
        return dict(zip(self.kernels.keys, shares(decode(self.result[0]))))


class FitBeside(Fit):
    """Further kernels, beside the producers as a fit has them. Of their co-runs only the times of
    the kernels count: what the producer did meanwhile it did beside other kernels, too.

    coruns: as of Fit, without meters, of producers at levels that the fit has (fit.knows).
    """

    def __init__(self, coruns, counted, solo_ns, ceilings, fit):
        self.kernels = Points({point: 1 / ns for point, ns in solo_ns.items()})
        self.point = np.array([self.kernels.index[c['kernel'], c['sms']] for c in coruns])
        self.slow = np.array([c['slow'] for c in coruns])
        self.is_meter = np.zeros(len(coruns), bool)
        self.meter_slow = np.ones(len(coruns))
        self.producer_slow = self.beside_fastest = np.zeros(len(coruns))
        self.producers, self.highest = fit.producers, fit.highest
        self._note_paces(coruns)
        beside_fastest = np.ones(len(self.producers.keys))
        beside_fastest[fit.producer] = np.exp(fit.beside_fastest)
        self.least[:, 1] = np.where(self.has_pace, self.pace_slow * beside_fastest[self.producer],
                                    1)
        self._start_kernels(counted, solo_ns, np.array(ceilings))
        _, self.own, self.full = fit.result

    def run(self):
        """One row for all numbers of SMs, then each point for itself, pulled to that."""
        kernels = self.kernels

        def residuals(theta):
            return self._residuals(theta, self.own, self.full)[0]

        def with_times(shared):
            theta, off = kernels.spread(shared)
            return [np.concatenate([residuals(theta), off])]

        shared = least_squares(
            self.shared, with_times, np.concatenate([kernels.owner[self.point], kernels.owner]),
            self.prior, self.pull, (LOW, HIGH), SHARED_ROUNDS * SHARED_STEPS[0])
        theta, _ = kernels.spread(shared)
        theta = least_squares(theta, lambda t: [residuals(t)], self.point, theta, PULL_SHARED,
                              (LOW, HIGH), FREE_ROUNDS * FREE_STEPS[0])
        self.result = theta, self.own, self.full
