#!/usr/bin/env python3
"""C-Laius, figure 17: the quota of one request over time, and why it changed.

  plots/quota_timeline.py RESULTS.db [--replication N] [--job J --number N] [--output FOLDER]

Needs matplotlib and an experiment that was run with outputs.decisions = true and policy c-laius (the first of the
database, or --experiment ID). Without --job and --number a request is drawn whose quota changed for as many reasons as
any's, and least often. The line is the quota for the next kernel, a dot is a launch and the SMs that it got; the
dashed line is the deadline by the SLA, where the run kept its requests (outputs.requests = true).
"""
import argparse
import os
import sqlite3

from trem import open_database, pyplot

COLOURS = {'just_enough': '#4477AA', 'lag': '#EE6677', 'rolled_back': '#228833', 'split': '#AA3377',
           'priority_1': '#CCBB44', 'priority_2': '#66CCEE', 'priority_3': '#BBBBBB'}
LAUNCHES = ('launch', 'less_now')
# A minute: each second keeps thousands of decisions.
HOW = '''dcsim --config configs/c-laius/pair.json --set outputs.decisions=true --set outputs.requests=true \\
      --set horizon.duration_s=60 --set replications=1 --output RESULTS.db'''
IN_RUN = 'experiment = :experiment AND replication = :replication'
OF_REQUEST = IN_RUN + ' AND job = :job AND number = :number'


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('database', help='results of dcsim')
    parser.add_argument('--experiment', type=int, help='its id; the first')
    parser.add_argument('--replication', type=int, default=0)
    parser.add_argument('--job', type=int, help='of the request')
    parser.add_argument('--number', type=int, help='of the request within its job')
    parser.add_argument('--output', default='.', help='folder for the picture, made if it is missing')
    given = parser.parse_args()
    if (given.job is None) != (given.number is None):
        parser.error('--job and --number name a request together')
    return given


def find(db, given):
    """The request to draw, as the arguments of the queries; ends the program if there is none."""
    wanted = {'experiment': given.experiment, 'replication': given.replication, 'job': given.job,
              'number': given.number}
    if given.experiment is None:
        row = db.execute('SELECT min(experiment) FROM decision').fetchone()
        wanted['experiment'] = row[0]
    if given.job is None:
        row = db.execute(f"""SELECT job, number FROM decision WHERE {IN_RUN}
            AND what NOT IN {LAUNCHES} GROUP BY job, number
            ORDER BY count(DISTINCT what) DESC, count(*), job, number LIMIT 1""",
                         wanted).fetchone()
        if row is not None:
            wanted['job'], wanted['number'] = row
    rows = [] if wanted['job'] is None else db.execute(
        f'SELECT at_ns, kernel, what, value FROM decision WHERE {OF_REQUEST} ORDER BY position', wanted).fetchall()
    if not rows and wanted['experiment'] is None:
        raise SystemExit(f'{given.database}: has no decisions; they are kept by a run like\n  {HOW}')
    if not rows:
        there = db.execute(f'''SELECT job, min(number), max(number) FROM decision JOIN application USING (experiment, app)
            WHERE {IN_RUN} AND class = 'latency' GROUP BY job ORDER BY job LIMIT 3''', wanted).fetchall()
        text = ', '.join(f'of job {j} the numbers from {low} to {high}' for j, low, high in there) or 'no requests'
        raise SystemExit(f'{given.database}: experiment {wanted["experiment"]} has no decisions of such a request in '
                         f'replication {given.replication}; there are {text}')
    return wanted, rows


def deadline_ns(db, wanted):
    row = db.execute(f'SELECT deadline_ns FROM request WHERE {OF_REQUEST}', wanted).fetchone()
    return row[0] if row is not None else None


def draw(axes, rows, deadline):
    begin = rows[0][0]
    quota = [((at - begin) / 1e6, what, value) for at, _, what, value in rows if what not in LAUNCHES]
    launches = [((at - begin) / 1e6, what, value) for at, _, what, value in rows if what in LAUNCHES]
    end = (rows[-1][0] - begin) / 1e6
    axes.step([q[0] for q in quota] + [end], [q[2] for q in quota] + [quota[-1][2] if quota else 0],
              where='post', color='black', linewidth=1)
    if deadline is not None:
        axes.axvline((deadline - begin) / 1e6, color='black', linestyle='--', linewidth=1, label='deadline')
    for why, colour in COLOURS.items():
        points = [q for q in quota if q[1] == why]
        if points:
            axes.plot([p[0] for p in points], [p[2] for p in points], 'o', color=colour, markersize=6,
                      label=why.replace('_', ' '), zorder=3)
    for what, mark in zip(LAUNCHES, '.x'):
        points = [p for p in launches if p[1] == what]
        if points:
            axes.plot([p[0] for p in points], [p[2] for p in points], mark, color='grey', markersize=4,
                      label='launch' if what == 'launch' else 'launch with less', zorder=2)
    axes.set_xlabel('time since the first decision (ms)')
    axes.set_ylabel('SMs')
    axes.set_ylim(bottom=0)
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize=7, frameon=False, ncols=2)


def main():
    given = arguments()
    if not os.path.exists(given.database):
        raise SystemExit(f'{given.database}: no such file; it is made by a run like\n  {HOW}')
    db = open_database(given.database)
    try:
        wanted, rows = find(db, given)
    except sqlite3.Error as error:
        raise SystemExit(f'{given.database}: no results of dcsim that this script can read: {error}') from None
    try:
        plt = pyplot()
    except ImportError as error:
        raise SystemExit(f'{error}: the picture needs matplotlib (Debian: python3-matplotlib)') from None
    name = db.execute(f"""SELECT a.name FROM decision d JOIN application a USING (experiment, app)
        WHERE {OF_REQUEST} LIMIT 1""", wanted).fetchone()[0]
    figure, axes = plt.subplots(figsize=(7, 3.4), constrained_layout=True)
    draw(axes, rows, deadline_ns(db, wanted))
    axes.set_title(f'{name}: request {wanted["number"]} of job {wanted["job"]}, replication {wanted["replication"]}',
                   fontsize=9)
    path = os.path.join(given.output, 'quota-timeline.png')
    try:
        os.makedirs(given.output, exist_ok=True)
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise SystemExit(f'{path}: cannot be written: {error.strerror}') from None
    print(path)


if __name__ == '__main__':
    main()
