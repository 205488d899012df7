# CAP, figure 4-5: variance of the division between CPU and GPU and the one before, by step
threads = system(sprintf("cut -f 1 '%s' | sed -n 's/^\\([0-9]\\{4\\}\\) .*/\\1/p' | sort -u", data))
has(t, s) = int(system(sprintf("grep -c '^%s %s\t' '%s'", t, s, data))) > 0
all = system(sprintf("cut -f 1 '%s' | sed -n 's/^[0-9]\\{4\\} //p' | sort -u", data))
width = 300.0 * words(threads) + (words(threads) == 1 ? 300 : 60)
eval canvas(width, 350)
set multiplot
@legend
plot NaN notitle, for [i=1:words(all)] keyentry with linespoints linestyle i title word(all, i), \
    keyentry with lines linestyle 9 linewidth 0.8 title 'threshold'
@panels
set logscale y
set format y '10^{%T}'
set xtics 1
set xlabel 'step'
do for [k=1:words(threads)] {
    t = word(threads, k)
    set lmargin at screen (60.0 + 300 * (k - 1)) / width
    set rmargin at screen (300.0 * k - 5) / width
    set tmargin at screen 0.78
    set bmargin at screen 0.15
    set title sprintf(t eq '0001' ? '1 CPU thread' : '%d CPU threads', int('1'.t) - 10000) # 0016 alone would be octal
    set ylabel (k == 1 ? 'variance' : '')
    plot 5e-5 with lines linestyle 9 linewidth 0.8 notitle, \
        for [i=1:words(all)] (has(t, word(all, i)) ? data : '/dev/null') index t.' '.word(all, i) using 2:3 \
            with linespoints linestyle i notitle
}
unset multiplot
