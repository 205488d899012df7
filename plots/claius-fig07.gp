# C-Laius, figure 7: errors of predicting how long a kernel takes, by application and method (of dcsim train)
@predictors
set ylabel 'error of durations of kernels (%)'
plot @methods
