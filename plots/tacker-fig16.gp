# Tacker, figure 16: p99 and mean latency of the services, by pair, Baymax and Tacker
eval canvas(1180, 400)
@pairs
set yrange [0:*]
set ylabel 'latency of the service over its SLA'
violating(name) = system(sprintf("awk -F '\t' 'index($1, \"%s\") == 1 { n++; late += $10; open += $11 } END { printf \"%%d of %%d violate, %%d undecided\", late, n, open }' '%s'", name, data))
printed = system(sprintf("awk '/^[0-9]/ { print $1 \" of \" $2 }' '%s'", paper))
plot 1 with lines linestyle 9 linewidth 1 dashtype 2 title sprintf('SLA (paper: %s violate)', printed), \
    data index 'Baymax' using ($2 - 0.15):4:5:6 with yerrorbars linestyle 14 title 'Baymax, p99: '.violating('Baymax'), \
    data index 'Tacker' using ($2 + 0.15):4:5:6 with yerrorbars linestyle 11 title 'Tacker, p99: '.violating('Tacker'), \
    data index 'Baymax' using ($2 - 0.15):7 with points linestyle 14 pointtype 8 title 'Baymax, mean', \
    data index 'Tacker' using ($2 + 0.15):7 with points linestyle 11 pointtype 9 title 'Tacker, mean'
