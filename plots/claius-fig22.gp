# C-Laius, figure 22: 600 GPUs: batch throughput, and services above their SLA by how much
eval canvas(980, 330)
set multiplot
set tmargin at screen 0.75
set bmargin at screen 0.1
set lmargin at screen 0.06
set rmargin at screen 0.35
set style fill solid 0.5 border -1
set boxwidth 0.55
set offsets 0.5, 0.5, 0, 0
set grid noxtics
set yrange [0:*]
set title '(a)' offset 0, -0.5
set ylabel 'batch throughput over that alone (%)'
set key at graph 0.5, 1.32 center top vertical reverse Left samplen 2 width 1
baymax = real(system(sprintf("awk -F '\t' '$3 == \"Baymax\" { print $4 }' '%s'", data))."")
more = real(system(sprintf("awk '$1 == \"more\" { print $2 }' '%s'", paper)))
rank(name) = int(system(sprintf("awk -F '\t' '$1 == \"gpus\" { n++ } $3 == \"%s\" { print n - 1 }' '%s'", name, data)).'')
plot data using 0:4:5:6:(0.55):xtic(3) with boxerrorbars linecolor rgb '#0072B2' title 'mean of the runs', \
    '+' using (rank('C-Laius')):(baymax * (1 + more / 100)) every ::0::0 with points linestyle 9 \
        title sprintf('in the paper: %.1f %% above Baymax', more)
set title '(b)' offset 0, -0.5
set ylabel 'services on GPUs above the SLA (%)'
set yrange [0:105]
set lmargin at screen 0.43
set rmargin at screen 0.72
set key at screen 0.985, 0.6 right center vertical maxrows 9 reverse Left samplen 2 spacing 1.2
plot data using 0:($7 + $8 + $9):xtic(3) with boxes linecolor rgb '#56B4E9' fillstyle pattern 4 title 'by less than 2 %', \
    data using 0:($8 + $9) with boxes linecolor rgb '#FFFFFF' fillstyle solid 1 title 'by 2 to 30 %', \
    data using 0:9 with boxes linecolor rgb '#D55E00' title 'by more', \
    paper index 'severe' using (rank(strcol(1))):2 with points linestyle 9 title 'paper: by more than 30 %', \
    paper index 'slight' using (rank(strcol(1))):2 with points linestyle 9 pointtype 1 title 'paper: by less than 2 %'
unset multiplot
