#!/usr/bin/env python3
"""Fits the contention model of a profile to its co-runs with producers, and writes it there.

    calibrate/fit/fit_contention.py [--inferred] [--keep | --app NAMES] [--starts N] PROFILE.db

Reads the slow-downs of kernels beside producers and of producers as meters (co-runs of the kinds
'sensitivity' and 'meter') and the counters. Kernels that were beside producers only in their
requests (kind 'request') are fitted afterwards, to producers that stay as they are. Pairs and
triples of real kernels of the half 'dev' only choose among the fits from several starts; nothing of
a half 'test', 'test2' or 'test3' is read. Writes the tables contention_resource, contention_hinge,
contention_kernel, contention_weight and contention_range (the most that each kernel was slowed) in
one transaction, in place of what was there. Prints how far the fitted times are from the measured
ones, which steps of their measurement failed, and how many co-runs of recorded programs mislead.
The same profile gives the same rows.

  --inferred   also rows for the other kernels of default sizes that have counters: the mean of the
               three kernels that are most alike by them
  --keep       kernels that were fitted before keep their rows, and the fit is of the others alone
  --app NAMES  the fit is of these applications (names with commas between, and the shell's
               wildcards); all others keep their rows, guessed ones too. Where none has any, of all
  --starts N   from how many starts (default: 6); each takes half a minute for a whole profile

Needs numpy (Debian: python3-numpy); some minutes for a whole profile. docs/calibrate.md says more.
"""
import argparse
import fnmatch
import math
import os
import sqlite3
import sys

try:
    import numpy as np
except ImportError:
    sys.exit('fit_contention.py: needs numpy (Debian: python3-numpy)')

from contention_model import (FAMILIES, HINGES, LEVELS, PARAMETERS, RESOURCE_OF, RESOURCES, ROUNDS,
                              STARTS, TOP_LEVEL, Fit, FitBeside, at)

# Whatever is read of corun and corun_side goes through these, for names in temp come first.
WITHOUT_TEST_HALF = """
CREATE TEMP VIEW corun AS SELECT * FROM main.corun WHERE half IS NULL OR half = 'dev';
CREATE TEMP VIEW corun_side AS SELECT s.* FROM main.corun_side s JOIN main.corun c ON c.id = s.corun
    WHERE c.half IS NULL OR c.half = 'dev';
"""

CORUNS = """
SELECT c.id, c.kind, c.l2_gbs, v.application, v.size, v.kernel, v.sms, v.mean_ns,
       v.solo_mean_ns, p.application, p.size, p.sms, p.mean_ns, p.solo_mean_ns,
       min(v.clock_mhz, p.clock_mhz)
FROM corun c JOIN corun_side v ON v.corun = c.id AND v.side = 0
             JOIN corun_side p ON p.corun = c.id AND p.side = 1
WHERE c.kind IN ('sensitivity', 'request', 'meter') ORDER BY c.id
"""

REAL = """
SELECT c.id, s.application, s.size, s.kernel, s.sms, s.mean_ns, s.solo_mean_ns
FROM corun c JOIN corun_side s ON s.corun = c.id
WHERE c.kind IN ('pair', 'triple') AND c.mechanism = 'green' ORDER BY c.id, s.side
"""

FAILED = """
SELECT key, reason FROM step
WHERE kind IN ('sensitivity', 'sensitivity-l2', 'sensitivity-requests') AND state = 'failed'
ORDER BY key
"""

# Of programs below 75 %, producers with more held SMs of the program's (docs/validation/recorded.md).
CROWDED = """
SELECT count(*) FROM corun c JOIN corun_side v ON v.corun = c.id AND v.side = 0
                             JOIN corun_side p ON p.corun = c.id AND p.side = 1
WHERE c.kind IN ('sensitivity', 'meter') AND c.mechanism = 'mps' AND v.percent < 75
  AND v.percent + p.percent > 92
"""

# Kernels in clusters of blocks, on so many SMs, and what they take beside the producer that slows
# them least.
CLUSTERED = """
SELECT k.application, k.size, k.kernel, k.sms, min(v.mean_ns / v.solo_mean_ns)
FROM main.kernel_cluster k JOIN corun_side v ON v.side = 0 AND v.application = k.application AND
     v.size = k.size AND v.kernel = k.kernel AND v.sms = k.sms
     JOIN corun c ON c.id = v.corun AND c.kind = 'sensitivity' AND c.mechanism = 'mps'
GROUP BY 1, 2, 3, 4
"""

KEPT_LEVELS = 'SELECT resource, position, level FROM contention_hinge ORDER BY resource, position'
KEPT = """
SELECT application, size, kernel, sms, resource, pressure, source FROM contention_kernel
ORDER BY application, size, kernel, sms, resource
"""
KEPT_WEIGHTS = """
SELECT application, size, kernel, sms, resource, position, weight FROM contention_weight
ORDER BY application, size, kernel, sms, resource, position
"""

KEPT_RANGES = 'SELECT application, size, kernel, sms, slowdown FROM contention_range'

# Warm after cold, so that warm is what stays where both are known.
COUNTERS = """
SELECT application, size, kernel, duration_ns, dram_read_bytes, dram_write_bytes, l2_bytes,
       l2_hit_fraction, occupancy_fraction, tensor_active_fraction,
       size IS (SELECT size_default FROM subject s WHERE s.application = k.application)
FROM kernel_counters k ORDER BY l2
"""

# As in src/models/profile/profile_schema_2.sql.
TABLES = {
    'contention_resource': 'name TEXT PRIMARY KEY, position INTEGER NOT NULL, source TEXT NOT NULL',
    'contention_hinge': 'resource TEXT NOT NULL, position INTEGER NOT NULL, level REAL NOT NULL, '
                        'PRIMARY KEY(resource, position)',
    'contention_kernel': 'application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, '
                         'sms INTEGER NOT NULL, resource TEXT NOT NULL, pressure REAL NOT NULL, '
                         'source TEXT NOT NULL, '
                         'PRIMARY KEY(application, size, kernel, sms, resource)',
    'contention_weight': 'application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, '
                         'sms INTEGER NOT NULL, resource TEXT NOT NULL, position INTEGER NOT NULL, '
                         'weight REAL NOT NULL, '
                         'PRIMARY KEY(application, size, kernel, sms, resource, position)',
    'contention_range': 'application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, '
                        'sms INTEGER NOT NULL, slowdown REAL NOT NULL, '
                        'PRIMARY KEY(application, size, kernel, sms)',
}
RETIRED = ['contention_curve']  # of an earlier form of the model

# Of the highest clock: below, the power limit slowed the co-run, too.
CLOCK_PART = 0.95
# Slowed by more beside any producer, a kernel in clusters had no room for all of them at once.
MORE_WAVES = 1.15
SLOWDOWN_MAX = 1e6  # more is refused by what reads the profile
SMALLEST_WEIGHT = 5e-5  # what is below changes no time by 1 %, and is left out
ALIKE = 3


class Refused(Exception):
    """What is wrong with the profile, for who runs this."""


def positive(value, what):
    if not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise Refused(f'{what}: expected a number above 0, found {value!r}')
    return float(value)


def whole(value, what):
    if not isinstance(value, int) or value < 0:
        raise Refused(f'{what}: expected a whole number, found {value!r}')
    return value


def amount(value, what):
    """0 for what was not counted."""
    return 0.0 if value is None or value == 0 else positive(value, what)


def open_profile(path):
    """With a lock on it, so that what is read is still so when the rows are written."""
    if not os.path.isfile(path):
        raise Refused('no such file')
    with open(path, 'rb') as file:
        if file.read(16) != b'SQLite format 3\0':
            raise Refused('not a database; of a profile as SQL text, dcsim profile build makes one')
    db = sqlite3.connect(f'file:{sqlite_path(path)}?mode=rw', uri=True, isolation_level=None)
    db.execute('PRAGMA trusted_schema = OFF')
    db.executescript(WITHOUT_TEST_HALF)
    db.execute('BEGIN IMMEDIATE')
    kinds = dict(db.execute('SELECT name, type FROM main.sqlite_master'))
    for table in ('corun', 'corun_side', 'kernel_counters', 'overhead', 'subject'):
        if kinds.get(table) != 'table':
            raise Refused(f'no table {table}; is it a profile of dcsim-calibrate?')
    for table in TABLES:
        if kinds.get(table, 'table') != 'table':
            raise Refused(f'{table} is a {kinds[table]}; remove it')
    return db


def sqlite_path(path):
    return os.path.abspath(path).replace('%', '%25').replace('?', '%3f').replace('#', '%23')


def read_coruns(db):
    coruns, limited = [], 0
    highest = whole(db.execute('SELECT max(clock_mhz) FROM corun_side').fetchone()[0] or 0,
                    'corun_side: clock_mhz')
    for (number, kind, l2, application, size, kernel, sms, slow, alone, family, level,
         producer_sms, meter_slow, meter_alone, clock) in db.execute(CORUNS):
        where = f'corun {number}'
        key = (application, size, kernel)
        if family not in FAMILIES:
            raise Refused(f'{where}: no producer is called {family!r}')
        # 0: of a recorded program, whose clock is not known.
        if 0 < whole(clock, f'{where}: clock_mhz') < CLOCK_PART * highest:
            limited += 1
            continue
        meter = kind == 'meter'
        whole(sms, f'{where}: sms')
        whole(producer_sms, f'{where}: sms')
        alone = positive(alone, f'{where}: solo_mean_ns')
        coruns.append({
            'kernel': key, 'sms': sms, 'family': family, 'producer_sms': producer_sms,
            'level': TOP_LEVEL if meter else whole(level, f'{where}: size'),
            # All that a producer moves goes through L2.
            'gbs': None if meter else amount(l2, f'{where}: l2_gbs'),
            'slow': positive(slow, f'{where}: mean_ns') / alone,
            'in_request': kind == 'request', 'alone_ns': alone,
            'meter_slow': positive(meter_slow, f'{where}: mean_ns') /
                          positive(meter_alone, f'{where}: solo_mean_ns') if meter else None,
        })
    return coruns, limited


def is_named(application, names):
    return any(fnmatch.fnmatchcase(application, name) for name in names.split(','))


def is_guess(source):
    return source.startswith('like ')


class Kept:
    """What an earlier fit left and this one keeps: rows of the tables as they are.

    fitted: {(kernel, sms): pressures and weights} of those that were fitted, source: to what, most:
    the most that they were slowed."""

    def __init__(self):
        self.fitted, self.source, self.most = {}, {}, {}
        self.points, self.rows, self.weights = set(), [], []


    def was_fitted_to(self, corun):
        source = self.source.get((corun['kernel'], corun['sms']))
        if source is None or corun['in_request'] != ('in its request' in source):
            return False
        return corun['meter_slow'] is None or 'and 0 meter' not in source


def read_kept(db, names):
    """names: of applications whose rows are not kept; None: guessed rows are not."""
    option = '--keep' if names is None else '--app'
    if names is not None:
        known = [application for application, in db.execute('SELECT application FROM subject')]
        for name in names.split(','):
            if not any(is_named(str(application), name) for application in known):
                raise Refused(f'--app {name}: the profile has no such application')
    try:
        levels = list(db.execute(KEPT_LEVELS))
        rows, weights = list(db.execute(KEPT)), list(db.execute(KEPT_WEIGHTS))
    except sqlite3.Error as why:
        raise Refused(f'{option}: {why}: fit without it first') from why
    for row in rows + weights:
        if not all(isinstance(text, str) for text in (row[0], row[2], row[4])):
            raise Refused(f'contention_kernel, contention_weight: {row!r}: expected names')
        whole(row[1], 'contention_kernel, contention_weight: size')
        whole(row[3], 'contention_kernel, contention_weight: sms')
    kept, first = Kept(), {}
    kept.rows = [row for row in rows if (not is_guess(str(row[6])) if names is None else
                                         not is_named(row[0], names))]
    if not kept.rows:
        if names is None:
            raise Refused('--keep: no kernel was fitted before: fit without it first')
        return kept
    if levels != sorted((name, k, level) for name, hinges in zip(RESOURCES, HINGES)
                        for k, level in enumerate(hinges)):
        raise Refused(f'{option}: contention_hinge has other levels than this fit: fit without it')
    for r, name in enumerate(RESOURCES):
        first[name] = LEVELS + int(np.flatnonzero(RESOURCE_OF == r)[0])
    for application, size, kernel, sms, resource, pressure, source in kept.rows:
        point = (application, size, kernel), sms
        if resource not in first or not isinstance(pressure, float) or not 0 <= pressure < 1 or \
                not isinstance(source, str):
            raise Refused(f'contention_kernel: {application} {kernel}: {resource!r}, {pressure!r}, '
                          f'{source!r}: no pressure of a resource, or no source')
        kept.points.add(point)
        if not is_guess(source):
            values = kept.fitted.setdefault(point, np.zeros(PARAMETERS))
            values[RESOURCES.index(resource)] = pressure
            kept.source[point] = source
    for row in weights:
        application, size, kernel, sms, resource, position, weight = row
        point = (application, size, kernel), sms
        if point not in kept.points:
            continue
        where = f'contention_weight: {application} {kernel}'
        if resource not in first or \
                whole(position, where) >= len(HINGES[RESOURCES.index(resource)]):
            raise Refused(f'{where}: no such hinge')
        kept.weights.append(row)
        if point in kept.fitted:
            kept.fitted[point][first[resource] + position] = amount(weight, where)
    if db.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'contention_range'").fetchone():
        for *kernel, sms, slow in db.execute(KEPT_RANGES):
            if (tuple(kernel), sms) in kept.fitted:
                kept.most[tuple(kernel), sms] = positive(slow, f'contention_range: {kernel[0]}')
    return kept


def by_themselves(coruns):
    """Those of kernels outside requests. A meter alone does not tell a kernel's weights."""
    timed = {(c['kernel'], c['sms']) for c in coruns
             if not c['in_request'] and c['meter_slow'] is None}
    return [c for c in coruns if not c['in_request'] and (c['kernel'], c['sms']) in timed]


def part_coruns(coruns):
    """Those that producers are fitted to as well, and those of kernels that were beside producers
    in their requests alone; if there is nothing but requests, these are the former."""
    first = by_themselves(coruns)
    kernels = {c['kernel'] for c in first}
    further = [c for c in coruns if c['in_request'] and c['kernel'] not in kernels]
    if not first and not further:
        raise Refused("no co-runs of the kinds 'sensitivity' and 'request'; dcsim-calibrate "
                      'measures them')
    return (first, further) if first else (further, [])


def part_kept(coruns, fitted, names):
    """Those of points that are kept, to which producers are fitted, and those of other kernels, or
    of the applications that are named."""
    old = [c for c in coruns if (c['kernel'], c['sms']) in fitted]
    first = by_themselves(old) or [c for c in old if c['in_request']]
    if not first:
        raise Refused('no co-runs of the kernels that were fitted before: is the evidence of the '
                      'profile in it?')
    kernels = {kernel for kernel, _ in fitted}
    new = [c for c in coruns if c['kernel'] not in kernels and c['meter_slow'] is None and
           (names is None or is_named(c['kernel'][0], names))]
    outside = {c['kernel'] for c in new if not c['in_request']}
    return first, [c for c in new if not c['in_request'] or c['kernel'] not in outside]


def solo_of(coruns):
    """{(kernel, sms): ns alone}"""
    times = {}
    for c in coruns:
        if c['meter_slow'] is None:
            times.setdefault((c['kernel'], c['sms']), []).append(c['alone_ns'])
    return {point: float(np.mean(found)) for point, found in times.items()}


def most_slowed(coruns, kept, new):
    """{(kernel, sms): the most that it was slowed} in what its rows were fitted to: kept ones by their
    sources, or as an earlier fit left it where no such co-run is there; new: co-runs of the rest."""
    most = {}
    for c in [c for c in coruns if kept.was_fitted_to(c)] + new:
        point = c['kernel'], c['sms']
        most[point] = max(c['slow'], most.get(point, 1))
        if most[point] > SLOWDOWN_MAX:
            raise Refused(f'corun_side: {c["kernel"][0]} {c["kernel"][2]}: slowed by {c["slow"]:g}')
    return {**{point: slow for point, slow in kept.most.items() if point not in most}, **most}


def read_waves(db):
    """{(kernel, sms): waves} of kernels that ran in more waves than alone, beside all producers: these
    go on for ever where their clusters find no room. Beside real programs a simulation has a law for
    clusters of more than two; pairs hardly lack room there."""
    if not db.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'kernel_cluster'").fetchone():
        return {}
    return {((application, size, kernel), sms): waves
            for application, size, kernel, sms, waves in db.execute(CLUSTERED)
            if positive(waves, f'corun_side: {application} {kernel}: mean_ns') > MORE_WAVES}


def read_failed(db):
    """[(key, reason)] of steps whose co-runs the fit does without."""
    if not db.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'step'").fetchone():
        return []
    return [(printable(key), printable(reason)) for key, reason in db.execute(FAILED)]


def read_crowded(db):
    return db.execute(CROWDED).fetchone()[0]


def printable(text):
    """On one line, for it comes from a file."""
    return ''.join(c if c.isprintable() else '?' for c in str(text))


def read_real(db):
    """Co-runs of real kernels of the half for building models: of each a list of (kernel, sms,
    slow)."""
    coruns = {}
    for number, application, size, kernel, sms, slow, alone in db.execute(REAL):
        where = f'corun {number}'
        coruns.setdefault(number, []).append(
            ((application, size, kernel), whole(sms, f'{where}: sms'),
             positive(slow, f'{where}: mean_ns') / positive(alone, f'{where}: solo_mean_ns')))
    return list(coruns.values())


def read_ceilings(db):
    """Of DRAM and L2, 10^9 bytes per second: what dcsim-calibrate overhead reached on all SMs."""
    found = []
    for names in ("'copy', 'read'", "'l2_read'"):
        rows = db.execute("SELECT amount, median_ns FROM overhead WHERE mechanism = 'whole' "
                          f'AND what IN ({names})')
        best = max((positive(a, 'overhead.amount') / positive(ns, 'overhead.median_ns')
                    for a, ns in rows), default=None)
        if best is None:
            raise Refused(f'overhead: no row of {names} on the whole device; '
                          'dcsim-calibrate overhead measures it')
        found.append(best)
    return found


def read_counters(db, ceilings):
    """({kernel: bytes}, {kernel: features}, kernels of default sizes): what counters say."""
    counted, features, default = {}, {}, set()
    for (application, size, kernel, ns, read, written, l2, hit, occupancy, tensor,
         is_default) in db.execute(COUNTERS):
        if not ns or (read is None and l2 is None):
            continue
        key = (application, size, kernel)
        where = f'kernel_counters: {application}, size {size}, {kernel}'
        ns = positive(ns, where)
        read, written, l2, hit, occupancy, tensor = (
            amount(v, where) for v in (read, written, l2, hit, occupancy, tensor))
        counted[key] = (read, written, l2)
        if l2 > 0:
            features[key] = np.array([read / ns / ceilings[0], written / ns / ceilings[0],
                                      l2 / ns / ceilings[1], hit / 2, occupancy / 2, tensor / 2])
            if is_default:
                default.add(key)
    return counted, features, default


def infer(fitted, features, default):
    """{(kernel, sms): (values, source)} of kernels without sensitivity."""
    by_kernel = {}
    for (kernel, sms), values in sorted(fitted.items(), key=lambda item: item[0]):
        by_kernel.setdefault(kernel, []).append((sms, values))
    known = [kernel for kernel in by_kernel if kernel in features]
    counts = sorted({sms for _, sms in fitted})
    rows = {}
    for kernel in sorted(default - set(by_kernel)):
        nearest = sorted((float(np.sqrt(((features[k] - features[kernel]) ** 2).sum())), k)
                         for k in known)[:ALIKE]
        if not nearest:
            return {}
        share = np.array([1 / (distance + 0.02) for distance, _ in nearest])
        share /= share.sum()
        source = 'like ' + ', '.join(f'{k[0]} {k[2]}' for _, k in nearest)
        for sms in counts:
            values = sum(s * at(by_kernel[k], sms) for s, (_, k) in zip(share, nearest))
            rows[kernel, sms] = (values, source)
    return rows


def sources(coruns):
    """{(kernel, sms): what it was fitted to}"""
    counts = {}
    for c in coruns:
        count = counts.setdefault((c['kernel'], c['sms']), [0, 0, 0])
        count[2 if c['in_request'] else c['meter_slow'] is not None] += 1
    return {(kernel, sms): f'fitted to {r} co-runs in its request at {sms} SMs' if r else
            f'fitted to {n} sensitivity and {m} meter co-runs at {sms} SMs'
            for (kernel, sms), (n, m, r) in counts.items()}


def write(db, rows, kept, most, source):
    """Of kept rows what they were, to the last digit."""
    for table in list(TABLES) + RETIRED:
        db.execute(f'DROP TABLE IF EXISTS main.{table}')
    for table, columns in TABLES.items():
        db.execute(f'CREATE TABLE main.{table}({columns})')
    for r, (name, hinges) in enumerate(zip(RESOURCES, HINGES)):
        db.execute('INSERT INTO contention_resource VALUES(?, ?, ?)', (name, r, source))
        db.executemany('INSERT INTO contention_hinge VALUES(?, ?, ?)',
                       [(name, k, level) for k, level in enumerate(hinges)])
    kernels, weights = list(kept.rows), list(kept.weights)
    for (kernel, sms), (values, why) in rows.items():
        for r, name in enumerate(RESOURCES):
            kernels.append((*kernel, sms, name, float(f'{values[r]:.6g}'), why))
            weights += [(*kernel, sms, name, k, float(f'{w:.5g}'))
                        for k, w in enumerate(values[LEVELS:][RESOURCE_OF == r])
                        if w >= SMALLEST_WEIGHT]
    db.executemany('INSERT INTO contention_kernel VALUES(?, ?, ?, ?, ?, ?, ?)',
                   sorted(kernels, key=lambda row: (*row[:4], RESOURCES.index(row[4]))))
    db.executemany('INSERT INTO contention_weight VALUES(?, ?, ?, ?, ?, ?, ?)',
                   sorted(weights, key=lambda row: (*row[:4], RESOURCES.index(row[4]), row[5])))
    db.executemany('INSERT INTO contention_range VALUES(?, ?, ?, ?, ?)',
                   sorted((*kernel, sms, float(f'{slow:.5g}'))
                          for (kernel, sms), slow in most.items()))
    db.execute('COMMIT')


def print_errors(fit, further):
    print(f'{"time beside another, % off":28}{"n":>8}{"mean":>8}{"median":>8}{"p95":>8}{"max":>8}'
          f'{"as alone":>10}')
    rows = list(zip(('kernels', 'producers as meters'), fit.errors()))
    if further is not None:
        rows.append(('kernels fitted afterwards', further.errors()[0]))
    for what, (errors, alone) in rows:
        if len(errors):
            cells = (errors.mean(), np.median(errors), np.percentile(errors, 95), errors.max())
            print(f'{what:28}{len(errors):8}' + ''.join(f'{100 * c:8.2f}' for c in cells) +
                  f'{100 * alone.mean():10.2f}')


def print_failed(failed):
    for key, reason in failed:
        print(f'not measured: {key}: {reason}; at its SMs the fit has fewer co-runs or none, and a '
              'point without any is guessed from other numbers of SMs: measure again')


def print_waves(waves):
    if waves:
        print(f'of kernels in clusters of blocks that lacked room beside any producer, points: '
              f'{len(waves)}, their times over {min(waves.values()):.2f} to {max(waves.values()):.2f}')


def print_crowded(crowded):
    if crowded:
        print(f'{crowded} co-runs of recorded programs are beside producers that held SMs of the '
              "program's: its kernels seem slowed by next to nothing; run contend again")


def print_starts(starts):
    if not any(real for real, _ in starts):
        print('starts, mean % off on what was fitted, for there are no real kernels of dev: ' +
              ', '.join(f'{100 * own:.2f}' for _, own in starts))
        return
    print('starts, mean % off on real kernels of dev (and on what was fitted): ' +
          ', '.join(f'{100 * real:.2f} ({100 * own:.2f})' for real, own in starts))


def show_progress(done, rounds):
    print(f'round {done} of {rounds}', end='\n' if done == rounds else '\r', file=sys.stderr,
          flush=True)


def source_of(coruns):
    counts = [0, 0, 0]
    for c in coruns:
        counts[2 if c['in_request'] else c['meter_slow'] is not None] += 1
    return (f'levels chosen; weights and pressures fitted to {counts[0]} sensitivity and '
            f'{counts[1]} meter co-runs' + (f' and {counts[2]} in requests' if counts[2] else ''))


def print_unknown(coruns):
    """Of kernels that are fitted beside producers of an earlier fit."""
    if coruns:
        names = ', '.join(sorted({printable(c['kernel'][0]) for c in coruns}))
        print(f'{len(coruns)} co-runs are left out, beside producers on numbers of SMs or at '
              f'levels that no kernel of the fit was beside, of: {names}')


def fit_profile(path, inferred, keep, names, wanted_starts):
    db = open_profile(path)
    try:
        kept = read_kept(db, names) if keep or names is not None else Kept()
        coruns, limited = read_coruns(db)
        waves = read_waves(db)
        for c in coruns:
            c['slow'] /= waves.get((c['kernel'], c['sms']), 1)
        failed, crowded = read_failed(db), read_crowded(db)
        ceilings = read_ceilings(db)
        counted, features, default = read_counters(db, ceilings)
        first, new = part_kept(coruns, kept.fitted, names) if kept.fitted else part_coruns(coruns)
        fit, starts = Fit(first, counted, solo_of(first), ceilings), []
        if kept.fitted:
            fit.fit_producers(kept.fitted)
        else:
            starts = fit.run(read_real(db), wanted_starts, lambda done: sys.stderr.isatty() and
                             show_progress(done, wanted_starts * ROUNDS))
        further_coruns, further = [c for c in new if fit.knows(c)], None
        if further_coruns:
            further = FitBeside(further_coruns, counted, solo_of(further_coruns), ceilings, fit)
            further.run()
        why = sources(first + further_coruns)
        rows = {} if kept.fitted else fit.fitted()
        rows.update(further.fitted() if further else {})
        others = infer({**kept.fitted, **rows}, features, default) if inferred else {}
        others = {point: row for point, row in others.items() if point not in kept.points and
                  not (kept.fitted and names is not None and not is_named(point[0][0], names))}
        fitted = {**{point: (values, why[point]) for point, values in rows.items()}, **others}
        write(db, fitted, kept if kept.fitted else Kept(),
              most_slowed(coruns, kept, further_coruns + ([] if kept.fitted else first)),
              source_of(first + further_coruns))
    finally:
        db.close()  # what was not committed is undone
    print_errors(fit, further)
    if starts:
        print_starts(starts)
    print_failed(failed)
    print_waves(waves)
    print_crowded(crowded)
    print_unknown([c for c in new if not fit.knows(c)])
    rows.update(kept.fitted)
    print(f'{path}: {len(rows)} points of {len({k for k, _ in rows})} kernels fitted'
          f'{f" ({len(kept.fitted)} kept)" if kept.fitted else ""}, '
          f'{len(others)} of {len({k for k, _ in others})} inferred; '
          f'{limited} co-runs of a low clock left out')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('profile', metavar='PROFILE.db')
    parser.add_argument('--inferred', action='store_true', help=argparse.SUPPRESS)
    which = parser.add_mutually_exclusive_group()
    which.add_argument('--keep', action='store_true', help=argparse.SUPPRESS)
    which.add_argument('--app', metavar='NAMES', help=argparse.SUPPRESS)
    parser.add_argument('--starts', type=int, default=STARTS, choices=range(1, 101), metavar='N',
                        help=argparse.SUPPRESS)
    given = parser.parse_args()
    try:
        fit_profile(given.profile, given.inferred, given.keep, given.app, given.starts)
    except (Refused, sqlite3.Error, OSError) as why:
        print(f'fit_contention.py: {given.profile}: {why}', file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == '__main__':
    main()
