#!/usr/bin/env python3
"""TReM, figure 9: time to completion of batch jobs at load 2.0, jobs of W1 and W2 of all seeds
together: the distributions, how much longer each quantile is with TReM, and the quantiles of how
much longer one and the same job takes."""
from trem import (COLOURS, POLICIES, WORKLOADS, Results, arguments, label, paper, pyplot, quantile, save)

SHARES = [i / 100 for i in range(1, 100)]


def main():
    given = arguments(__doc__)
    results = Results(given.database)
    plt = pyplot()
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.8, 3.8))
    figure.subplots_adjust(wspace=0.25)
    quantiles, jobs = {}, {}
    for p, r in POLICIES:
        times = jobs[p, r] = [t for w in WORKLOADS for run in results.job_times(results.select(
            workload=w, policy=p, revocation=r, load=2.0)) for t in run]
        quantiles[p, r] = [quantile(times, s) for s in SHARES]
        left.plot([q / 60 for q in quantiles[p, r]], [100 * s for s in SHARES], color=COLOURS[p],
                  linestyle='-' if r else '--', label=label(p, r))
    left.set_xscale('log')
    left.set_xlabel('time to completion of a batch job (min)')
    left.set_ylabel('jobs that took at most so long (%)')
    left.set_xticks([3, 10, 30, 100], ['3', '10', '30', '100'])
    left.minorticks_off()
    left.set_xlim(left=3)
    left.legend(fontsize=8, loc='upper left')

    for p in ('priority', 'elastic'):
        ratio = [a / b for a, b in zip(quantiles[p, True], quantiles[p, False])]
        right.plot([100 * s for s in SHARES], ratio, color=COLOURS[p],
                   label=f'{label(p, False)}: ratio of quantiles')
        own = [a / b for a, b in zip(jobs[p, True], jobs[p, False])]
        right.plot([100 * s for s in SHARES], [quantile(own, s) for s in SHARES], color=COLOURS[p],
                   linestyle=':', label=f'{label(p, False)}: quantile of ratios')
    paper(right, [50, 99], [1.6, 3.2], 'printed in the paper: Priority')
    right.plot([50, 99], [1.3, 2.1], linestyle='none', marker='P', markersize=8, color='black',
               markerfacecolor='#CCBB44', label='printed in the paper: Elastic', zorder=5)
    right.axhline(1, color='#888888', linewidth=0.8)
    right.set_xlabel('quantile of the jobs (%)')
    right.set_ylabel('time with TReM over without')
    right.set_xlim(0, 101)
    right.legend(fontsize=8, loc='upper left')
    save(figure, given.output, 'trem-fig09.png')


if __name__ == '__main__':
    main()
