/*
 * earlier_requests.h - which requests wait for earlier ones of their own application.
 *
 * A domain serves so many requests of an application at once: as many as were begun and not ended
 * together there at any time until now, and one at least. A request that has not begun is behind
 * earlier ones while as many that came to the domain before it are still there, whether they run or
 * wait themselves: before one of these has left, its turn does not come. That holds for policies
 * that take the requests of an application in their order; of one that overtakes, a request is
 * behind until it begins.
 */
#ifndef DCS_EARLIER_REQUESTS_H
#define DCS_EARLIER_REQUESTS_H

#include "des/base.h"

#define EARLIER_NONE UINT32_MAX

struct earlier_requests; /* opaque */

struct earlier_requests *earlier_requests_new(uint32_t domains, uint32_t apps);
void earlier_requests_free(struct earlier_requests *e); /* NULL is allowed */

/* Requests by their slots: numbers that no two which are inside at one time share. */
void earlier_requests_enter(struct earlier_requests *e, uint32_t slot, uint32_t domain,
                            uint32_t app);
/* Its first kernel is launched, or a later one: nothing then. Returns the request whose turn has
 * come by this, or EARLIER_NONE. */
uint32_t earlier_requests_begin(struct earlier_requests *e, uint32_t slot);
/* It has ended, or goes to another domain. Returns the same. */
uint32_t earlier_requests_leave(struct earlier_requests *e, uint32_t slot);
bool earlier_requests_hold(const struct earlier_requests *e, uint32_t slot);

#endif
