# EMU, figure 5-12: p99 of the services and batch throughput, by pair, with other adjustment intervals
eval canvas(980, 520)
@pairs
array setting[3] = ['emu-10ms', 'emu', 'emu-40ms']
array label[3] = ['10 ms', '20 ms', '40 ms']
array style[3] = [14, 11, 15]
set multiplot
set key at graph 0.5, 1.16 center top vertical maxrows 1 reverse Left samplen 1.5 width 1
set tmargin at screen 0.94
set bmargin at screen 0.61
set for [i=1:last] xtics add ('' i)
set ylabel over
plot 1 with lines linestyle 9 linewidth 0.8 notitle, \
    for [i=1:3] data index setting[i] using ($2 + 0.2 * (i - 2)):4:5:6 with yerrorbars linestyle style[i] \
        title sprintf('%s: %s (thesis: %s)', label[i], violating(setting[i]), printed(setting[i]))
set tmargin at screen 0.51
set bmargin at screen 0.18
set for [i=1:last] xtics add (pair(i) i)
set ylabel 'batch over that alone'
plot for [i=1:3] data index setting[i] using ($2 + 0.2 * (i - 2)):7:8:9 with yerrorbars linestyle style[i] \
    title sprintf('%s: mean %.3f', label[i], mean(setting[i], 7))
unset multiplot
