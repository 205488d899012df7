# Queueing theory: mean response times over their closed forms
eval canvas(980, 330)
set xrange [0.5:5.5]
set ylabel 'mean response over the closed form'
set key above horizontal reverse Left samplen 2
plot data index 'load 0.50' using 2:(NaN):xtic(3) notitle, \
    1 with lines linestyle 9 linewidth 1 dashtype 2 title 'closed form', \
    data index 'load 0.50' using ($2 - 0.12):4:5:6 with yerrorbars linestyle 11 title 'load 0.5', \
    data index 'load 0.90' using ($2 + 0.12):4:5:6 with yerrorbars linestyle 13 title 'load 0.9'
