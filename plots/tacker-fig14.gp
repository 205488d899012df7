# Tacker, figure 14: batch throughput above Baymax's, by pair
eval canvas(1180, 440)
@pairs
mean(name) = system(sprintf("awk -F '\t' '$1 == \"%s\" { n++; v += $4 } END { printf \"%%+.2f %%%%, %%d pairs\", v / n, n }' '%s'", name, data))
of = system(sprintf("awk '/^# mean/ { getline; print $2; exit }' '%s'", paper))
array name[2] = ['Tacker, nearest', 'Tacker, exact']
there(i) = int(system(sprintf("grep -c '^%s\t' '%s'; true", name[i], data)))
set multiplot
set lmargin at screen 0.05
# Above what the paper shows, below what there is at a scale of its own.
set tmargin at screen 0.88
set bmargin at screen 0.66
set yrange [0:45]
set ytics 20
set for [i=1:last] xtics add ('' i)
set key at graph 0.5, 1.5 center top vertical maxrows 2 reverse Left samplen 2 width 1
plot (there(1) ? data : '/dev/null') index name[1] using ($2 - 0.15):4 with points linestyle 11 \
        title (there(1) ? name[1].': mean '.mean(name[1]) : ''), \
    (there(2) ? data : '/dev/null') index name[2] using ($2 + 0.15):4 with points linestyle 14 \
        title (there(2) ? name[2].': mean '.mean(name[2]) : ''), \
    paper index 'mean' using (last + 0.7):1 with points linestyle 9 title 'paper: mean of '.of, \
    paper index 'max' using (last + 0.7):1 with points linestyle 19 title 'paper: best of '.of, \
    paper index 'pairs' using (real('0'.place(strcol(1))) > 0 ? real(place(strcol(1))) : NaN):2 with points linestyle 9 pointtype 1 \
        title 'paper: that pair'
set tmargin at screen 0.61
set bmargin at screen 0.33
set yrange [*:*]
set ytics autofreq
set for [i=1:last] xtics add (pair(i) i)
set ylabel 'batch throughput above Baymax (%)' offset 0, 3.5
unset key
plot 0 with lines linestyle 9 linewidth 0.8, \
    (there(1) ? data : '/dev/null') index name[1] using ($2 - 0.15):4:5:6 with yerrorbars linestyle 11, \
    (there(2) ? data : '/dev/null') index name[2] using ($2 + 0.15):4:5:6 with yerrorbars linestyle 14
unset multiplot
