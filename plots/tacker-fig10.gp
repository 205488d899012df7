# Tacker, figure 10: time of a fused launch over the load ratio, by CUDA kernel (of a profile)
title(k) = system(sprintf("awk -F '\t' '$1 == \"%d title\" { print $2 }' '%s'", k, data))
what = system(sprintf("awk -F '\t' '$1 == \"what\" { print $2 }' '%s'", data))
kernels = int(system(sprintf("cut -f 1 '%s' | grep -c '^[0-9]* title'", data)))
rows = (kernels + 4) / 5
columns = kernels < 5 ? kernels : 5
eval canvas(980, 110 + 165 * rows)
set multiplot
@legend
plot NaN notitle, keyentry with linespoints linestyle 4 title 'one after the other', \
    keyentry with linespoints linestyle 1 title 'fused, the quickest way', \
    keyentry with lines linestyle 9 linewidth 1 dashtype 2 title 'the longer one alone', \
    keyentry with points linestyle 9 title 'in the paper, equal times'
@panels
set xrange [0:2]
set yrange [0:4]
set xtics 1
set ytics 1
high = 1.0 / (110 + 165 * rows)
do for [k=1:kernels] {
    row = (k - 1) / 5
    column = (k - 1) % 5
    set lmargin at screen 0.06 + 0.187 * column
    set rmargin at screen 0.06 + 0.187 * column + 0.17
    set tmargin at screen 1 - high * (65 + 165 * row)
    set bmargin at screen 1 - high * (185 + 165 * row)
    set title title(k) offset 0, -0.7
    set ytics format (column == 0 ? '%g' : '')
    set ylabel (column == 0 ? 'time of both' : '')
    set xlabel (row == rows - 1 && column == 0 ? 'times of both and (axis) of the CUDA kernel over that of '.what.', the tensor kernel' : '') offset 26, 0
    plot x < 1 ? 1 : x with lines linestyle 9 linewidth 1 dashtype 2, \
        data index sprintf('%d apart', k) using 2:3 with linespoints linestyle 4, \
        data index sprintf('%d fused', k) using 2:3 with linespoints linestyle 1, \
        paper using 1:2 with points linestyle 9
}
unset multiplot
