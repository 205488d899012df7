# TReM, figure 10: how Elastic + TReM divides four GPUs around four user-facing jobs, and their response times
eval canvas(980, 420)
set style line 1 linecolor rgb '#000000' linewidth 1.2 pointtype 6 pointsize 1
set style line 2 linecolor rgb '#000000' linewidth 1.2 pointtype 5 pointsize 0.8
set style line 3 linecolor rgb '#000000' linewidth 1.2 pointtype 2 pointsize 1
set style line 4 linecolor rgb '#000000' linewidth 1.2 dashtype 2
set multiplot
@legend
plot NaN notitle, keyentry with boxes linecolor rgb '#0072B2' fillstyle solid noborder title 'user-facing tasks', \
    keyentry with boxes linecolor rgb '#D55E00' fillstyle pattern 4 title 'batch tasks', \
    keyentry with points linestyle 1 title 'within its SLA', keyentry with points linestyle 2 title 'late', \
    keyentry with points linestyle 3 title 'arrival', keyentry with lines linestyle 4 title 'SLA'
@panels
title(i, n) = system(sprintf("awk -F '\t' '$1 == \"%d title\" { print $%d }' '%s'", i, n, data))
jobs = int(system(sprintf("cut -f 1 '%s' | grep -c '^[1-9] title'", data)))
stats data using (strcol(1)[1:3] eq 'met' || strcol(1)[1:4] eq 'late' ? $3 : 0) nooutput
top = 1.05 * (STATS_max > 200 ? STATS_max : 200)
do for [i=1:jobs] {
    left = 0.06 + 0.236 * (i - 1)
    set lmargin at screen left
    set rmargin at screen left + 0.215
    set tmargin at screen 0.8
    set bmargin at screen 0.57
    set autoscale # or stats leaves out what is outside of the last panel
    stats data index sprintf('%d levels', i) using 2 nooutput
    set xrange [STATS_min:STATS_max]
    set xtics STATS_max - STATS_min > 600 ? 200 : STATS_max - STATS_min > 250 ? 100 : 50
    unset xlabel
    set xtics format ''
    set yrange [0:4.05]
    set ytics 1 format (i == 1 ? '%g' : '')
    set ylabel i == 1 ? 'GPUs' : ''
    set title title(i, 2)."\n".title(i, 3) offset 0, -0.5
    plot data index sprintf('%d levels', i) using 2:($3 + $4) with fillsteps fillstyle pattern 4 linecolor rgb '#D55E00', \
        data index sprintf('%d levels', i) using 2:3 with fillsteps fillstyle solid linecolor rgb '#0072B2'
    set tmargin at screen 0.53
    set bmargin at screen 0.13
    unset title
    set xlabel 'ms since the job came'
    set xtics format '%g'
    set yrange [0:top]
    set ytics 200 format (i == 1 ? '%g' : '')
    set ylabel i == 1 ? 'response time (ms)' : ''
    plot 200 with lines linestyle 4, data index sprintf('met %d', i) using 2:3 with points linestyle 1, \
        data index sprintf('late %d', i) using 2:3 with points linestyle 2, \
        data index sprintf('arrival %d', i) using 2:3 with points linestyle 3
}
unset multiplot
