# C-Laius, figures 2, 16 and 18: pairs of a service and a batch application that violate the SLA, six policies
eval canvas(560, 330)
set yrange [0:52]
set ytics 8
set xrange [0.4:6.6]
set ylabel 'pairs of a service and a batch application'
set boxwidth 0.6
set style fill solid 0.5 border -1
set grid noxtics
set key outside top center horizontal maxcols 2 reverse Left samplen 2 width 1
of = system(sprintf("awk '$1 == 1 { print $3 }' '%s'", paper))
plot data using 2:($4 + $5):xtic(3) with boxes fillstyle pattern 4 linecolor rgb '#0072B2' title 'undecided', \
    data using 2:4 with boxes linecolor rgb '#0072B2' title 'violates', \
    data using 2:6 with points pointtype 2 linecolor rgb '#777777' title 'pairs that were run', \
    paper using 1:2 with points linestyle 9 title sprintf('printed in the paper (of %s)', of)
