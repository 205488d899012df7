# C-Laius, figure 17: the quota of one request over time, why it changed, and its launches
eval canvas(760, 330)
array what[7] = ['just_enough', 'lag', 'rolled_back', 'split', 'priority_1', 'priority_2', 'priority_3']
array label[7] = ['just enough', 'lag', 'rolled back', 'split', 'priority 1', 'priority 2', 'priority 3']
array colour[7] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000']
array mark[7] = [7, 9, 11, 5, 13, 15, 3]
there(name) = int(system(sprintf("grep -c '^%s\t' '%s'; true", name, data)))
set title system(sprintf("awk -F '\t' '$1 == \"title\" { print $2 }' '%s'", data))
set xlabel 'time since the first decision (ms)'
set ylabel 'SMs'
set yrange [0:*]
set offsets 0, graph 0.03, graph 0.08, 0
set key outside right center vertical reverse Left samplen 2 spacing 1.2
if (there('deadline')) {
    deadline = real(system(sprintf("awk -F '\t' '$1 == \"deadline\" { print $2 }' '%s'", data)))
    set arrow 1 from deadline, graph 0 to deadline, graph 1 nohead linestyle 2 linecolor rgb '#000000'
}
plot data index 'quota' using 2:3 with steps linecolor rgb '#000000' linewidth 1.2 title 'quota', \
    for [i=1:7] (there(what[i]) ? data : '/dev/null') index what[i] using 2:3 with points pointtype mark[i] pointsize 1.1 \
        linecolor rgb colour[i] title (there(what[i]) ? label[i] : ''), \
    (there('launch') ? data : '/dev/null') index 'launch' using 2:3 with points pointtype 1 pointsize 1.2 \
        linecolor rgb '#555555' title (there('launch') ? 'launch' : ''), \
    (there('less_now') ? data : '/dev/null') index 'less_now' using 2:3 with points pointtype 2 pointsize 1.2 \
        linecolor rgb '#555555' title (there('less_now') ? 'launch with less' : ''), \
    (there('deadline') ? data : '/dev/null') index 'deadline' using 2:3 with lines linestyle 2 linecolor rgb '#000000' \
        title (there('deadline') ? 'deadline' : '')
