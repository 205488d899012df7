# EMU, figure 5-2: p99 of a service over its target beside one batch instance, by pair, under the operating system
eval canvas(980, 340)
@pairs
set bmargin at screen 0.3
set ylabel over
plot 1 with lines linestyle 9 linewidth 0.8 notitle, \
    data index 'os 1' using 2:4:5:6 with yerrorbars linestyle 11 \
        title sprintf('free competition: %s (thesis: %s)', violating('os 1'), printed('violate')), \
    paper index 'mean' using (last + 0.8):1 with points linestyle 9 title 'printed in the thesis: mean', \
    paper index 'greatest' using (last + 0.8):1 with points linestyle 19 title 'greatest'
