# TReM, figure 8: what revocations cost over load: how many, Priority over Elastic, and work that is lost
eval canvas(980, 310)
set multiplot layout 1, 3 margins 0.06, 0.985, 0.17, 0.78 spacing 0.07
set xlabel 'load'
set xrange [0.15:2.1]
set xtics (0.25, 0.5, 1, 1.5, 2)
set key at graph 0.5, 1.32 center top vertical maxrows 2 reverse Left samplen 2 width 1
set title '(a) revocations' offset 0, -0.5
set ylabel 'revocations of a run'
set yrange [0:*]
plot data index 'count priority' using 2:3 with lines linestyle 1 notitle, \
    data index 'count elastic' using 2:3 with lines linestyle 3 notitle, \
    data index 'count priority' using 2:3:4:5 with yerrorbars linestyle 11 title 'Priority + TReM', \
    data index 'count elastic' using 2:3:4:5 with yerrorbars linestyle 13 title 'Elastic + TReM'
set title '(a) Priority over Elastic' offset 0, -0.5
set ylabel 'more revocations (%)'
plot data index 'more' using 2:3 with lines linestyle 1 notitle, \
    data index 'more' using 2:3:4:5 with yerrorbars linestyle 11 title 'ratio of means', \
    paper index 'more' using 1:2 with points linestyle 9 title 'printed in the paper'
set title '(b) lost work' offset 0, -0.5
set ylabel 'lost over useful work (%)'
plot data index 'lost priority' using 2:3 with lines linestyle 1 notitle, \
    data index 'lost elastic' using 2:3 with lines linestyle 3 notitle, \
    data index 'lost priority' using 2:3:4:5 with yerrorbars linestyle 11 notitle, \
    data index 'lost elastic' using 2:3:4:5 with yerrorbars linestyle 13 notitle, \
    paper index 'lost' using 1:2 with points linestyle 9 title 'printed', \
    paper index 'below' using 1:2 with points linestyle 19 title 'printed: below'
unset multiplot
