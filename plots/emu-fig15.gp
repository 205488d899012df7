# EMU, figure 5-15: 700 nodes: batch throughput by policy
eval canvas(620, 310)
set rmargin 2
set xrange [0.4:4.6]
set yrange [0:1.05]
set grid noxtics
set ylabel 'batch throughput over that alone'
set key outside top center vertical maxrows 1 reverse Left samplen 2 width 1
plot data using 2:8:9:10:(0.55):xtic(3) with boxerrorbars linecolor rgb '#0072B2' fillstyle solid 0.5 border -1 title 'mean of the runs', \
    paper using 1:2 with points linestyle 9 title 'printed in the thesis'
