# Themis, figure 5: errors of predicted slow-downs of kernels in pairs, by predictor (of dcsim validate --slowdown)
array name[5] = ['contention', 'alone', 'themis', 'asm', 'asm-gpm']
there(k, part) = int(system(sprintf("grep -c '^%s %s\t' '%s'; true", name[k], part, data)))
printed = real(system(sprintf("grep -v '^#' '%s'", paper)))
eval canvas(820, 320)
set multiplot
@legend
plot NaN notitle, for [k=1:5] keyentry with lines linestyle k title name[k], \
    keyentry with lines linestyle 9 linewidth 1 dashtype 2 title 'paper: mean of Themis'
@panels
set grid
set xrange [0:100]
set yrange [0:100]
set tmargin at screen 0.8
set bmargin at screen 0.17
do for [k=1:2] {
    part = k == 1 ? 'all' : 'never'
    set lmargin at screen 0.07 + 0.49 * (k - 1)
    set rmargin at screen 0.49 + 0.49 * (k - 1)
    set title (k == 1 ? 'all kernels' : 'of applications never trained on') offset 0, -0.6
    set ylabel (k == 1 ? 'error of the slow-down (%)' : '') offset 1, 0
    set xlabel 'kernels with at most this error (%)'
    plot printed with lines linestyle 9 linewidth 1 dashtype 2 notitle, \
        for [n=1:5] (there(n, part) ? data : '/dev/null') index sprintf('%s %s', name[n], part) using 2:3 with lines linestyle n notitle
}
unset multiplot
