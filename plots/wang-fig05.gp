# CAP, figure 4-5: variance of the division between CPU and GPU and the one before, by step
threads = system(sprintf("cut -f 1 '%s' | sed -n 's/^\\([0-9]\\{4\\}\\) .*/\\1/p' | sort -u", data))
series(t) = system(sprintf("cut -f 1 '%s' | sed -n 's/^%s //p' | sort -u", data, t))
width = 300.0 * words(threads) + 60
eval canvas(width, 330)
set multiplot
@panels
set logscale y
set format y '10^{%T}'
set xtics 1
set xlabel 'step'
set key top right samplen 1.5
do for [k=1:words(threads)] {
    t = word(threads, k)
    set lmargin at screen (60.0 + 300 * (k - 1)) / width
    set rmargin at screen (300.0 * k + 40) / width
    set tmargin at screen 0.9
    set bmargin at screen 0.15
    set title sprintf('%d CPU threads', int('1'.t) - 10000) # 0016 alone would be octal
    set ylabel (k == 1 ? 'variance' : '')
    plot 5e-5 with lines linestyle 9 linewidth 0.8 title 'threshold', \
        for [i=1:words(series(t))] data index t.' '.word(series(t), i) using 2:3 with linespoints linestyle i title word(series(t), i)
}
unset multiplot
