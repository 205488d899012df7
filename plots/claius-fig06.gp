# C-Laius, figure 6: errors of predicting how long a request takes, by application and method (of dcsim train)
@predictors
set ylabel 'error of durations of requests (%)'
bound = real(system(sprintf("grep -v '^#' '%s'", paper)))
plot bound with lines linestyle 9 linewidth 1 dashtype 2 title 'paper: trees and neighbours below', @methods
