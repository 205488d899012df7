# Google 2011 replayed, and what stands for it: late requests by workload and policy
eval canvas(980, 360)
set xrange [0.5:4.5]
set yrange [0:*]
set ylabel 'user-facing requests out of SLA (%)'
set key above horizontal reverse Left samplen 2
plot data index 'Priority' using 2:(NaN):xtic(3) notitle, \
    data index 'Priority' using ($2 - 0.21):4:5:6 with yerrorbars linestyle 12 title 'Priority', \
    data index 'Priority + TReM' using ($2 - 0.07):4:5:6 with yerrorbars linestyle 11 title 'Priority + TReM', \
    data index 'Elastic' using ($2 + 0.07):4:5:6 with yerrorbars linestyle 14 title 'Elastic', \
    data index 'Elastic + TReM' using ($2 + 0.21):4:5:6 with yerrorbars linestyle 13 title 'Elastic + TReM'
