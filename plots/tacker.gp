# What the figures of Tacker over pairs share: the name at a place (columns 3 and 2 of their rows), and the last place.
pair(place) = system(sprintf("awk -F '\t' '$2 == %d { print $3; exit }' '%s'", place, data))
place(name) = system(sprintf("awk -F '\t' '$3 == \"%s\" { print $2; exit }' '%s'", name, data))
last = int(system(sprintf("cut -f 2 '%s' | sort -n | tail -1", data)))
pairs = "set bmargin at screen 0.32; set rmargin 2; set xrange [0.3:last + 1]; set xtics (); \
    set for [i=1:last] xtics add (pair(i) i) rotate by 90 right font ',7'; set grid noxtics; \
    set key outside top center vertical maxrows 2 reverse Left samplen 2 width 1"
