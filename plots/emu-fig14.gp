# EMU, figure 5-14: 700 nodes: those above their target by how much, by policy
eval canvas(760, 320)
set rmargin at screen 0.62
set xrange [0.4:4.6]
set yrange [0:105]
set grid noxtics
set boxwidth 0.55
set ylabel 'nodes above the target (%)'
set key at screen 0.985, 0.6 right center vertical reverse Left samplen 2 spacing 1.2
set style fill solid 0.6 border -1
plot data using 2:($4 + $5 + $6):xtic(3) with boxes linecolor rgb '#56B4E9' fillstyle pattern 4 title 'by up to half', \
    data using 2:($5 + $6) with boxes linecolor rgb '#FFFFFF' fillstyle solid 1 border -1 title 'by up to twice', \
    data using 2:6 with boxes linecolor rgb '#D55E00' title 'by more', \
    data using 2:7 with points linestyle 11 pointtype 6 pointsize 1.2 title 'services above twice', \
    paper using (1):1 with points linestyle 9 title 'printed in the thesis: services'
