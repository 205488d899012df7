"""What the scripts on TReM share: points of a results database, statistics, the look of pictures.

A point is found by its config (select), not by its name, so a database may hold more than is drawn.
All numbers are per replication: a list with one value for each seed, in the order of the seeds, so
that two policies can be compared seed by seed.

Only the standard library, and matplotlib for pictures.
"""
import functools
import json
import math
import os
import random
import sqlite3

POLICIES = [('priority', False), ('elastic', False), ('priority', True), ('elastic', True)]
WORKLOADS = ['W1', 'W2']
LOADS = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0]
GPUS = [1, 2, 4, 8, 16]
ORDERS = ['batched', 'arrivals_first', 'one_by_one']
LATENCIES = [10, 22, 50, 100, 200, 500, 1000]
SHAPES = [1.1, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5]

# A point of TReM's study unless a script asks for another value.
BASE = {
    'workload': 'W1', 'policy': 'elastic', 'revocation': True, 'load': 1.0, 'devices': 4,
    'load_devices': 0, 'shape': 2.0, 'counts': 'class', 'basis': 'realized', 'printed': False,
    'latency_ms': 22.0, 'instant': False, 'queue': 'fifo', 'requeue': 'front', 'window': 32,
    'first_ms': 100, 'on_arrival': True, 'order': 'batched',
}


def label(policy, revocation):
    return policy.capitalize() + (' + TReM' if revocation else '')


def open_database(path):
    """Read only; exits with a message if there is none."""
    if not os.path.exists(path):
        raise SystemExit(f'{path}: no such file (this script says at its top what makes it)')
    return sqlite3.connect(f'file:{path}?mode=ro', uri=True)


class Results:
    """The points of a results database and their numbers."""

    def __init__(self, path):
        self.db = open_database(path)
        self.points = {}
        self.columns = {}
        for number, config in self.db.execute('SELECT id, config FROM experiment'):
            key = point_key(json.loads(config))
            if key is not None:
                self.points[tuple(sorted(key.items()))] = number

    def select(self, **wanted):
        """The experiment that is BASE but for what is named; KeyError if there is none."""
        assert set(wanted) <= set(BASE), wanted
        key = {**BASE, **wanted}
        if key['policy'] == 'priority':  # it has no such options
            key.update({k: BASE[k] for k in ('window', 'first_ms', 'on_arrival')})
        if not key['revocation']:  # nothing is ever put back
            key['requeue'] = BASE['requeue']
        if key['load_devices'] == key['devices']:
            key['load_devices'] = 0
        found = self.points.get(tuple(sorted(key.items())))
        if found is None:
            raise KeyError(f'no run of {wanted}; configs/trem/figures.sh makes it')
        return found

    def metric(self, point, name, group=None, app=None):
        """A number for each replication; group: 'latency' or 'batch', app: an application."""
        key = (point, name, group, app)
        if key not in self.columns:
            self.columns[key] = [row[0] for row in self.db.execute(
                'SELECT m.value FROM metric m WHERE m.experiment = ? AND m.name = ? AND m.class IS ? '
                'AND m.app IS (SELECT a.app FROM application a WHERE a.experiment = m.experiment '
                'AND a.name = ?) ORDER BY m.replication', (point, name, group, app))]
        return self.columns[key]

    def late(self, point):
        """Violations of the SLA in per cent of the latency requests, for each replication."""
        return [100 * (1 - v) for v in self.metric(point, 'sla_met', 'latency')]

    def job_times(self, point, group='batch'):
        """Time to completion of each job in s, a list for each replication, jobs in order."""
        times = {}
        for replication, seconds in self.db.execute(
                'SELECT j.replication, (j.end_ns - j.begin_ns) / 1e9 FROM job j JOIN application a '
                'ON a.experiment = j.experiment AND a.app = j.app WHERE j.experiment = ? '
                'AND a.class = ? ORDER BY j.replication, j.job', (point, group)):
            times.setdefault(replication, []).append(seconds)
        return [times[r] for r in sorted(times)]


def latency_of(revocation):
    """Of kill and start together in ms; figure 11b divides it as 5 : 17."""
    if revocation['kill_ms'] < 0 and revocation['start_ms'] < 0:
        return 22.0
    return round(revocation['kill_ms'] + revocation['start_ms'], 3)


def order_of(scheduler):
    """Of one instant; databases of before had a switch."""
    return scheduler.get('instant', ORDERS[scheduler.get('arrivals_first', False)])


def point_key(config):
    """What a script may ask for, or None for an experiment of another kind."""
    trem = config['workload']['trem']
    if len(trem) != 1 or config['workload']['trace']:
        return None
    trem, policy, revocation = trem[0], config['policy'], config['revocation']
    latency = latency_of(revocation)
    return {
        'workload': 'W1' if trem['user_fraction'] == 0.5 else 'W2',
        'policy': policy['name'],
        'revocation': policy['revocation'],
        'load': trem['load'],
        'devices': config['cluster']['devices'],
        'load_devices': trem['load_devices'],
        'shape': trem['pareto_shape'],
        'counts': 'class' if trem['user_tasks'] > 0 else 'free',
        'basis': trem['load_basis'],
        'printed': 'gaussian-printed' in trem['batch_applications'],
        'latency_ms': 22.0 if latency == 0 else latency,
        'instant': latency == 0,
        'queue': policy['queue'],
        'requeue': policy['requeue'],
        'window': policy.get('window', 32),
        'first_ms': policy.get('first_ms', 100),
        'on_arrival': policy.get('recompute_on_arrival', True),
        'order': order_of(config['scheduler']),
    }


# ---- Statistics ----

def mean(values):
    return math.fsum(values) / len(values)


def quantile(values, p):
    """Nearest rank: the smallest value that at least a share p of them does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(p * len(ordered)) - 1)]


T_975 = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281]


def t_975(freedom):
    """97.5 % quantile of Student's t: a table, from 11 degrees of freedom on Cornish-Fisher, which is
    low by less than 0.2 % there."""
    if freedom <= len(T_975):
        return T_975[freedom - 1]
    z = 1.959963985
    return (z + (z ** 3 + z) / (4 * freedom)
            + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2))


def half_width(values):
    """Of the 95 % interval of the mean."""
    m = mean(values)
    deviation = math.sqrt(math.fsum((v - m) ** 2 for v in values) / (len(values) - 1))
    return t_975(len(values) - 1) * deviation / math.sqrt(len(values))


def average(columns):
    """Per seed, over several points."""
    return [mean(values) for values in zip(*columns)]


DRAWS = 10000


@functools.lru_cache(maxsize=None)
def draws_of_five(n, draws=DRAWS, seed=1):
    """Index sets: five different seeds out of n, `draws` times, always the same ones."""
    source = random.Random(seed)
    return [source.sample(range(n), 5) for _ in range(draws)]


def prediction(of_five, n):
    """95 % prediction interval of what an experiment with five seeds would give: of_five(indices)
    computes that from five of the n replications; the 2.5 and 97.5 % points over the draws."""
    values = sorted(v for v in map(of_five, draws_of_five(n)) if v is not None)
    return values[int(0.025 * len(values))], values[min(int(0.975 * len(values)), len(values) - 1)]


# ---- Pictures ----

def pyplot():
    try:
        import matplotlib
    except ImportError:
        raise SystemExit('needs matplotlib (Debian: python3-matplotlib)') from None
    matplotlib.use('Agg')
    matplotlib.rcParams.update({
        'font.size': 9, 'axes.grid': True, 'grid.color': '#DDDDDD', 'axes.axisbelow': True,
        'axes.spines.top': False, 'axes.spines.right': False, 'legend.frameon': False,
        'lines.markersize': 4.5, 'savefig.dpi': 130, 'svg.hashsalt': 'dcsim',
    })
    import matplotlib.pyplot as plt
    return plt


def save(figure, folder, name):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    figure.savefig(path, bbox_inches='tight', metadata={'Software': None})
    print(path, f'{os.path.getsize(path) / 1000:.0f} kB')
