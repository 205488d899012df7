# C-Laius, figure 15: batch throughput of each pair beside a service, Baymax and C-Laius
eval canvas(980, 360)
set bmargin at screen 0.29
set rmargin 2
set yrange [0:105]
set ytics 20
set ylabel 'batch throughput over that alone (%)'
set xtics rotate by 90 right font ',8'
set grid noxtics
set offsets 0.4, 0.6, 0, 0
set key outside top center horizontal maxcols 4 reverse Left samplen 2 width 1
plot data index 'Baymax' using 2:4:5:6:xtic(3) with yerrorbars linestyle 14 title 'Baymax', \
    data index 'C-Laius' using ($2 + 0.25):4:5:6 with yerrorbars linestyle 11 title 'C-Laius', \
    paper index 'Baymax' using (0.2):1 with points linestyle 9 pointtype 8 title 'mean in the paper: Baymax', \
    paper index 'C-Laius' using (0.2):1 with points linestyle 9 title 'C-Laius'
