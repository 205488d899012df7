/* report_notes.h - the end of the summary: what its numbers stand for, and every reason to doubt
 * them. For report.c. */
#ifndef DCS_REPORT_NOTES_H
#define DCS_REPORT_NOTES_H

#include "report_view.h"

void report_notes(const struct report_view *r);

#endif
