# TReM, figure 11: violations at load 1.0 over the number of GPUs, and over the latency of a revocation
eval canvas(980, 350)
array reading[2] = ['follows', 'four']
array title[2] = ['(a) the load follows the GPUs', '(a) the jobs of four GPUs']
set multiplot layout 1, 3 margins 0.055, 0.985, 0.15, 0.8 spacing 0.05
@legend
plot NaN notitle, keyentry with linespoints linestyle 4 title 'Elastic', \
    keyentry with linespoints linestyle 3 title 'Elastic + TReM', keyentry with linespoints linestyle 1 title 'Priority + TReM', \
    keyentry with points linestyle 9 title 'printed in the paper', keyentry with points linestyle 19 title 'printed: below'
@panels
set multiplot previous
set logscale x 2
set xlabel 'GPUs'
set xtics (1, 2, 4, 8, 16)
set xrange [0.85:19]
set ylabel 'requests that miss their SLA (%)'
set yrange [0:24]
set ytics 4
do for [i=1:2] {
    set title title[i]
    plot data index reading[i].' elastic' using 2:3 with lines linestyle 4, \
        data index reading[i].' elastic' using 2:3:4:5 with yerrorbars linestyle 14, \
        data index reading[i].' elastic + TReM' using 2:3 with lines linestyle 3, \
        data index reading[i].' elastic + TReM' using 2:3:4:5 with yerrorbars linestyle 13, \
        paper index 'gpus' using 1:2 with points linestyle 19
    unset ylabel
}
set logscale x 10
set title '(b) four GPUs'
set xlabel 'latency of a revocation (ms)'
set xtics (10, 22, 50, 100, 200, 500, 1000)
set xrange [8.5:1200]
plot data index 'latency priority + TReM' using 2:3 with lines linestyle 1, \
    data index 'latency priority + TReM' using 2:3:4:5 with yerrorbars linestyle 11, \
    data index 'latency elastic + TReM' using 2:3 with lines linestyle 3, \
    data index 'latency elastic + TReM' using 2:3:4:5 with yerrorbars linestyle 13, \
    paper index 'latency' using 1:2 with points linestyle 9, \
    paper index 'fast' using 1:2 with points linestyle 19
unset multiplot
