# Tacker, figures 2 and 15: how long tensor cores and the other cores are active, by pair, Baymax and Tacker
eval canvas(1180, 400)
@pairs
set yrange [0:109]
set ylabel 'share of the time (%)'
width = 0.38
plot for [i=0:1] data index (i ? 'Tacker' : 'Baymax') using ($2 + (i ? 0.2 : -0.2)):($4 + $5 + $6):(width) with boxes \
        linecolor rgb '#FFFFFF' fillstyle solid 1 border linecolor rgb '#777777' title (i ? '' : 'other cores alone'), \
    for [i=0:1] data index (i ? 'Tacker' : 'Baymax') using ($2 + (i ? 0.2 : -0.2)):($4 + $5):(width) with boxes \
        linecolor rgb '#D55E00' fillstyle pattern 2 border -1 title (i ? '' : 'both (left Baymax, right Tacker)'), \
    for [i=0:1] data index (i ? 'Tacker' : 'Baymax') using ($2 + (i ? 0.2 : -0.2)):4:(width) with boxes \
        linecolor rgb '#0072B2' fillstyle solid 0.6 border -1 title (i ? '' : 'tensor cores alone')
