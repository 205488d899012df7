# Tacker, figure 18: errors of predicting fused launches, by pair
eval canvas(980, 360)
@pairs
set xtics font ',8'
set logscale y
set yrange [0.1:*]
set ytics format '%g'
set ylabel 'error (%)'
array name[2] = ['Tacker, nearest', 'Tacker, exact']
there(i) = int(system(sprintf("grep -c '^%s\t' '%s'; true", name[i], data)))
bound = real(system(sprintf("grep -v '^#' '%s'", paper)))
plot for [i=1:2] (there(i) ? data : '/dev/null') index name[i] using ($2 + (i == 1 ? -0.12 : 0.12)):4 with points \
        linestyle (i == 1 ? 1 : 4) pointsize 1 title (there(i) ? name[i].': mean' : ''), \
    for [i=1:2] (there(i) ? data : '/dev/null') index name[i] using ($2 + (i == 1 ? -0.12 : 0.12)):5 with points \
        linestyle (i == 1 ? 1 : 4) pointtype (i == 1 ? 9 : 8) pointsize 1 title (there(i) ? name[i].': greatest' : ''), \
    bound with lines linestyle 9 linewidth 1 dashtype 2 title 'paper: greatest below'
