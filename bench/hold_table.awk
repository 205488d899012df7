# Makes a table of the lines of hold, hold_std and hold_cimba: who, distribution, pending, million a second.
# A ratio is of ours to a peer's next line; the median is over all rounds.
$1 == "checksum" || $1 == "cancel" { next }
$1 == "ours" { ours = $4; where = $2 " " $3; speed[where, ++rounds[where]] = ours; if (!(where in seen)) { seen[where] = 1; order[++rows] = where }; next }
{ ratio[where, $1, ++pairs[where, $1]] = ours / $4 }
function median(values, key, n,   a, i, j, t) {
    for (i = 1; i <= n; i++) a[i] = values[key, i]
    for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j] < a[j - 1]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[int((n + 1) / 2)]
}
function times(where, who) {
    return (where, who) in pairs ? sprintf("%.1f", median(ratio, where SUBSEP who, pairs[where, who])) : "-"
}
END {
    printf "%-12s %8s %8s %8s %20s %9s\n", "increments", "pending", "ours", "x cimba", "x std::priority_queue", "x std::set"
    for (i = 1; i <= rows; i++) {
        split(order[i], part, " ")
        printf "%-12s %8d %8.1f %8s %20s %9s\n", part[1], part[2], median(speed, order[i], rounds[order[i]]), times(order[i], "cimba"), times(order[i], "priority_queue"), times(order[i], "set")
    }
}
