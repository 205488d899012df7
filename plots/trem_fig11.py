#!/usr/bin/env python3
"""TReM, figure 11: SLA violations at load 1.0, means of W1 and W2: (a) against the number of GPUs, by
both readings of "load 1.0"; (b) against the latency of a revocation on 4 GPUs."""
from trem import (GPUS, LATENCIES, WORKLOADS, Results, arguments, average, draw, paper, pyplot, save)


def main():
    given = arguments(__doc__)
    results = Results(given.database)
    plt = pyplot()
    figure, panels = plt.subplots(1, 3, figsize=(10.4, 3.3))
    figure.subplots_adjust(wspace=0.28)

    def late(**point):
        return average([results.late(results.select(workload=w, **point)) for w in WORKLOADS])

    for axes, load_devices, reading in ((panels[0], 0, 'load follows the GPUs'),
                                        (panels[1], 4, 'the jobs of 4 GPUs')):
        for r in (False, True):
            draw(axes, GPUS, [late(revocation=r, devices=g, load_devices=load_devices) for g in GPUS],
                 'elastic', r)
        paper(axes, [4, 16], [1, 1], 'printed in the paper (those of 1 %: below 1 %)')
        axes.set_xscale('log', base=2)
        axes.set_xticks(GPUS, [str(g) for g in GPUS])
        axes.set_title(f'(a) {reading}', fontsize=9)
        axes.set_xlabel('GPUs')
        axes.set_ylim(bottom=0)
    panels[0].set_ylabel('violations (%)')

    for p in ('priority', 'elastic'):
        draw(panels[2], LATENCIES, [late(policy=p, latency_ms=float(ms)) for ms in LATENCIES], p, True)
    paper(panels[2], [10, 1000], [1, 6], 'printed in the paper (those of 1 %: below 1 %)')
    panels[2].set_xscale('log')
    panels[2].set_xticks(LATENCIES, [str(ms) for ms in LATENCIES])
    panels[2].minorticks_off()
    panels[2].tick_params(axis='x', labelsize=8)
    panels[2].set_title('(b) 4 GPUs', fontsize=9)
    panels[2].set_xlabel('latency of a revocation (ms)')
    panels[2].set_ylim(bottom=0)
    handles = {}
    for axes in panels:
        found, names = axes.get_legend_handles_labels()
        handles.update(zip(names, found))
    figure.legend(handles.values(), handles.keys(), loc='lower center', ncols=4, fontsize=8,
                  bbox_to_anchor=(0.5, -0.09))
    save(figure, given.output, 'trem-fig11.png')


if __name__ == '__main__':
    main()
