# What the figures of C-Laius over pairs share: the name at a place (columns 3 and 2 of their rows), and the last place.
pair(place) = system(sprintf("awk -F '\t' '$2 == %d { print $3; exit }' '%s'", place, data))
last = int(system(sprintf("cut -f 2 '%s' | sort -n | tail -1", data)))
# Figures 6 to 8: a column for each application, a mark for each method, from the mean error to the 95th percentile.
predictors = "eval canvas(980, 360); set bmargin at screen 0.31; set rmargin 2; set xrange [0.3:last + 1]; set xtics (); \
    set for [i=1:last] xtics add (pair(i) i) rotate by 90 right font ',8'; set grid noxtics; set logscale y; set yrange [0.1:*]; \
    set title 'mark: mean; bar: up to the 95th percentile' font ',9'; \
    set ytics format '%g'; set key outside top center vertical maxrows 2 reverse Left samplen 1.5 width 1"
methods = "data index 'linear' using ($2 - 0.3):4:4:5 with yerrorbars linestyle 14 title 'linear', \
    data index 'knn' using ($2 - 0.1):4:4:5 with yerrorbars linestyle 15 title 'nearest neighbours', \
    data index 'cart' using ($2 + 0.1):4:4:5 with yerrorbars linestyle 11 title 'decision tree', \
    data index 'net' using ($2 + 0.3):4:4:5 with yerrorbars linestyle 16 title 'network'"
