# EMU, figure 5-13: p99 of the services and batch throughput, by pair, EMU with one prediction method for all
eval canvas(980, 520)
@pairs
array setting[3] = ['emu-knn', 'emu', 'emu-nn']
array label[3] = ['EMU-KNN', 'EMU', 'EMU-NN']
array style[3] = [14, 11, 15]
set multiplot
set key at graph 0.5, 1.27 center top vertical maxrows 2 reverse Left samplen 1.5 width 1
set tmargin at screen 0.91
set bmargin at screen 0.61
set for [i=1:last] xtics add ('' i)
set ylabel over
plot 1 with lines linestyle 9 linewidth 0.8 notitle, \
    for [i=1:3] data index setting[i] using ($2 + 0.2 * (i - 2)):4:5:6 with yerrorbars linestyle style[i] \
        title sprintf('%s: %s', label[i], violating(setting[i]))
set tmargin at screen 0.48
set bmargin at screen 0.18
set for [i=1:last] xtics add (pair(i) i)
set ylabel 'batch over that alone'
below = real(system(sprintf("grep -v '^#' '%s'", paper)))
plot for [i=1:3] data index setting[i] using ($2 + 0.2 * (i - 2)):7:8:9 with yerrorbars linestyle style[i] \
        title sprintf('%s: mean %.3f', label[i], mean(setting[i], 7)), \
    '+' using (last + 0.7):(mean('emu', 7) * (1 + below / 100)) every ::0::0 with points linestyle 9 \
        title sprintf("thesis: EMU-NN %.1f %% below EMU", -below)
unset multiplot
