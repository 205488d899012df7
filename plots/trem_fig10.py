#!/usr/bin/env python3
"""TReM, figure 10: how Elastic + TReM divides four GPUs between user-facing and batch tasks, and the
response times of the user-facing tasks, around user-facing jobs of the first run of W1 at load 1.0.

Launches that were revoked leave no row, so batch GPUs are inferred: Elastic leaves no GPU idle while
a batch task waits, so they are the GPUs that serve no user-facing task, as far as batch tasks are
there. The few ms of a revocation in between count as batch."""
from trem import COLOURS, Results, arguments, pyplot, save

JOBS = 4


def requests(results, point, group):
    """(arrival, start, end, deadline, job) in s."""
    rows = results.db.execute(
        'SELECT r.arrival_ns / 1e9, r.start_ns / 1e9, r.end_ns / 1e9, r.deadline_ns / 1e9, r.job, a.name '
        'FROM request r JOIN application a ON a.experiment = r.experiment AND a.app = r.app '
        'WHERE r.experiment = ? AND r.replication = 0 AND a.class = ? ORDER BY r.job, r.number',
        (point, group)).fetchall()
    if not rows:
        raise SystemExit('no rows of requests; configs/trem/figures.sh makes them')
    return rows


def steps(changes, low, high):
    """(time, change) to the two lists of a step line from low to high."""
    level = sum(c for t, c in changes if t <= low)
    x, y = [low], [level]
    for t, c in sorted(changes):
        if low < t < high:
            if t == x[-1]:
                y[-1] += c
            else:
                x.append(t)
                y.append(y[-1] + c)
    return x + [high], y + [y[-1]]


def interesting(user, batch):
    """The jobs with the most late tasks, and those with the most GPUs, that met batch tasks."""
    jobs = {}
    for arrival, start, end, deadline, job, app in user:
        jobs.setdefault(job, []).append((arrival, start, end, deadline, app))

    def met_batch(rows):
        begin = rows[0][0]
        return sum(a <= begin < e for a, _, e, _, _, _ in batch) >= 4

    def peak(rows):
        return max(sum(s <= t < e for _, s, e, _, _ in rows) for _, t, _, _, _ in rows)
    candidates = sorted(j for j, rows in jobs.items() if met_batch(rows) and len(rows) >= 3)
    late = sorted(candidates, key=lambda j: (-sum(r[2] > r[3] for r in jobs[j]), j))[:JOBS // 2]
    wide = [j for j in candidates if j not in late and len(jobs[j]) <= 100]
    wide = sorted(wide, key=lambda j: (-peak(jobs[j]), -len(jobs[j]), j))[:JOBS - len(late)]
    return [jobs[j] for j in sorted(late + wide)]


def main():
    given = arguments(__doc__)
    results = Results(given.database)
    point = results.select()
    user, batch = (requests(results, point, group) for group in ('latency', 'batch'))
    chosen = interesting(user, batch)
    plt = pyplot()
    figure, panels = plt.subplots(2, len(chosen), figsize=(10.4, 4.4), sharey='row', sharex='col',
                                  height_ratios=[1, 1.3])
    figure.subplots_adjust(hspace=0.12, wspace=0.08)
    outstanding = [(a, 1) for a, _, _, _, _, _ in batch] + [(e, -1) for _, _, e, _, _, _ in batch]
    serving = [(s, 1) for _, s, _, _, _, _ in user] + [(e, -1) for _, _, e, _, _, _ in user]
    for (top, bottom), rows in zip(zip(*panels), chosen):
        begin, end = rows[0][0], max(r[2] for r in rows)
        pad = 0.15 * (end - begin)
        low, high = begin - pad, end + pad
        x, y = steps(serving, low, high)
        waiting = [sum(c for t, c in outstanding if t <= at) for at in x]
        free = [min(4 - u, w) for u, w in zip(y, waiting)]
        shift = [1000 * (t - begin) for t in x]
        top.step(shift, free, where='post', color='#4477AA', linewidth=2.5, alpha=0.9, label='batch')
        top.step(shift, y, where='post', color='#EE6677', linewidth=1.5, label='user-facing')
        top.set_title(f'{rows[0][4]}: {len(rows)} tasks\nat {begin / 60:.0f} min', fontsize=9)
        met = [r for r in rows if r[2] <= r[3]]
        late = [r for r in rows if r[2] > r[3]]
        for some, mark, face, name in ((met, 'o', 'white', 'within SLA'), (late, 's', '#222222', 'late')):
            bottom.plot([1000 * (r[2] - begin) for r in some], [1000 * (r[2] - r[0]) for r in some],
                        linestyle='none', marker=mark, color='#222222', markerfacecolor=face, label=name)
        bottom.plot([1000 * (r[0] - begin) for r in rows], [0] * len(rows), linestyle='none', marker='x',
                    color='#CC3311', clip_on=False, label='arrival')
        bottom.axhline(200, color='#888888', linestyle='--', linewidth=1)
        bottom.set_xlabel('time since arrival (ms)')
    top, bottom = panels[0][0], panels[1][0]
    top.set_ylabel('GPUs')
    top.set_yticks(range(5))
    bottom.set_ylabel('response time (ms)')
    bottom.set_ylim(bottom=0)
    bottom.annotate('SLA', (0.02, 200), xycoords=('axes fraction', 'data'), fontsize=8, va='bottom')
    handles = [h for axes in (top, panels[1][1]) for h in zip(*axes.get_legend_handles_labels())]
    figure.legend(*zip(*handles), loc='lower center', ncols=5, bbox_to_anchor=(0.5, -0.06), fontsize=8)
    save(figure, given.output, 'trem-fig10.png')


if __name__ == '__main__':
    main()
