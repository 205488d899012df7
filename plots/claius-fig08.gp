# C-Laius, figure 8: errors of predicting the DRAM bandwidth of a kernel, by application and method (of dcsim train)
@predictors
set ylabel 'error of DRAM bandwidths of kernels (%)'
plot @methods
