# CAP, figure 4-3: speed-up over the CPU alone with as many threads, by program and policy
threads = system(sprintf("cut -f 1 '%s' | sed -n 's/^\\([0-9]\\{4\\}\\) .*/\\1/p' | sort -u", data))
name(i) = system(sprintf("awk -F '\t' '$1 == \"names\" && $2 == %d { print $3 }' '%s'", i, data))
last = int(system(sprintf("grep -c '^names' '%s'", data)))
has(s) = int(system(sprintf("grep -c '^%s\t' '%s'", s, data))) > 0
width = 300.0 * words(threads) + (words(threads) == 1 ? 300 : 60)
eval canvas(width, 350)
set multiplot
@legend
plot NaN notitle, keyentry with points linestyle 1 title 'CAP', keyentry with points linestyle 3 title 'Quick', \
    keyentry with points linestyle 5 title 'Split', keyentry with points linestyle 6 title 'Static', \
    keyentry with points linestyle 2 title 'GPU alone', keyentry with points linestyle 9 title 'bound'
@panels
set xrange [0.5:last + 0.5]
set logscale y
set xtics rotate by 40 right ('' 0)
set for [i=1:last] xtics add (name(i) i)
do for [k=1:words(threads)] {
    set lmargin at screen (60.0 + 300 * (k - 1)) / width
    set rmargin at screen (300.0 * k - 5) / width
    set tmargin at screen 0.78
    set bmargin at screen 0.2
    set title sprintf(word(threads, k) eq '0001' ? '1 CPU thread' : '%d CPU threads', int('1'.word(threads, k)) - 10000) # 0016 alone would be octal
    set ylabel (k == 1 ? 'speed-up over the CPU alone' : '')
    of(p) = word(threads, k).' '.p
    array policy[6] = ['cap', 'split-quick', 'split-even', 'split-static', 'gpu', 'bound']
    array style[6] = [1, 3, 5, 6, 2, 9]
    plot for [i=1:6] (has(of(policy[i])) ? data : '/dev/null') index of(policy[i]) using ($2 + 0.11 * (i - 3.5)):3 \
        with points linestyle style[i] notitle
}
unset multiplot
