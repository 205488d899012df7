#!/usr/bin/env python3
"""TReM, figure 7: share of user-facing tasks within their SLA (200 ms) against load, W1 and W2."""
from trem import LOADS, POLICIES, WORKLOADS, Results, arguments, draw, paper, pyplot, save

# Section VI-B1: load, per cent. Read as "without TReM" and "with" for Priority and Elastic alike.
PRINTED = {'W1': [(0.25, 99), (1.0, 93), (2.0, 92), (1.0, 99), (2.0, 98)],
           'W2': [(0.25, 99), (1.0, 90), (1.0, 98), (2.0, 96)]}


def main():
    given = arguments(__doc__)
    results = Results(given.database)
    plt = pyplot()
    figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.4), sharey=True)
    for axes, w in zip(panels, WORKLOADS):
        for p, r in POLICIES:
            columns = [results.metric(results.select(workload=w, policy=p, revocation=r, load=l),
                                      'sla_met', 'latency') for l in LOADS]
            draw(axes, LOADS, columns, p, r, scale=100)
        paper(axes, *zip(*PRINTED[w]), label='printed in the paper')
        axes.set_title(f'{w}: {"50:50" if w == "W1" else "80:20"} user-facing to batch jobs', fontsize=9)
        axes.set_xlabel('load (offered work over capacity)')
        axes.set_xticks(LOADS, [f'{l:g}' for l in LOADS], fontsize=8)
    panels[0].set_ylabel('user-facing tasks within 200 ms (%)')
    panels[0].set_ylim(top=100.5)
    figure.legend(*panels[0].get_legend_handles_labels(), loc='lower center', ncols=5, fontsize=8,
                  bbox_to_anchor=(0.5, -0.09))
    save(figure, given.output, 'trem-fig07.png')


if __name__ == '__main__':
    main()
