# C-Laius: batch throughput under C-Laius and Baymax over that on half of the SMs, a point for each pair
eval canvas(560, 420)
set xrange [20:105]
set yrange [20:105]
set xlabel 'batch throughput with half of the SMs, always (% of that alone)'
set ylabel 'batch throughput (% of that alone)'
set key left top reverse Left samplen 2
names = system(sprintf("cut -f 1 '%s' | sort -u", data))
set for [i=1:words(names)] label i word(names, i) font ',8' textcolor rgb '#555555' rotate by 90 left \
    at first real(system(sprintf("awk -F '\t' '$1 == \"%s\" { n++; x += $2 } END { print x / n }' '%s'", word(names, i), data))), first 21
plot x with lines linestyle 9 linewidth 0.8 notitle, \
    data using 2:3 with points linestyle 14 title 'Baymax', \
    data using 2:4 with points linestyle 11 title 'C-Laius'
