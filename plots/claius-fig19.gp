# C-Laius, figure 19: work of two services and a batch application on one GPU, best static split and C-Laius
eval canvas(860, 360)
set bmargin at screen 0.27
set rmargin 2
set yrange [0:*]
set ylabel 'work over that of each alone, summed (%)'
set xtics ()
set for [i=1:last] xtics add (pair(i) i) rotate by 90 right
set grid noxtics
set style fill solid border -1
set key outside top center horizontal maxcols 3 reverse Left samplen 2 width 1
text = system(sprintf("awk -F '\t' '$1 == \"static\" && $3 == \"mean\" { print $4 }' '%s'", data))
mean = text eq '' ? NaN : real(text) # of a part of the study without splits
more = real(system(sprintf("grep -v '^#' '%s'", paper)))
set xrange [0.4:last + 0.6]
plot data index 'static' using ($2 - 0.2):4:5:6:(0.38) with boxerrorbars linecolor rgb '#D55E00' fillstyle pattern 4 \
        title 'best static split', \
    data index 'C-Laius' using ($2 + 0.2):4:5:6:(0.38) with boxerrorbars linecolor rgb '#0072B2' fillstyle solid 0.5 title 'C-Laius', \
    '+' using (last + 0.2):(mean + more) every ::0::0 with points linestyle 9 \
        title sprintf('in the paper: %.1f points above the split', more)
