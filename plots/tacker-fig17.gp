# Tacker, figure 17: errors of predicting a persistent kernel alone by a line over its blocks (of a profile)
eval canvas(640, 320)
set rmargin 2
set xrange [0.4:last + 0.6]
set xtics ()
set for [i=1:last] xtics add (pair(i) i)
set grid noxtics
set yrange [0:*]
set ylabel 'error (%)'
set boxwidth 0.36
set key outside top center vertical maxrows 2 reverse Left samplen 2 width 1
bound = real(system(sprintf("grep -v '^#' '%s'", paper)))
plot data index 'all' using ($2 - 0.19):4 with boxes linecolor rgb '#0072B2' fillstyle solid 0.5 border -1 title 'mean', \
    data index 'long' using ($2 + 0.19):4 with boxes linecolor rgb '#D55E00' fillstyle pattern 4 border -1 title 'mean, above 0.2 ms', \
    data index 'all' using ($2 - 0.19):5 with points linestyle 1 pointtype 6 title 'greatest', \
    data index 'long' using ($2 + 0.19):5 with points linestyle 3 pointtype 4 title 'greatest, above 0.2 ms', \
    bound with lines linestyle 9 linewidth 1 dashtype 2 title 'paper: greatest below'
