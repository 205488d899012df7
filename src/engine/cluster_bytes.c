/* cluster_bytes.c - the memory that a run takes, in bytes; see CLUSTER_BYTES_MAX in cluster.h. */
#include "engine/cluster_state.h"

uint64_t cluster_job_bytes(void)
{
    return sizeof(struct dcs_job) + sizeof(struct job) + sizeof(struct cluster_job_row);
}

static uint64_t domains_bytes(const struct cluster_spec *s)
{
    uint64_t device = sizeof(struct device), devices = 0;
    const struct device_kind *kind = device_kind_of(s);
    if (kind->bytes != NULL)
        device += kind->bytes();
    for (uint32_t i = 0; i < s->domains_count; i++)
        devices += s->domains[i].devices;
    uint64_t domain = sizeof(struct domain) + s->policy->state_size + 3 * sizeof(uint32_t);
    return s->domains_count * domain + devices * device;
}

static uint64_t jobs_bytes(const struct cluster_spec *s)
{
    uint64_t bytes = s->workload->count * cluster_job_bytes();
    for (size_t i = 0; i < s->workload->count; i++) {
        const struct dcs_job *job = &s->workload->jobs[i];
        if (job->open)
            bytes += sizeof(struct dcs_arrivals) + sizeof(struct dcs_arrivals_spec);
    }
    return bytes;
}

/* Clients without end each have a request inside, unless they think. */
static uint64_t clients_bytes(const struct cluster_spec *s)
{
    uint64_t clients = 0;
    for (size_t i = 0; i < s->workload->count; i++) {
        const struct dcs_job *job = &s->workload->jobs[i];
        if (!job->open && job->requests == 0 && job->think == NULL)
            clients += job->clients;
    }
    return clients * request_bytes(device_kind_of(s)->divides);
}

struct cluster_bytes cluster_bytes(const struct cluster_spec *s)
{
    return (struct cluster_bytes){
        .domains = domains_bytes(s), .jobs = jobs_bytes(s), .clients = clients_bytes(s)};
}

static uint64_t most_bytes(const struct cluster_spec *s)
{
    return s->bytes_max > 0 ? s->bytes_max : CLUSTER_BYTES_MAX;
}

/* As dcs_grow() does. */
static size_t grown_to(size_t capacity, size_t need)
{
    size_t grown = capacity > 0 ? capacity : 8;
    while (grown < need)
        grown *= 2;
    return grown;
}

bool cluster_may_grow(struct cluster *c, size_t capacity, size_t need, size_t size)
{
    uint64_t most = most_bytes(c->spec);
    if (need <= capacity)
        return true;
    uint64_t more = (uint64_t)(grown_to(capacity, need) - capacity) * size;
    if (c->bytes + more > most) {
        cluster_overloaded(c, "bytes of memory would not hold all requests that are inside", most);
        return false;
    }
    c->bytes += more;
    return true;
}

bool cluster_bytes_hold(const struct cluster_spec *s, size_t requests, size_t times)
{
    const struct cluster_bytes first = cluster_bytes(s);
    uint64_t grown = grown_to(0, requests) * request_bytes(device_kind_of(s)->divides);
    grown += grown_to(0, times) * sizeof(int64_t);
    return first.domains + first.jobs + grown <= most_bytes(s);
}
