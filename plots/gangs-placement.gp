# Whole jobs: GPUs held over time, by order and placement
eval canvas(980, 640)
names = system(sprintf("sed -n 's/^# \\(.*\\), [a-z]*, [a-z_]*$/\\1/p' '%s' | sort -u | tr '\\n' ' '", data))
set multiplot layout words(names), 2 margins 0.075, 0.985, 0.09, 0.93 spacing 0.07, 0.13
set yrange [0:100]
set key top left reverse Left samplen 2
placements = 'first_fit best_fit fgd'
do for [n=1:words(names)] {
    do for [rule in 'fcfs easy'] {
        set title word(names, n).', '.rule
        set ylabel rule eq 'fcfs' ? 'GPUs held (%)' : ''
        set xlabel n == words(names) ? 'days since the first arrival' : ''
        plot for [i=1:3] data index word(names, n).', '.rule.', '.word(placements, i) using 3:4 with linespoints linestyle 2 * i - 1 linewidth (i == 3 ? 3 : 1.6) pointinterval 2 \
            title word(placements, i) noenhanced
    }
}
unset multiplot
