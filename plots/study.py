"""What the tables of the studies of C-Laius and Tacker share: the points of a results database, each a service beside a
batch application under a policy, or the service alone."""
import json
import math

from trem import half_width, mean

VERDICTS = ['violates', 'undecided', 'meets']


def setting_of(config):
    """How requests come, the SLA and the inputs: what policies are compared in."""
    workload = config['workload']
    group = workload['colocated'][0] if workload.get('colocated') else None
    service = group or workload['services'][0]
    words = []
    if group and group['clients'] > 0:
        words.append('one outstanding request')
    elif group:
        words.append(f"Poisson at {100 * group['fraction_of_peak']:g} % of the peak")
    else:
        arrivals = service['arrivals']
        words.append('paced' if arrivals['process'] == 'deterministic' else
                     f"Poisson at {100 * arrivals['fraction_of_peak']:g} % of the peak")
    words.append(f"SLA {service['sla_factor']:g} times the time alone" if service['sla_factor'] > 0 else
                 f"SLA {service['sla_ms']:g} ms")
    inputs = group['service_input'] if group else service.get('input', 'default')
    if inputs != 'default':
        words.append('one image' if inputs == '1' else f'{inputs} inputs')
    if group and group['batch_input'] != 'default':
        words.append('batch requests of drawn sizes')
    return ', '.join(words)


class Point:
    """One experiment with one service, and one batch application or none. Lists have a number for each replication. A
    p99 that lies beyond all that was seen is infinite."""

    def __init__(self, db, number, config):
        self.db, self.number, self.config = db, number, config
        apps = dict(db.execute('SELECT class, app FROM application WHERE experiment = ?', (number,)))
        names = dict(db.execute('SELECT class, name FROM application WHERE experiment = ?', (number,)))
        self.app = apps
        groups = config['workload'].get('colocated')
        there = groups[0]['batch_per_domain'] > 0 if groups else config['workload'].get('batch')
        self.service, self.batch = names['latency'], names['batch'] if there else None
        self.late = [1 - v for v in self.metric('sla_met', apps['latency'])]
        self.throughput = self.metric('normalised_throughput', apps['batch']) if self.batch else []
        row = db.execute('SELECT verdict, p99_ms / sla_ms, sla_ms, p99_ms FROM sla_verdict WHERE experiment = ?',
                         (number,)).fetchone()
        self.verdict, self.p99_over_sla, self.sla_ms, self.p99_ms = row or (None, None, None, None)
        if self.verdict is not None and self.p99_over_sla is None:
            self.p99_over_sla = self.p99_ms = math.inf

    def metric(self, name, app=None):
        return [row[0] for row in self.db.execute(
            'SELECT value FROM metric WHERE experiment = ? AND name = ? AND app IS ? AND class IS NULL '
            'AND value IS NOT NULL ORDER BY replication', (self.number, name, app))]


def read(db, names, variant):
    """{setting: {policy: {(service, batch or None): point}}} of the experiments of these names; variant(config) names
    the policy with what differs from its defaults."""
    points = {}
    marks = ', '.join('?' * len(names))
    for number, text in db.execute(f'SELECT id, config FROM experiment WHERE name IN ({marks})', names):
        point = Point(db, number, json.loads(text))
        if point.verdict is not None and point.late:
            policies = points.setdefault(setting_of(point.config), {})
            policies.setdefault(variant(point.config), {})[point.service, point.batch] = point
    return points


def pairs(points):
    return {pair: p for pair, p in points.items() if pair[1] is not None}


def cell(values, digits, sign=''):
    text = f'{mean(values):{sign}.{digits}f}'
    return text if len(values) < 2 else f'{text} ± {half_width(values):.{digits}f}'


def as_seen(value, digits):
    """A p99 as text; "not seen" where it lies beyond all that was seen."""
    return f'{value:.{digits}f}' if value < math.inf else 'not seen'


def table(*columns):
    print('| ' + ' | '.join(columns) + ' |')
    print('| --- ' * len(columns) + '|')


def policy_cells(found, alone):
    """Of the pairs of a policy: how many there are; violate, are undecided, meet; late, in per cent; that without batch
    work under the same policy; by how much more than `alone`, the service on the whole device, and how many pairs add
    more than one request in a hundred; p99 over the SLA, median and worst; batch throughput over that alone."""
    both = pairs(found)
    verdicts = [sum(p.verdict == v or (v == 'violates' and p.verdict == 'infeasible') for p in both.values())
                for v in VERDICTS]
    late = [100 * mean(p.late) for p in both.values()]
    own = [100 * mean(p.late) for pair, p in found.items() if pair[1] is None]
    added = [[100 * (a - b) for a, b in zip(p.late, alone[p.service, None].late)] for p in both.values()
             if (p.service, None) in alone]
    over = sorted(p.p99_over_sla for p in both.values())
    more = sum(mean(a) - (half_width(a) if len(a) > 1 else 0) > 1 for a in added)
    return [str(len(both)), *map(str, verdicts), f'{mean(late):.2f}', f'{mean(own):.2f}' if own else '',
            f'{mean([mean(a) for a in added]):+.2f}' if added else '', str(more) if added else '',
            as_seen(over[len(over) // 2], 3), as_seen(over[-1], 3),
            f'{100 * mean([mean(p.throughput) for p in both.values()]):.1f}']


POLICY_COLUMNS = ['policy', 'pairs', 'violate', 'undecided', 'meet', 'late, %', 'without batch: late, %', 'added, points',
                  'pairs that add more than 1', 'p99 over SLA: median', 'worst', 'batch over alone, %']


def print_policies(points, rank, alone_under='baymax'):
    """A table for each setting."""
    for setting, policies in sorted(points.items()):
        print(f'**{setting[0].upper()}{setting[1:]}**\n')
        table(*POLICY_COLUMNS)
        alone = policies.get(alone_under, {})
        for policy in sorted(policies, key=rank):
            if pairs(policies[policy]):
                print(f'| {policy} | ' + ' | '.join(policy_cells(policies[policy], alone)) + ' |')
        print()
