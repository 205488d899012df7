# TReM, figure 9: time to completion of batch jobs at load 2.0, and how much longer it is with TReM
eval canvas(980, 360)
array policy[2] = ['priority', 'elastic']
array label[2] = ['Priority', 'Elastic']
set multiplot layout 1, 2 margins 0.065, 0.985, 0.15, 0.97 spacing 0.085
set logscale x
set xlabel 'time to completion of a batch job (min)'
set xrange [3:300]
set xtics (3, 10, 30, 100, 300)
set ylabel 'jobs that took at most so long (%)'
set yrange [0:100]
set key top left reverse Left samplen 3
plot data index 'time priority0' using 3:2 with lines linestyle 2 title 'Priority', \
    data index 'time elastic0' using 3:2 with lines linestyle 4 dashtype 3 title 'Elastic', \
    data index 'time priority1' using 3:2 with lines linestyle 1 title 'Priority + TReM', \
    data index 'time elastic1' using 3:2 with lines linestyle 3 dashtype 5 title 'Elastic + TReM'
unset logscale
set xlabel 'quantile of the jobs (%)'
set xrange [0:101]
set xtics 20
set ylabel 'time with TReM over without'
set yrange [0.9:*]
plot for [i=1:2] data index 'ratio '.policy[i] using 2:3 with lines linestyle 2 * i - 1 dashtype i title label[i].': ratio of quantiles', \
    for [i=1:2] data index 'own '.policy[i] using 2:3 with lines linestyle 2 * i - 1 dashtype i + 2 title label[i].': quantile of ratios', \
    paper index 'priority' using 1:2 with points linestyle 9 title 'printed in the paper: Priority', \
    paper index 'elastic' using 1:2 with points linestyle 9 pointtype 1 title 'printed in the paper: Elastic'
unset multiplot
