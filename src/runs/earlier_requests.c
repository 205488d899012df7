/* earlier_requests.c - see earlier_requests.h. */
#include "runs/earlier_requests.h"

#include <stdlib.h>

/* A request that is inside, in the list of its line. */
struct entry {
    uint32_t line, before, after; /* slots */
    bool front, begun;
};

/* The requests of an application in a domain, in the order in which they came. The first ones of
 * the list are its front: not more than are served at once. */
struct line {
    uint32_t last;   /* slot; EARLIER_NONE: the line is empty */
    uint32_t behind; /* the first that is not in the front */
    uint32_t front;  /* how many are */
    uint32_t begun, most;
};

struct earlier_requests {
    uint32_t apps;
    struct line *lines;
    struct entry *entries; /* by slot */
    size_t capacity;
};

struct earlier_requests *earlier_requests_new(uint32_t domains, uint32_t apps)
{
    struct earlier_requests *e = dcs_alloc(1, sizeof *e);
    size_t lines = (size_t)domains * apps;
    e->apps = apps;
    e->lines = dcs_alloc(lines + 1, sizeof *e->lines);
    for (size_t i = 0; i < lines; i++)
        e->lines[i] = (struct line){.last = EARLIER_NONE, .behind = EARLIER_NONE, .most = 1};
    return e;
}

void earlier_requests_free(struct earlier_requests *e)
{
    if (e == NULL)
        return;
    free(e->lines);
    free(e->entries);
    free(e);
}

/* Moves the first one that is behind to the front, if there is room. */
static uint32_t advance_line(struct earlier_requests *e, struct line *line)
{
    uint32_t slot = line->behind;
    if (slot == EARLIER_NONE || line->front == line->most)
        return EARLIER_NONE;
    e->entries[slot].front = true;
    line->front++;
    line->behind = e->entries[slot].after;
    return slot;
}

void earlier_requests_enter(struct earlier_requests *e, uint32_t slot, uint32_t domain,
                            uint32_t app)
{
    uint32_t number = domain * e->apps + app;
    struct line *line = &e->lines[number];
    e->entries = dcs_grow(e->entries, &e->capacity, (size_t)slot + 1, sizeof *e->entries);
    e->entries[slot] = (struct entry){.line = number, .before = line->last, .after = EARLIER_NONE};
    if (line->last != EARLIER_NONE)
        e->entries[line->last].after = slot;
    line->last = slot;
    if (line->behind == EARLIER_NONE)
        line->behind = slot;
    advance_line(e, line);
}

uint32_t earlier_requests_begin(struct earlier_requests *e, uint32_t slot)
{
    struct entry *entry = &e->entries[slot];
    struct line *line = &e->lines[entry->line];
    if (entry->begun)
        return EARLIER_NONE;
    entry->begun = true;
    if (++line->begun <= line->most)
        return EARLIER_NONE;
    line->most = line->begun;
    return advance_line(e, line);
}

uint32_t earlier_requests_leave(struct earlier_requests *e, uint32_t slot)
{
    const struct entry *entry = &e->entries[slot];
    struct line *line = &e->lines[entry->line];
    if (entry->before != EARLIER_NONE)
        e->entries[entry->before].after = entry->after;
    if (entry->after != EARLIER_NONE)
        e->entries[entry->after].before = entry->before;
    else
        line->last = entry->before;
    if (line->behind == slot)
        line->behind = entry->after;
    line->front -= entry->front;
    line->begun -= entry->begun;
    return advance_line(e, line);
}

bool earlier_requests_hold(const struct earlier_requests *e, uint32_t slot)
{
    return !e->entries[slot].front && !e->entries[slot].begun;
}
