# EMU, figures 5-3 and 5-10: p99 of the services and batch throughput, by pair, Static-Opt and EMU
eval canvas(980, 520)
@pairs
set multiplot
set key at graph 0.5, 1.28 center top vertical maxrows 2 reverse Left samplen 1.5 width 1
set tmargin at screen 0.91
set bmargin at screen 0.61
set for [i=1:last] xtics add ('' i)
set ylabel over
plot 1 with lines linestyle 9 linewidth 0.8 notitle, \
    data index 'static-opt' using ($2 - 0.13):4:5:6 with yerrorbars linestyle 14 \
        title sprintf('Static-Opt: %s', violating('static-opt')), \
    data index 'emu' using ($2 + 0.13):4:5:6 with yerrorbars linestyle 11 \
        title sprintf('EMU: %s (thesis: %s)', violating('emu'), printed('violate'))
set tmargin at screen 0.48
set bmargin at screen 0.18
set for [i=1:last] xtics add (pair(i) i)
set ylabel 'batch over that alone'
static = real(system(sprintf("awk '$1 == \"emu\" { emu = $2 } $1 == \"above\" { print emu / (1 + $2 / 100) }' '%s'", paper)))
plot data index 'static-opt' using ($2 - 0.13):7:8:9 with yerrorbars linestyle 14 \
        title sprintf('Static-Opt: mean %.3f', mean('static-opt', 7)), \
    data index 'emu' using ($2 + 0.13):7:8:9 with yerrorbars linestyle 11 title sprintf('EMU: mean %.3f', mean('emu', 7)), \
    '+' using (last + 0.7):(static) every ::0::0 with points linestyle 9 pointtype 8 title 'mean in the thesis: Static-Opt', \
    paper using (strcol(1) eq 'emu' ? last + 0.7 : NaN):2 with points linestyle 9 title 'EMU'
unset multiplot
