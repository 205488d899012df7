# C-Laius, figures 20 and 21: p99 of two services on one GPU over their SLAs, best static split and C-Laius
eval canvas(860, 430)
array name[2] = ['static', 'C-Laius']
array label[2] = ['best static split', 'C-Laius']
violating(i) = system(sprintf("awk -F '\t' '$1 == \"%s\" { n++; late += $10; open += $11 } END { printf \"%%d of %%d pairs violate, %%d undecided\", late, n, open }' '%s'", name[i], data))
printed(i) = system(sprintf("awk '$1 == \"%s\" { print $2 \" of \" $3 }' '%s'", name[i], paper))
set multiplot
set lmargin at screen 0.075
set rmargin at screen 0.985
set xrange [0.4:last + 0.6]
set yrange [0:*]
set grid noxtics
set xtics ()
set offsets 0, 0, graph 0.05, 0
set ylabel 'p99 over the SLA'
set key at screen 0.985, 0.99 top right vertical maxrows 1 reverse Left samplen 1.5 width 1
do for [i=1:2] {
    set tmargin at screen 0.94 - 0.4 * (i - 1)
    set bmargin at screen 0.63 - 0.4 * (i - 1)
    set label 1 sprintf('%s: %s (paper: %s)', label[i], violating(i), printed(i)) at graph 0, 1.1
    set for [p=1:last] xtics add ((i == 2 ? pair(p) : '') p) rotate by 90 right
    plot 1 with lines linestyle 9 linewidth 0.8 notitle, \
        data index name[i] using ($2 - 0.12):4:5:6 with yerrorbars linestyle 11 title (i == 1 ? 'first service' : ''), \
        data index name[i] using ($2 + 0.12):7:8:9 with yerrorbars linestyle 14 title (i == 1 ? 'second service' : '')
}
unset multiplot
