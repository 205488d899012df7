# EMU, figure 5-11: p99 of the services, by pair, EMU and EMU without its runtime part, without adjusting the cache
eval canvas(980, 350)
@pairs
set bmargin at screen 0.3
set ylabel over
plot 1 with lines linestyle 9 linewidth 0.8 notitle, \
    data index 'emu-noruntime' using ($2 - 0.2):4:5:6 with yerrorbars linestyle 14 \
        title sprintf('EMU-NoRuntime: %s (thesis: %s)', violating('emu-noruntime'), printed('emu-noruntime')), \
    data index 'emu-nocache' using 2:4:5:6 with yerrorbars linestyle 15 \
        title sprintf('EMU-NoCache: %s (thesis: %s)', violating('emu-nocache'), printed('emu-nocache')), \
    data index 'emu' using ($2 + 0.2):4:5:6 with yerrorbars linestyle 11 \
        title sprintf('EMU: %s (thesis: %s)', violating('emu'), printed('emu'))
