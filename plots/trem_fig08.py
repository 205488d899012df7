#!/usr/bin/env python3
"""TReM, figure 8: what revocations cost against load: how many, how many more Priority needs than
Elastic, and the work that is lost; means of W1 and W2 (the paper does not say which it shows)."""
from trem import (COLOURS, LOADS, MARKS, WORKLOADS, Results, arguments, average, draw, mean, paper, pyplot,
                  ratio_interval, save)


def main():
    given = arguments(__doc__)
    results = Results(given.database)
    plt = pyplot()
    figure, (count, more, lost) = plt.subplots(1, 3, figsize=(9.6, 3.1))
    figure.subplots_adjust(wspace=0.32)

    def columns(name, policy, scale=1):
        return [average([[scale * v for v in results.metric(results.select(
            workload=w, policy=policy, load=l), name)] for w in WORKLOADS]) for l in LOADS]

    for policy in ('priority', 'elastic'):
        draw(count, LOADS, columns('revocations', policy), policy, True)
        draw(lost, LOADS, columns('lost_over_useful', policy, 100), policy, True)
    count.set_ylim(bottom=0)
    count.set_title('(a) revocations', fontsize=9)
    count.set_ylabel('revocations of a run')
    count.legend(fontsize=8)

    pairs = list(zip(columns('revocations', 'priority'), columns('revocations', 'elastic')))
    ratio = [100 * (mean(a) / mean(b) - 1) for a, b in pairs]
    bounds = [[100 * (v - 1) for v in ratio_interval(a, b)] for a, b in pairs]
    more.errorbar(LOADS, ratio, yerr=[[r - b[0] for r, b in zip(ratio, bounds)],
                                      [b[1] - r for r, b in zip(ratio, bounds)]],
                  color=COLOURS['priority'], marker=MARKS['priority'], capsize=2, label='ratio of means')
    paper(more, [0.25, 0.5, 2.0], [33, 27, 14], 'printed in the paper')
    more.set_ylim(bottom=0)
    more.set_title('(a) Priority over Elastic', fontsize=9)
    more.set_ylabel('more revocations (%)')
    more.legend(fontsize=8, loc='lower left')

    paper(lost, [2.0], [3], 'printed')
    lost.plot([0.25], [2], linestyle='none', marker='v', markersize=8, color='black',
              markerfacecolor='#CCBB44', label='printed: below', zorder=5)
    lost.set_title('(b) lost work', fontsize=9)
    lost.set_ylabel('lost over useful work (%)')
    lost.set_ylim(0, 15)
    lost.legend(fontsize=8, loc='upper left', ncols=2, columnspacing=0.8,
                handletextpad=0.3, handlelength=1.5)
    for axes in (count, more, lost):
        axes.set_xlabel('load')
        axes.set_xticks([0.25, 0.5, 1, 1.5, 2], ['0.25', '0.5', '1', '1.5', '2'])
    save(figure, given.output, 'trem-fig08.png')


if __name__ == '__main__':
    main()
