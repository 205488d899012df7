# Makes a table of the lines of the programs of the hold model: who, distribution, pending, million a second.
# A ratio is of ours to a peer's next line: the median over all rounds, and the least and the greatest.
$1 == "checksum" || $1 == "cancel" { next }
$1 == "ours" {
    ours = $4; where = $2 " " $3
    speed[where, ++rounds[where]] = ours
    if (rounds[where] == 1) order[++rows] = where
    next
}
{
    ratio[where, $1, ++pairs[where, $1]] = ours / $4
    if (!($1 in peers)) { peers[$1] = 1; peer[++columns] = $1 }
}
function spread(values, key, n, form,   a, i, j, t) {
    for (i = 1; i <= n; i++) a[i] = values[key, i]
    for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j] < a[j - 1]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return sprintf(form " (" form "-" form ")", a[int((n + 1) / 2)], a[1], a[n])
}
END {
    printf "%-12s %8s %20s", "increments", "pending", "ours, million/s"
    for (c = 1; c <= columns; c++) printf " %18s", "x " peer[c]
    print ""
    for (i = 1; i <= rows; i++) {
        split(order[i], part, " ")
        printf "%-12s %8d %20s", part[1], part[2], spread(speed, order[i], rounds[order[i]], "%.1f")
        for (c = 1; c <= columns; c++)
            printf " %18s", (order[i], peer[c]) in pairs ? spread(ratio, order[i] SUBSEP peer[c], pairs[order[i], peer[c]], "%.1f") : "-"
        print ""
    }
}
