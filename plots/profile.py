#!/usr/bin/env python3
"""Pictures of a measured profile (dcsim-calibrate), as PNG and SVG.

  plots/profile.py PROFILE.db [FOLDER]          default folder: the current one

profile-sms           time of a request at its default size over SMs, relative to the whole device
profile-sensitivity   slow-down of a kernel over the pressure beside it, on half of the device
profile-fusion        fused time over the load ratio, both in units of the tensor kernel's own time

Needs the tables of schema version 2; a picture whose tables are empty is left out, and said so.
"""
import os
import sys

from trem import open_database, pyplot

COLOURS = ['#4477AA', '#EE6677', '#228833', '#CCBB44', '#66CCEE', '#AA3377', '#BBBBBB']
MARKS = 'osD^vPX'


def save(figure, folder, name):
    for kind in ('png', 'svg'):
        path = os.path.join(folder, f'{name}.{kind}')
        figure.savefig(path, dpi=150, metadata={'Date': None} if kind == 'svg' else None)
        print(path)


def style(axes, x, y):
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(True, alpha=0.3)
    for side in ('top', 'right'):
        axes.spines[side].set_visible(False)


def draw_sms(db, plt, folder):
    """Services left, batch right; the light line is perfect scaling."""
    rows = db.execute("""SELECT s.application, a.class, s.sms, s.median_ns FROM request_solo s
        JOIN subject j ON j.application = s.application AND j.size_default = s.size
        JOIN application a ON a.name = s.application ORDER BY 1, 3""").fetchall()
    if not rows:
        return False
    whole = max(r[2] for r in rows)
    figure, panels = plt.subplots(1, 2, figsize=(10, 5.4), sharey=True, constrained_layout=True)
    for axes, cls in zip(panels, ('latency', 'batch')):
        names = sorted({r[0] for r in rows if r[1] == cls})
        for i, name in enumerate(names):
            points = [(r[2], r[3]) for r in rows if r[0] == name]
            base = dict(points).get(whole)
            if base:
                axes.plot([p[0] for p in points], [p[1] / base for p in points],
                          color=COLOURS[i % len(COLOURS)], linestyle=('-', '--', ':')[i // len(COLOURS) % 3],
                          marker=MARKS[i % len(MARKS)], markersize=3.5, linewidth=1, label=name)
        ideal = sorted({r[2] for r in rows})
        axes.plot(ideal, [whole / s for s in ideal], color='black', alpha=0.25, linewidth=4, zorder=0,
                  label='in proportion')
        axes.set_xscale('log', base=2)
        axes.set_yscale('log', base=2)
        axes.set_xticks([s for s in (8, 16, 32, 64, whole) if s >= ideal[0]])
        axes.set_xticklabels([str(int(t)) for t in axes.get_xticks()])
        axes.set_yticks([1, 2, 4, 8, 16])
        axes.set_yticklabels(['1', '2', '4', '8', '16'])
        style(axes, 'SMs', 'time over that of the whole device' if cls == 'latency' else '')
        axes.set_title('services' if cls == 'latency' else 'batch applications')
        axes.legend(fontsize=6.5, ncol=2, frameon=False)
    save(figure, folder, 'profile-sms')
    return True


def draw_sensitivity(db, plt, folder, kernels=7):
    """One panel a resource: the kernels that suffer most from it."""
    families = [('dram-copy', 'dram_gbs', 'DRAM copy beside it, GB/s'),
                ('gather-32', 'dram_gbs', 'random 32-byte gathers beside it, GB/s'),
                ('l2-read', 'l2_gbs', 'L2 hits beside it, GB/s')]
    half = db.execute("""SELECT sms FROM corun_side JOIN corun ON id = corun WHERE kind = 'sensitivity' AND side = 0
        GROUP BY sms ORDER BY count(*) DESC LIMIT 1""").fetchone()
    if half is None:
        return False
    figure, panels = plt.subplots(1, 3, figsize=(12, 4.6), sharey=True, constrained_layout=True)
    for axes, (family, column, label) in zip(panels, families):
        curves = {}
        for name, kernel, pressure, slow in db.execute(f"""
                SELECT v.application, v.kernel, c.{column}, v.mean_ns / v.solo_mean_ns FROM corun c
                JOIN corun_side v ON v.corun = c.id AND v.side = 0
                JOIN corun_side p ON p.corun = c.id AND p.side = 1
                WHERE c.kind = 'sensitivity' AND p.application = ? AND v.sms = ? ORDER BY 3""",
                                                       (family, half[0])):
            curves.setdefault((name, kernel), []).append((pressure, slow))
        worst = {}
        for (name, kernel), points in curves.items():
            if name not in worst or max(p[1] for p in points) > max(p[1] for p in worst[name]):
                worst[name] = points
        order = sorted(worst, key=lambda n: -max(p[1] for p in worst[n]))
        shown = order[:: max(1, len(order) // kernels)][:kernels]
        for i, name in enumerate(shown):
            axes.plot([0] + [p[0] for p in worst[name]], [1] + [p[1] for p in worst[name]], color=COLOURS[i],
                      marker=MARKS[i], markersize=4, linewidth=1.2, label=name)
        style(axes, label, 'time over that alone' if family == 'dram-copy' else '')
        axes.legend(fontsize=7.5, frameon=False)
    save(figure, folder, 'profile-sensitivity')
    return True


def draw_fusion(db, plt, folder):
    """One panel a CUDA kernel, one tensor kernel: one after the other, the best candidate, and the limit."""
    size = db.execute('SELECT tensor, tensor_size FROM fused GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 1').fetchone()
    if size is None:
        return False
    rows = db.execute("""SELECT cuda, tensor_blocks, cuda_blocks, 1.0 * cuda_ns / tensor_ns, 1.0 * median_ns / tensor_ns
        FROM fused WHERE tensor = ? AND tensor_size = ? ORDER BY 1, 2, 3, 4""", size).fetchall()
    names = sorted({r[0] for r in rows})
    figure, panels = plt.subplots(2, (len(names) + 1) // 2, figsize=(12, 6), sharex=True, sharey=True,
                                  constrained_layout=True, squeeze=False)
    flat = [axes for row in panels for axes in row]
    for axes, name in zip(flat, names):
        candidates = {}
        for _, tensor, cuda, ratio, fused in (r for r in rows if r[0] == name):
            candidates.setdefault((tensor, cuda), []).append((ratio, fused))
        apart = candidates.pop((0, 0), [])
        best = min(candidates, key=lambda c: sum(f for _, f in candidates[c]) / len(candidates[c]), default=None)
        axes.plot([p[0] for p in apart], [p[1] for p in apart], color=COLOURS[1], marker='s', markersize=3,
                  linewidth=1, label='one after the other')
        if best:
            axes.plot([p[0] for p in candidates[best]], [p[1] for p in candidates[best]], color=COLOURS[0],
                      marker='o', markersize=3, linewidth=1, label=f'fused, best {best[0]}:{best[1]}')
        axes.plot([0, 1, 2], [1, 1, 2], color='black', alpha=0.4, linestyle=':', label='the longer one alone')
        axes.set_title(name, fontsize=10)
        style(axes, '', '')
        axes.legend(fontsize=6.5, frameon=False)
    for axes in flat[len(names):]:
        axes.set_visible(False)
    figure.supxlabel(f'load ratio: time of the CUDA kernel over that of {size[0]}, {size[1]} images')
    figure.supylabel("time of both over the tensor kernel's")
    save(figure, folder, 'profile-fusion')
    return True


def main():
    if not 2 <= len(sys.argv) <= 3:
        raise SystemExit(__doc__)
    db = open_database(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else '.'
    os.makedirs(folder, exist_ok=True)
    plt = pyplot()
    for what, drawn in (('SMs', draw_sms), ('sensitivity', draw_sensitivity), ('fusion', draw_fusion)):
        if not drawn(db, plt, folder):
            print(f'{what}: not measured', file=sys.stderr)


if __name__ == '__main__':
    main()
