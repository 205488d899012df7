# C-Laius, figures 2, 16 and 18: p99 of the service over its SLA by pair, six policies
eval canvas(980, 590)
array name[6] = ['MPS even', 'MPS priority', 'Baymax', 'C-Laius', 'C-Laius-NB', 'C-Laius-NC']
array printed[6]
do for [i=1:6] { printed[i] = system(sprintf("awk '$1 == %d { print $2 \" of \" $3 }' '%s'", i, paper)) }
violating(i) = system(sprintf("awk -F '\t' '$1 == %d { n++; late += $7; open += $8 } END { printf \"%%d of %%d violate, %%d undecided\", late, n, open }' '%s'", i, data))
set multiplot
set lmargin at screen 0.065
set rmargin at screen 0.985
set xrange [0.4:last + 0.75]
set grid noxtics
set logscale y
# All intervals are inside.
low = real(system(sprintf("awk -F '\t' 'BEGIN { m = 0.5 } NF > 5 && $5 > 0 && $5 < m { m = $5 } END { print m }' '%s'", data)))
high = real(system(sprintf("awk -F '\t' 'BEGIN { m = 20 } NF > 5 && $6 > m { m = $6 } END { print m }' '%s'", data)))
set yrange [low * 0.95:high * 1.05]
if (high / low > 60) { set ytics 10; set ytics format '%g' } else { set ytics (0.5, 1, 2, 5, 10, 20) }
set xtics 1
set xtics format ''
set key at graph 0, 1.16 left top horizontal maxcols 2 reverse Left samplen 1.5 width 1
do for [row=1:3] {
    even = 2 * row
    odd = even - 1
    set tmargin at screen 0.94 - 0.265 * (row - 1)
    set bmargin at screen 0.74 - 0.265 * (row - 1)
    if (row == 2) { set ylabel 'p99 of the service over its SLA' } else { unset ylabel }
    if (row == 3) { set for [i=1:last] xtics add (pair(i) i) rotate by 90 right font ',8' }
    plot 1 with lines linestyle 9 linewidth 0.8 notitle, \
        data using ($1 == odd ? $2 : NaN):4:5:6 with yerrorbars linestyle 14 \
            title sprintf('%s: %s (paper: %s)', name[odd], violating(odd), printed[odd]), \
        data using ($1 == even ? $2 + 0.3 : NaN):4:5:6 with yerrorbars linestyle 11 \
            title sprintf('%s: %s (paper: %s)', name[even], violating(even), printed[even])
}
unset multiplot
