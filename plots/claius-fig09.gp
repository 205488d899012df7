# C-Laius, figure 9: errors of a decision tree and of a small network (of dcsim train)
eval canvas(620, 320)
set rmargin 2
set xrange [0.4:last + 0.6]
set xtics ()
set for [i=1:last] xtics add (pair(i) i)
set grid noxtics
set logscale y
set yrange [0.1:*]
set ytics format '%g'
set ylabel 'error (%)'
set boxwidth 0.36
set key outside top center vertical maxrows 2 reverse Left samplen 2 width 1
plot data index 'cart' using ($2 - 0.19):4 with boxes linecolor rgb '#D55E00' fillstyle pattern 4 border -1 title 'decision tree', \
    data index 'net' using ($2 + 0.19):4 with boxes linecolor rgb '#0072B2' fillstyle solid 0.5 border -1 title 'network', \
    data index 'cart' using ($2 - 0.19):5:(0):($6 - $5) with vectors nohead linestyle 9 linewidth 1.2 title 'range over applications', \
    data index 'net' using ($2 + 0.19):5:(0):($6 - $5) with vectors nohead linestyle 9 linewidth 1.2 notitle
