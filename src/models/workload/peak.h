/*
 * peak.h - the highest load that a service bears alone on one device: the largest Poisson rate at
 * which a quantile of its response time still meets the SLA, one request at a time, first come,
 * first served.
 *
 * METHOD. The waiting time of request i + 1 follows from that of request i (D. Lindley, "The theory
 * of queues with a single server", 1952). Gaps of every rate come from the same unit
 * exponentials, so a request that is late at one rate is late at every higher one, and bisection
 * finds the rate. Violations are counted, not read off a histogram. Above 1 / mean work the queue
 * grows without end; a sample ends before it is longer than a very long SLA allows, so that is the
 * bound.
 *
 * ERROR. All rates share one draw of DCS_PEAK_REQUESTS requests, whose chance stays in the result:
 * with constant work (M/D/1) and SLAs of 2 to 6 times the work it is 0.8 to 1.8 % below theory.
 */
#ifndef DCS_MODELS_PEAK_H
#define DCS_MODELS_PEAK_H

#include "des/base.h"

#define DCS_PEAK_REQUESTS 200000 /* that count; as many as a twentieth more come before them */

/* How long request number `index` takes alone, ns, >= 1. */
typedef int64_t dcs_peak_work(void *context, uint64_t index);

/* The rate, requests per second, at which the share `quantile` of the requests (0.5 .. 0.9999)
 * meets sla_ns, to a relative 1e-4 below the bound of the draw, which may be per cents from the
 * true one (ERROR); a pure function of its arguments. 0: even requests that never wait miss the SLA
 * too often. */
double dcs_peak_rate_per_s(dcs_peak_work *work, void *context, int64_t sla_ns, double quantile,
                           uint64_t seed);

#endif
