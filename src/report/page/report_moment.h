/*
 * report_moment.h - one moment of one run: how SMs were divided, how many requests waited, and how
 * many were late, around the request that passed its deadline by most.
 *
 * It is drawn of the first run that kept both its requests (outputs.requests) and its launches
 * (outputs.launches); nothing is drawn if none did.
 */
#ifndef DCS_REPORT_MOMENT_H
#define DCS_REPORT_MOMENT_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

int report_moment(struct page *p, const struct report_data *d, struct dcs_err *err);

#endif
