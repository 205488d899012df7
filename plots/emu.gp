# What the figures of EMU over pairs share: the name at a place (columns 3 and 2 of their rows), the last place, and the
# mean over the pairs of a column of a setting. A pair violates where the mean of its p99 is above the target; that is
# undecided where the interval has the target in it, and without an interval.
# printed: of a setting, of how many pairs the thesis prints that they violate.
pair(place) = system(sprintf("awk -F '\t' '$2 == %d { print $3; exit }' '%s'", place, data))
last = int(system(sprintf("cut -f 2 '%s' | sort -n | tail -1", data)))
mean(setting, column) = real(system(sprintf("awk -F '\t' '$1 == \"%s\" { n++; v += $%d } END { print n ? v / n : 0 }' '%s'", setting, column, data)))
violating(setting) = system(sprintf("awk -F '\t' '$1 == \"%s\" { n++; late += $4 > 1; open += $5 == $6 || ($5 <= 1 && $6 > 1) } END { printf \"%%d of %%d violate in the mean, %%d undecided\", late, n, open }' '%s'", setting, data))
printed(name) = system(sprintf("awk -F '\t' '$1 == \"%s\" { print $2 \" of \" $3 }' '%s'", name, paper))
pairs = "set rmargin at screen 0.985; set lmargin at screen 0.065; set xrange [0.3:last + 1]; set xtics (); \
    set for [i=1:last] xtics add (pair(i) i) rotate by 90 right font ',8'; set grid noxtics; set yrange [0:*]; \
    set key outside top center vertical maxrows 2 reverse Left samplen 1.5 width 1"
over = 'p99 over the target'
