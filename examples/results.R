# Reads a results database into R: Rscript examples/results.R results.db
# Needs the package RSQLite (Debian: r-cran-rsqlite).
#
# Prints the headline numbers, and for each world (all but the policy is the same) the paired difference of
# two policies in the share of late requests.

path <- commandArgs(trailingOnly = TRUE)
if (length(path) != 1) stop("usage: results.R RESULTS.db")
# Experiments are numbers of 44 bits, which a double holds exactly.
results <- DBI::dbConnect(RSQLite::SQLite(), path, flags = RSQLite::SQLITE_RO, bigint = "numeric")

headline <- DBI::dbGetQuery(results, "SELECT * FROM headline")
print(headline[, c("name", "policy", "replications", "sla_met", "sla_met_low", "sla_met_high", "utilisation")])

met <- DBI::dbGetQuery(results, "
    SELECT json_remove(e.config, '$.name', '$.description', '$.outputs', '$.replications', '$.until',
        '$.policy') AS world, m.experiment, m.replication, m.value
    FROM metric m JOIN experiment e ON e.id = m.experiment
    WHERE m.name = 'sla_met' AND m.class = 'latency'")
for (world in split(met, met$world)) {
    experiments <- unique(world$experiment)
    baseline <- world[world$experiment == experiments[1], ]
    for (other in experiments[-1]) {
        both <- merge(baseline, world[world$experiment == other, ], by = "replication")
        print(t.test(both$value.y, both$value.x, paired = TRUE))
    }
}
DBI::dbDisconnect(results)
