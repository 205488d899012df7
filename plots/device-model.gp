# Time beside others over that alone: what the model of a shared GPU predicts, over what was measured
error(k, column) = real(system(sprintf("awk -F '\t' '$1 == \"%d error\" { print $%d }' '%s'", k, column, data)))
there(k, half) = int(system(sprintf("grep -c '^%d %s\t' '%s'; true", k, half, data)))
array name[5] = ['kernels on partitions', 'kernels of other sizes', 'kernels under MPS', 'live, on partitions', 'live, under MPS']
eval canvas(980, 320)
set multiplot
@legend
plot NaN notitle, keyentry with points linestyle 1 title 'half test', keyentry with points linestyle 4 title 'half test2', \
    keyentry with lines linestyle 9 linewidth 1 title 'as measured', \
    keyentry with lines linestyle 9 linewidth 1 dashtype 2 title 'nothing slows anything'
@panels
set logscale xy
set grid
at = 0
do for [k=1:5] {
    if (there(k, 'test') + there(k, 'test2') > 0) {
        set lmargin at screen 0.055 + 0.192 * at
        set rmargin at screen 0.055 + 0.192 * at + 0.155
        set tmargin at screen 0.76
        set bmargin at screen 0.17
        high = k < 3 ? 4 : k == 4 ? 2 : k == 3 ? 100 : 10000
        set xrange [0.8:high]
        set yrange [0.8:high]
        if (high < 10) { set xtics (0.8, 1, 1.5, 2, 3, 4); set ytics (0.8, 1, 1.5, 2, 3, 4) } else {
            if (k == 3) { set xtics (1, 10, 100); set ytics (1, 10, 100) } else {
            set xtics (1, 100, '10⁴' 10000); set ytics (1, 100, '10⁴' 10000) } }
        set title sprintf("%s\n%.1f %% off; alone %.0f %%", name[k], error(k, 2), error(k, 3)) offset 0, -0.6
        set ylabel (at == 0 ? 'predicted' : '') offset 1, 0
        set xlabel (k == 3 ? 'measured; time over that alone' : '')
        plot x with lines linestyle 9 linewidth 1 notitle, 1 with lines linestyle 9 linewidth 1 dashtype 2 notitle, \
            (there(k, 'test') ? data : '/dev/null') index sprintf('%d test', k) using 2:3 with points linestyle 1 pointsize 0.35, \
            (there(k, 'test2') ? data : '/dev/null') index sprintf('%d test2', k) using 2:3 with points linestyle 4 pointsize 0.45
        at = at + 1
    }
}
unset multiplot
