# EMU, figures 5-6 and 5-7: R^2 of predicted durations and IPCs of queries, by service and method (of dcsim train)
eval canvas(980, 340)
methods = system(sprintf("cut -f 1 '%s' | grep '^request_duration ' | cut -d ' ' -f 2 | uniq", data))
shift(i) = 0.8 * (i - 0.5) / words(methods) - 0.4
set multiplot
@legend
plot NaN notitle, for [i=1:words(methods)] keyentry with points linestyle i pointsize 1 title word(methods, i)
@panels
set tmargin at screen 0.82
set bmargin at screen 0.12
set xrange [0.5:last + 0.5]
set xtics ()
set for [i=1:last] xtics add (pair(i) i)
set grid noxtics
set yrange [-0.03:1.03]
set ytics 0.2
array target[2] = ['request_duration', 'kernel_ipc']
array label[2] = ['durations', 'IPC']
do for [t=1:2] {
    set lmargin at screen 0.065 + 0.49 * (t - 1)
    set rmargin at screen 0.065 + 0.49 * (t - 1) + 0.43
    set title label[t] offset 0, -0.6
    set ylabel t == 1 ? 'R^2 (0: none or worse)' : ''
    plot for [i=1:words(methods)] data index target[t].' '.word(methods, i) using ($2 + shift(i)):4 with points linestyle i pointsize 1
}
unset multiplot
