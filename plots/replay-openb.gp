# Alibaba's openb replayed: late requests and what revocation costs, by GPUs and policy
eval canvas(980, 360)
set multiplot layout 1, 2 margins 0.075, 0.985, 0.1, 0.9 spacing 0.09
set xrange [0.5:4.5]
set yrange [0:*]
set key above horizontal reverse Left samplen 2
sizes = system(sprintf("awk '/^# late/ { print $3 }' '%s' | sort -n | tr '\\n' ' '", data))
do for [panel=1:2] {
    what = panel == 1 ? 'late' : 'overhead'
    set ylabel panel == 1 ? 'user-facing requests out of SLA (%)' : 'overhead of revocations (% of GPU time)'
    plot data index what.' '.word(sizes, 1) using 2:(NaN):xtic(3) notitle, \
        for [i=1:words(sizes)] data index what.' '.word(sizes, i) using ($2 + 0.14 * (i - 0.5 * (words(sizes) + 1))):5:6:7 \
        with yerrorbars linestyle 9 + 2 * i title word(sizes, i).' GPUs'
}
unset multiplot
