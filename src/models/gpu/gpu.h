/*
 * gpu.h - the truth about one device that several kernels share: how fast each really runs, when
 * the next one ends, where the time went.
 *
 * Passive, as exclusive_gpu.h: it says when something will change next, and the caller keeps the
 * event. Looking never changes a result: a running kernel stores what is left of it at the last
 * change of its rate, and its rate.
 *
 * HOW MANY SMs a kernel has. Under `green` exactly its allotment. Under `mps` its allotment is a
 * cap, caps may add up to more than the device, and the hardware hands out what partitions leave in
 * the order of a queue: each kernel gets what those before it leave, at most what it wants; one
 * that gets nothing waits. A kernel stands in the queue from when it begins; one of several CUDA
 * launches goes to the end after each. It wants its cap until the end of a launch begins, and then
 * less, in fractions of SMs. With the m SMs that it has by then, which hold k blocks each, the end
 * is:
 *
 * - blocks in step (spatial.h, WAVES): the last wave, when the last m * k of the blocks or fewer
 *   are left. It wants the SMs that these fill, rest / k. All waves are equally long.
 * - blocks that drift apart, more than fit at once: with none left to begin, half a wave of work is
 *   left in the mean, and lasts that long plus the overhang. Blocks end one by one: it wants half
 *   of its SMs, the mean.
 *
 * SMs that come later may be the end at once: all that is left to begin has a place. A grid that
 * fits into the cap at once has nothing but an end, with m the cap, and one that is not known has
 * none. The launches of a kernel have each their own grid and share of its work (spatial.h,
 * LAUNCHES), or are all alike. `whole` is `green` with all SMs, and nothing beside it but transfers
 * that are `whole`: these have no SMs, and may be beside anything. (Chosen among laws, and the
 * overhang fitted: docs/model.md.)
 *
 * TRANSFERS need no SMs, and the two directions are independent of each other. Those of one process
 * go one after the other in each direction. `green` and `whole` are partitions of one process:
 * their transfers are served in the order in which they began, and of those that began at one
 * instant in the order of their ids; one that waits has begun. A request's transfers of one
 * direction that follow each other, each launched at the instant at which the one before it ended,
 * were enqueued together: all have the place of the first. Under `mps` each transfer is of another
 * process. Processes share the bus equally in each direction.
 *
 * HOW FAST. A kernel alone takes the time of the profile at its SMs. In that end under `mps` it
 * takes that of the m SMs if it has all that it wants, else that of these in proportion (but for
 * LAST BLOCKS). Drifting blocks do half a wave of work in an end of half a wave and the overhang,
 * so that they keep their m SMs busy for that share of it, although they leave half of the places.
 * Whoever takes these is on the same SMs: where the SMs that all in the queue keep busy are more
 * than there are for them, each takes that much longer.
 * What runs together is slowed as contention.h says, in whole SMs: where all get the SMs that they
 * want, as on those that set their pace, for what a kernel moves was measured of all of it, ends
 * included; where SMs are scarce, on those that each has now, for then one runs in another's ends.
 * When that changes while a kernel runs, the share of its work that is left stays. Times are
 * rounded to the nearest ns at its end.
 *
 * CLUSTERS. The blocks of a thread block cluster begin at one time, on SMs of one group of the
 * device (spatial.h). Under `mps` a kernel in clusters of more than two blocks that begins beside
 * others may find room for all of its clusters but the last, which begins when those others have
 * ended, or after its own others, in a wave of its own. How likely that is follows from the
 * clusters of those kernels, or from the SMs that they fill. In the mean the kernel's rate is so
 * much less until they have ended, or until the time of such a wave has passed. A wave of the last
 * cluster takes less than the whole where an SM alone is faster: as much as it is on the fewest SMs
 * on which the kernel was measured. (Constants and where they are from: docs/model.md.) No
 * contention is needed for that.
 *
 * LAST BLOCKS. A launch whose blocks all fit at once on the SMs that it wants ends when the last of
 * them does. With fewer, which happens only where SMs are scarce, some begin late: when it has all
 * that it wants; or when blocks on its own SMs have ended, in rounds of T, its time with all that
 * it wants. The last round begins max(T, T' - T) after the first, with T' its time on the SMs that
 * it has, both as slowed as it is; when that changes, the share of the wait that is left stays.
 * Until then it does a thousandth of what it would (not nothing: rate 0 means that it has no SMs),
 * and from then on it takes T. Until it ends it holds up to all SMs that it wants, although its
 * last blocks need fewer.
 * Less than half a block's place is not waited for. That is so for each launch of a kernel; the
 * wait for room of one in clusters stands still meanwhile.
 *
 * MOVING SMs between kernels that run is what no GPU can: a device that does is hypothetical, and
 * all else here is as without. A kernel on a partition is then given another allotment while it
 * runs. SMs that are to leave it stay until its blocks there have ended (drain), and then go to
 * kernels that are to have more, the lowest id first; a kernel that begins meanwhile has what is
 * free, and waits if nothing is. Blocks in step end with their wave: until then all SMs work. Those
 * that drift apart take up to a block's time, the launch's over its waves and the overhang; half of
 * the SMs that leave work meanwhile, in the mean. Blocks whose grid was not measured end with their
 * CUDA launch. Or what the blocks hold in registers and shared memory is saved (save): by each SM
 * at its share of the DRAM bandwidth; the kernel's other SMs read it back at theirs, which is more
 * work for them. All that is of the profile: times, grids, registers, shared memory and bandwidth.
 *
 * FUSED LAUNCHES. Two kernels in one launch have the whole device, nothing beside them but
 * transfers that are `whole`, and take what was measured of them (fusion.h): contention is in that.
 * Both begin and end together; who asks for the present activity is told when the part that is done
 * first has ended. What stops one stops both.
 *
 * REVOCATION. A trap kills every kernel on the device; an exit flag and a kill of its process only
 * the one. A dying kernel keeps its partition until it is gone. What else it costs is as in
 * exclusive_gpu.h: the next start is slow, the clean-up is owed by the next batch start, a dead
 * context keeps its memory until then. One revocation is one dead context, whatever died with it.
 *
 * ACCOUNTING, inside the window. Time in which several kernels are there counts for each of them in
 * equal parts. busy: some kernel is there; useful + lost + overhead = busy, where lost is work that
 * was thrown away, overhead what starts and stops took. Waiting for SMs counts as work. An SM is
 * in use if a kernel that works can occupy it, under every mechanism: each kernel occupies as many
 * as its allotment and its blocks allow, and all that share SMs together no more than there are.
 * Activity by cores: time in which at least one kernel that works uses tensor cores, the others,
 * and both kinds of them at once; of a fused launch each part until its own end. Transfers use
 * neither, nor kernels of which the profile does not say it, and a kernel that waits for SMs.
 */
#ifndef DCS_MODELS_GPU_H
#define DCS_MODELS_GPU_H

#include "models/gpu/contention.h"
#include "models/gpu/exclusive_gpu.h"

struct dcs_gpu;

/* How a kernel shares the device, and how many SMs it is allotted (whole: 0). */
enum dcs_gpu_share { DCS_GPU_WHOLE, DCS_GPU_GREEN, DCS_GPU_MPS };
struct dcs_gpu_allotment {
    enum dcs_gpu_share share;
    uint32_t sms;
};

/* How SMs leave a kernel that runs: not at all, as on every GPU, or on a hypothetical one. */
enum dcs_gpu_moves { DCS_MOVES_NOT, DCS_MOVES_BY_DRAIN, DCS_MOVES_BY_SAVE };

#define DCS_NO_SHAPE UINT32_MAX /* a synthetic kernel: scales with 1 / SMs and presses nothing */

struct dcs_gpu_launch {
    uint64_t id;    /* of the request; > 0, no two that run together are equal */
    uint32_t shape; /* of the profile, or DCS_NO_SHAPE */
    double scale;   /* its true time over the profile's: noise, scramble; 1 */
    double work_ns; /* synthetic: on the whole device */
    uint64_t memory_bytes;
    struct dcs_gpu_allotment allotment;
    enum dcs_class class;
    int64_t delay_ns; /* before it begins: quota switch, wait for its host */
};

/* Two kernels as one launch. */
struct dcs_gpu_fused {
    struct dcs_gpu_launch parts[2]; /* whole; scale and work_ns do not count */
    double end_ns[2];               /* of each part, since they begin; the later ends the launch */
};

/* What has been promised to launches that are still to come. */
struct dcs_gpu_promised {
    uint32_t kernels;
    int64_t sms; /* below 0: to be given back */
    uint64_t memory_bytes;
    bool whole; /* one of them is */
};

struct dcs_gpu_end {
    uint64_t id;
    bool stopped; /* its revocation is over; else it has completed */
};

struct dcs_gpu_usage {
    struct dcs_usage time;
    double sm_ns;                        /* integral of the SMs in use: see above */
    double kernel_ns;                    /* of the kernels that worked */
    double slowed_ns;                    /* what contention added to that */
    double beyond_ns;                    /* of that, what is beyond all that was measured of them */
    int64_t tensor_ns, cuda_ns, both_ns; /* activity by cores */
};

/* contention may be NULL: then kernels do not slow each other, but where clusters lack room. Both
 * outlive the device. */
struct dcs_gpu *dcs_gpu_create(const struct dcs_spatial *s, struct dcs_contention *contention,
                               uint64_t memory_bytes, int64_t window_ns);
void dcs_gpu_destroy(struct dcs_gpu *g); /* NULL is allowed */
size_t dcs_gpu_bytes(void); /* that each comes to take with four kernels beside each other */

/* SMs move from now on; before anything runs. */
void dcs_gpu_let_move(struct dcs_gpu *g, enum dcs_gpu_moves by);

/* Whether a launch is legal now, beside what is promised (NULL: nothing); if not, *why says so (a
 * constant text). */
bool dcs_gpu_admits(const struct dcs_gpu *g, const struct dcs_gpu_launch *l,
                    const struct dcs_gpu_promised *promised, const char **why);
/* Asserts that it is. */
void dcs_gpu_start(struct dcs_gpu *g, int64_t now_ns, const struct dcs_gpu_launch *l);

/* The same of two kernels as one launch. */
bool dcs_gpu_admits_fused(const struct dcs_gpu *g, const struct dcs_gpu_launch parts[2],
                          const struct dcs_gpu_promised *promised, const char **why);
void dcs_gpu_start_fused(struct dcs_gpu *g, int64_t now_ns, const struct dcs_gpu_fused *f);

/* Whether a kernel may have another allotment from now on: it runs on a partition where SMs move,
 * and the others' allotments leave so many. */
bool dcs_gpu_admits_resize(const struct dcs_gpu *g, uint64_t id, uint32_t sms,
                           const struct dcs_gpu_promised *promised, const char **why);
/* Asserts that it is so. */
void dcs_gpu_resize(struct dcs_gpu *g, int64_t now_ns, uint64_t id, uint32_t sms);

/* When something ends next by itself, or earlier (dcs_gpu_advance() then finds nothing that ends);
 * DCS_NEVER if nothing will, DCS_TIME_MAX if that is beyond what can be simulated. To be asked
 * after all changes of an instant: each answer after a change costs a solution of the rates. */
int64_t dcs_gpu_next_ns(struct dcs_gpu *g);
/* Applies what happens at now_ns = next: kernels that end then, ascending by id, at most
 * DCS_TOGETHER_MAX; returns how many (0: something else changed). */
uint32_t dcs_gpu_advance(struct dcs_gpu *g, int64_t now_ns, struct dcs_gpu_end *ended);

/* Revokes a kernel that runs, and what the mechanism takes with it: their ids, ascending, at most
 * DCS_TOGETHER_MAX; returns how many. What they did is lost. */
uint32_t dcs_gpu_stop(struct dcs_gpu *g, int64_t now_ns, uint64_t id,
                      const struct dcs_profile_revocation *cost, uint64_t *victims);

uint32_t dcs_gpu_running(const struct dcs_gpu *g); /* without those that are being revoked */
uint32_t dcs_gpu_stopping(const struct dcs_gpu *g);
uint64_t dcs_gpu_nth(const struct dcs_gpu *g, uint32_t n); /* id of the n-th that runs, ascending */
/* When it begins to work, after what its start costs. It runs. */
int64_t dcs_gpu_began_ns(const struct dcs_gpu *g, uint64_t id);
uint64_t dcs_gpu_memory_used(const struct dcs_gpu *g); /* dead contexts included */
/* Sum of the allotments of all that is there, without transfers that are whole; mps caps may exceed
 * the device. */
uint32_t dcs_gpu_sms_allotted(const struct dcs_gpu *g);
/* Of one that is there; 0: it is not. */
uint32_t dcs_gpu_allotment(const struct dcs_gpu *g, uint64_t id);
/* SMs that are with partitions, moving ones with those that they leave. Of a device that is not
 * ahead of its caller (dcs_gpu_next_ns()); for tests. */
uint32_t dcs_gpu_sms_held(const struct dcs_gpu *g);
/* Share of its work that is left, for the clairvoyant and the truth scramble; never for a policy.
 * 1 before it begins. */
double dcs_gpu_left(struct dcs_gpu *g, int64_t now_ns, uint64_t id);
void dcs_gpu_scale_left(struct dcs_gpu *g, int64_t now_ns, uint64_t id, double factor);

/* Of the time until the device's next end, the share that a kernel loses to each of the others that
 * are there: in proportion to how much less it would lose without each of them, one at a time (of
 * a launch that waits for its last blocks: until it ends);
 * together, what it takes longer than alone on its allotment. A transfer that waits loses all to
 * the one that is served. Returns how many there are (0: it loses nothing, does not work, or is
 * fused), at most DCS_TOGETHER_MAX - 1. Costs a solution of the rates for each other. After
 * dcs_gpu_next_ns(). */
struct dcs_gpu_loss {
    uint64_t id; /* of the other */
    double share;
};
uint32_t dcs_gpu_losses(const struct dcs_gpu *g, uint64_t id, struct dcs_gpu_loss *out);

/* Closes the accounting; what runs counts as useful. Once, at the end. */
void dcs_gpu_close(struct dcs_gpu *g, int64_t now_ns);
/* Of a device that is closed, or on which something has just ended. */
const struct dcs_gpu_usage *dcs_gpu_usage(const struct dcs_gpu *g);

#endif
