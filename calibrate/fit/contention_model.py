"""The contention model of a profile, and its fit to co-runs with producers (docs/calibrate.md).

A resource (DRAM, L2) has a queue of length l, its level, and is l / (1 + l) busy. A kernel alone on
its SMs stands at levels of its own; its pressure p is how busy it alone keeps the resource. With
others the levels are higher, and its time grows with them in straight pieces:

    S_i = max(1, 1 + sum over hinges h of w_ih (max(0, l - h) - max(0, own l_i - h)))
    sum over i of p_i / S_i = l / (1 + l)       for each resource: a slowed kernel presses less

The simulator solves the same equations with fixed work (src/models/gpu/contention.h). Here Newton's
method solves some thousand sets of one kernel and one producer at a time.

A kernel on a number of SMs is a *point*: the logarithms of its two levels and the square roots of
its weights, one row of PARAMETERS numbers. Needs numpy.
"""
import numpy as np

RESOURCES = ('dram', 'l2')
HINGES = ((0.0, 4.0, 16.0), (0.0, 4.0))  # levels of each resource where a kernel's slope may change
LEVELS = len(RESOURCES)
HINGE = np.array([h for hinges in HINGES for h in hinges])
RESOURCE_OF = np.array([r for r, hinges in enumerate(HINGES) for _ in hinges])
PARAMETERS = LEVELS + len(HINGE)

LEVEL_MAX = 400.0  # of a queue: 99.75 % busy
PACED_MAX = 0.995  # how busy a paced producer may keep a resource
LEVEL_ALONE_MAX = 16.0  # of kernel or producer; co-runs hardly tell levels beyond the last hinge
LOW = np.array([-9.0] * LEVELS + [-2.5] * len(HINGE))
HIGH = np.array([np.log(LEVEL_ALONE_MAX)] * LEVELS + [2.5] * len(HINGE))

STARTS = 6  # fits; the one that predicts real kernels of the half dev best counts
START_SPREAD = 0.05  # of the starts after the first, in theta
ROUNDS = 4  # of kernels, then producers
KERNEL_STEPS, PRODUCER_STEPS = 6, 4
SOFT = 0.03  # errors well above 3 % count linearly, not squared
METER_WEIGHT = 2.0  # of a meter's error: few, and only they tell what a kernel presses
PULL_COUNTED = 0.2  # of levels to what counters say
COUNTED_MAX = 0.9  # busy: what counters tell of a nearly full resource is uncertain
PULL_UNCOUNTED = 0.01  # of levels without counters, to 0.2
PULL_WEIGHT = 0.1  # of weights to 0; chosen by dev pairs and triples (docs/calibrate.md)
PULL_START = 0.03  # of producers to where they start
WRITE_COST = 1.3  # a byte written keeps DRAM busy as long as so many bytes read

# What is fitted of a producer only serves to fit the kernels. Where it starts, from a fit for an
# H200: what a counted byte of a paced one keeps busy of DRAM and of L2; the L2 level of an unpaced
# one. That of DRAM, if it is to fill it, and below how many SMs it no longer does.
FILLING_LEVEL, FILLING_SMS = 15.0, 68
PRODUCERS = {
    'themis-bandwidth': ((1.4, 1.2), 0.6),
    'themis-cache': ((0.07, 2.0), 0.4),
    'dram-read': ((0.82, 1.2), 0.6),
    'dram-copy': ((1.03, 1.2), 0.6),
    'gather-32': ((2.8, 0.7), 0.6),
    'gather-64': ((1.36, 1.0), 0.6),
    'l2-read': ((0.1, 0.8), 10.0),
    'l2-capacity': ((0.06, 2.0), 0.3),
    # No fit yet: the most traffic that an H200 showed of each just fills its resource.
    'l2-gather': ((0.1, 2.0), 10.0),
    'l2-scatter': ((0.1, 4.0), 10.0),
    'l2-atomic': ((0.1, 2.8), 10.0),
    'scatter-32': ((5.4, 2.0), 0.6),
}
FAMILIES = list(PRODUCERS)
TOP_LEVEL = 11  # of a producer: not paced


def decode(theta):
    """Levels and weights of points."""
    return np.concatenate([np.exp(theta[..., :LEVELS]), theta[..., LEVELS:] ** 2], -1)


def shares(points):
    """The same with pressures for levels, and so what can be averaged and interpolated."""
    level = points[..., :LEVELS]
    return np.concatenate([level / (1 + level), points[..., LEVELS:]], -1)


def slowdowns(points, paced=None):
    """Sets x sides x PARAMETERS (decoded) to sets x sides. paced: how busy what does not slow down
    keeps the resources of each set."""
    own, weight = points[..., :LEVELS], points[..., LEVELS:]
    pressure = own / (1 + own)
    base = (weight * np.maximum(0, own[..., RESOURCE_OF] - HINGE)).sum(-1)
    paced = np.zeros((len(points), LEVELS)) if paced is None else np.minimum(paced, PACED_MAX)
    top = np.log1p(LEVEL_MAX)
    y = np.log1p(np.minimum(LEVEL_MAX, own.max(1) + paced / (1 - paced)))  # log(1 + level)
    result = np.ones(points.shape[:2])
    left = np.arange(len(points))
    for step in range(100):
        e = np.exp(y[left])
        above = (e - 1)[:, None, RESOURCE_OF] - HINGE
        slow = 1 + (weight[left] * np.maximum(0, above)).sum(-1) - base[left]
        feels = slow > 1
        slow = np.where(feels, slow, 1.0)
        result[left] = slow
        # Newton in y on the balances; slope: of slow by each level.
        active = weight[left] * (above > 0)
        slope = np.stack([active[..., RESOURCE_OF == r].sum(-1) for r in range(LEVELS)], -1)
        slope = slope * feels[..., None]
        press = pressure[left] / slow[..., None]
        excess = press.sum(1) + paced[left] - (1 - 1 / e)
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


class Fit:
    """Points of kernels fitted to co-runs with producers.

    coruns: for each, kernel and its sms, family, level and sms of the producer, dram_gbs and l2_gbs
    (None of a meter), slow and, of a meter, meter_slow: time over that alone.
    counted: {kernel: (bytes read from DRAM, written to it, moved by L2)}; solo_ns: {(kernel, sms)};
    ceilings: of DRAM and L2, 10^9 bytes per second.
    """

    def __init__(self, coruns, counted, solo_ns, ceilings):
        self.ceilings = np.array(ceilings)
        self.points = sorted({(c['kernel'], c['sms']) for c in coruns})
        self.producers = sorted({(c['family'], c['producer_sms']) for c in coruns})
        point = {p: i for i, p in enumerate(self.points)}
        producer = {p: i for i, p in enumerate(self.producers)}

        def column(value):
            return np.array([value(c) for c in coruns])

        self.point = column(lambda c: point[c['kernel'], c['sms']])
        self.producer = column(lambda c: producer[c['family'], c['producer_sms']])
        self.family = column(lambda c: FAMILIES.index(c['family']))
        self.unpaced = column(lambda c: c['level'] >= TOP_LEVEL)
        self.slow = column(lambda c: c['slow'])
        self.is_meter = column(lambda c: c['meter_slow'] is not None)
        self.meter_slow = column(lambda c: c['meter_slow'] or 1.0)
        l2 = column(lambda c: c['l2_gbs'] or 0.0)
        dram = column(lambda c: c['dram_gbs'] or 0.0)
        # Of families that should hit in L2 nobody counts DRAM; what misses is in proportion.
        self.gbs = np.stack([np.where(dram == 0, l2, dram), l2], -1)
        self._start(counted, solo_ns)

    def _start(self, counted, solo_ns):
        levels = np.full((len(self.points), LEVELS), 0.2)
        pull = np.full((len(self.points), PARAMETERS), PULL_WEIGHT)
        pull[:, :LEVELS] = PULL_UNCOUNTED
        for i, (kernel, sms) in enumerate(self.points):
            if kernel in counted:
                read, written, l2 = counted[kernel]
                gbs = np.array([read + WRITE_COST * written, l2]) / solo_ns[kernel, sms]
                pressure = np.clip(gbs / self.ceilings, 1e-3, COUNTED_MAX)
                levels[i] = pressure / (1 - pressure)
                pull[i, :LEVELS] = PULL_COUNTED
        self.theta = np.full((len(self.points), PARAMETERS), 0.17)
        self.theta[:, :LEVELS] = np.log(levels)
        self.prior = self.theta.copy()
        self.prior[:, LEVELS:] = 0
        self.pull = pull

        self.own = np.full((len(self.producers), PARAMETERS), 0.14)  # of producers, unpaced
        self.own[:, LEVELS:][:, RESOURCE_OF == 1] = 0.17
        for i, (family, sms) in enumerate(self.producers):
            part = min(1, sms / FILLING_SMS)
            dram = FILLING_LEVEL * part**2 if family.startswith(('dram', 'gather', 'scatter')) else \
                1.2 * part if family == 'themis-bandwidth' else 0.02
            self.own[i, :LEVELS] = np.log([dram, PRODUCERS[family][1]])
        self.own_prior = self.own.copy()
        self.factor = np.log([PRODUCERS[f][0] for f in FAMILIES])  # of paced ones
        self.factor_prior = self.factor.copy()

    def _off(self, theta, own, factor, rows=slice(None)):
        """Logarithms of fitted over measured: of kernels, of meters (0 where there is none)."""
        unpaced = self.unpaced[rows][:, None]
        sides = np.zeros((len(unpaced), 2, PARAMETERS))
        sides[:, 0] = decode(theta)[self.point[rows]]
        sides[:, 1] = np.where(unpaced, decode(own)[self.producer[rows]], 0)
        share = np.exp(factor)[self.family[rows]] * self.gbs[rows] / self.ceilings
        slow = slowdowns(sides, np.where(unpaced, 0, share))
        return (np.log(slow[:, 0] / self.slow[rows]),
                np.where(self.is_meter[rows], np.log(slow[:, 1] / self.meter_slow[rows]), 0))

    def _residuals(self, *where):
        kernels, meters = self._off(*where)
        return kernels, METER_WEIGHT * meters

    def run(self, real, starts=STARTS, progress=lambda done: None):
        """A fit can end in a poor corner, and where depends on its start: the best of several, by
        its error on co-runs of real kernels (of each a list of (kernel, sms, slow)); by its error
        on the co-runs that it was fitted to where there are none. Returns these two of each."""
        start, results = (self.theta, self.own, self.factor), []
        for number in range(starts):
            spread = START_SPREAD if number > 0 else 0.0
            random = np.random.default_rng(number)
            self.theta = start[0] + random.normal(0, spread, start[0].shape)
            self.own, self.factor = start[1:]
            self._run_once(lambda done: progress(number * ROUNDS + done))
            result = (self.theta, self.own, self.factor)
            own = sum(np.abs(side).mean() for side in self._residuals(*result))
            results.append((self.real_off(real), own, number, result))
        _, _, _, (self.theta, self.own, self.factor) = min(results)
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
            pressure = np.minimum(points[..., :LEVELS], PACED_MAX)
            points[..., :LEVELS] = pressure / (1 - pressure)
            measured = np.array([[slow for _, _, slow in c] for c in alike])
            off.extend(np.abs(slowdowns(points) / measured - 1).ravel())
        return float(np.mean(off)) if off else 0.0

    def _run_once(self, progress):
        """Kernels beside the producers as they are, then the producers, in turn."""
        unpaced, paced = np.where(self.unpaced)[0], np.where(~self.unpaced)[0]
        prior = self.prior
        for done in range(ROUNDS):
            self.theta = least_squares(
                self.theta, lambda t: self._residuals(t, self.own, self.factor), self.point,
                prior, self.pull, (LOW, HIGH), KERNEL_STEPS)
            progress(done + 1)
            if done == ROUNDS - 1:
                break  # the kernels' last word is on the producers that they were fitted to
            prior = self._moved_prior()
            self.own = least_squares(
                self.own, lambda o: self._residuals(self.theta, o, self.factor, unpaced),
                self.producer[unpaced], self.own_prior, PULL_START, (LOW, HIGH), PRODUCER_STEPS)
            self.factor = least_squares(
                self.factor, lambda f: self._residuals(self.theta, self.own, f, paced),
                self.family[paced], self.factor_prior, PULL_START, (-5, 3), PRODUCER_STEPS)

    def _moved_prior(self):
        """Counters may be wrong about a kernel, but on all numbers of SMs by about the same factor:
        its levels are pulled to what they say times the median of what the fit found over it."""
        prior = self.prior.copy()
        off = (self.theta - self.prior)[:, :LEVELS]
        kernels = {}
        for i, (kernel, _) in enumerate(self.points):
            kernels.setdefault(kernel, []).append(i)
        for points in kernels.values():
            if len(points) > 1:
                prior[points, :LEVELS] += np.median(off[points], 0)
        return prior

    def errors(self):
        """Of kernels, then of meters: |fitted / measured - 1|, and |1 / measured - 1| beside it."""
        victims, meters = self._off(self.theta, self.own, self.factor)
        return ((np.abs(np.exp(victims) - 1), np.abs(1 / self.slow - 1)),
                (np.abs(np.exp(meters[self.is_meter]) - 1),
                 np.abs(1 / self.meter_slow[self.is_meter] - 1)))

    def fitted(self):
        """{(kernel, sms): pressures and weights}"""
        return dict(zip(self.points, shares(decode(self.theta))))
