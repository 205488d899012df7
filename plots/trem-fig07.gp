# TReM, figure 7: requests within their SLA over load, four policies
eval canvas(860, 310)
array series[4] = ['priority', 'priority + TReM', 'elastic', 'elastic + TReM']
array label[4] = ['Priority', 'Priority + TReM', 'Elastic', 'Elastic + TReM']
array style[4] = [2, 1, 4, 3]
block(panel, i) = sprintf('%s %s', panel, series[i])
set multiplot layout 1, 2 margins 0.075, 0.755, 0.17, 0.88 spacing 0.035
set xlabel 'load'
set xrange [0.15:2.1]
set xtics 0.5
# All intervals are inside, of both panels on one scale.
low = real(system(sprintf("awk -F '\t' 'BEGIN { m = 78 } NF > 3 && $4 < m { m = $4 } END { print m }' '%s'", data)))
set yrange [low - 0.5:100.5]
set ytics autofreq
set ylabel 'requests within 200 ms (%)'
set title 'W1: 50:50 user-facing to batch jobs'
set key at screen 0.985, 0.6 right center vertical reverse Left samplen 2.5 spacing 1.3
plot for [i=1:4] data index block('W1', i) using 2:3 with lines linestyle style[i] notitle, \
    for [i=1:4] data index block('W1', i) using 2:3:4:5 with yerrorbars linestyle 10 + style[i] notitle, \
    for [i=1:4] keyentry with linespoints linestyle style[i] title label[i], \
    paper index 'W1 plain' using 1:2 with points linestyle 9 pointtype 2 title 'paper: without TReM', \
    paper index 'W1 TReM' using 1:2 with points linestyle 9 title 'paper: with TReM', \
    paper index 'W1 above' using 1:2 with points linestyle 9 pointtype 9 title 'paper: all above'
set title 'W2: 80:20 user-facing to batch jobs'
unset ylabel
set ytics format ''
unset key
plot for [i=1:4] data index block('W2', i) using 2:3 with lines linestyle style[i], \
    for [i=1:4] data index block('W2', i) using 2:3:4:5 with yerrorbars linestyle 10 + style[i], \
    paper index 'W2 plain' using 1:2 with points linestyle 9 pointtype 2, \
    paper index 'W2 TReM' using 1:2 with points linestyle 9, \
    paper index 'W2 above' using 1:2 with points linestyle 9 pointtype 9
unset multiplot
