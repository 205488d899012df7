-- What version 2 of a profile's tables adds to profile_schema_1.sql: what dcsim-calibrate measures.
-- All of these tables may be missing or empty.
--
-- Columns that many tables share:
--   size         of the request, in the application's size_unit
--   kernel       the kernel's shape (struct cal_kernel), one row for all of a request that are equal
--   sms          SMs it could use; mechanism: 'whole', 'green' (a green context), 'mps' (then
--                percent is set, and sms is what the driver reported)
--   n            samples kept; throttled: samples thrown away
--   median_ns, mean_ns, stddev_ns, min_ns, max_ns   of the kept samples
--   stop         why sampling ended: 'rse' (relative standard error below the bound), 'count',
--                'time'
--   clock_mhz    mean SM clock while sampling
--   l2           'cold' or 'warm': state of the L2 cache before each sample

-- What ran.
CREATE TABLE subject(application TEXT PRIMARY KEY, papers TEXT NOT NULL,
    algorithm TEXT NOT NULL, size_unit TEXT NOT NULL, size_min INTEGER NOT NULL,
    size_max INTEGER NOT NULL, size_default INTEGER NOT NULL);

-- The kernels of a request of one size, in order.
CREATE TABLE request_kernel(application TEXT NOT NULL, size INTEGER NOT NULL,
    position INTEGER NOT NULL, name TEXT NOT NULL, kernel TEXT NOT NULL,
    PRIMARY KEY(application, size, position));

-- What can be known of a kernel before it runs. Of several launches: the largest grid.
CREATE TABLE kernel_shape(application TEXT NOT NULL, size INTEGER NOT NULL,
    kernel TEXT NOT NULL, kind TEXT NOT NULL, cores TEXT NOT NULL, launches INTEGER NOT NULL,
    blocks INTEGER, threads_per_block INTEGER, registers INTEGER, shared_bytes INTEGER,
    blocks_per_sm INTEGER, flop REAL, bytes REAL, transfer_bytes INTEGER,
    repeatable INTEGER NOT NULL, PRIMARY KEY(application, size, kernel));

-- Alone on the device.
CREATE TABLE request_solo(application TEXT NOT NULL, size INTEGER NOT NULL,
    mechanism TEXT NOT NULL, sms INTEGER NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(application, size, mechanism, sms));

CREATE TABLE kernel_solo(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL,
    mechanism TEXT NOT NULL, sms INTEGER NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(application, size, kernel, mechanism, sms));

-- The CUDA launches of a kernel that consists of several, in order, launches that are alike in one
-- row; times are of one of them, gap_ns is before it.
CREATE TABLE kernel_launch(application TEXT NOT NULL, size INTEGER NOT NULL,
    kernel TEXT NOT NULL, mechanism TEXT NOT NULL, sms INTEGER NOT NULL,
    position INTEGER NOT NULL, launches INTEGER NOT NULL, blocks INTEGER NOT NULL,
    threads_per_block INTEGER NOT NULL, registers INTEGER NOT NULL,
    shared_bytes INTEGER NOT NULL, blocks_per_sm INTEGER, gap_ns INTEGER NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(application, size, kernel, mechanism, sms, position));

-- A program that was recorded as it is, on so many SMs: which of its requests count, and what they
-- add up to. Medians over requests; percent: of MPS, 100: the whole device without MPS.
-- plain_wall_ns: the program without the recorder, wall_ns: with it; 0: not known. alone_ns: a
-- request made of recorded_launch.
CREATE TABLE recorded(application TEXT NOT NULL, size INTEGER NOT NULL,
    mechanism TEXT NOT NULL, sms INTEGER NOT NULL, percent INTEGER NOT NULL, command TEXT NOT NULL,
    request TEXT NOT NULL, found INTEGER NOT NULL, skipped INTEGER NOT NULL,
    others INTEGER NOT NULL, requests INTEGER NOT NULL, matched INTEGER NOT NULL,
    p5_ns INTEGER NOT NULL, p95_ns INTEGER NOT NULL, kernels_ns INTEGER NOT NULL,
    copies_ns INTEGER NOT NULL, idle_ns INTEGER NOT NULL, overlap_ns INTEGER NOT NULL,
    end_gap_ns INTEGER NOT NULL, device_gap_ns INTEGER NOT NULL, alone_ns INTEGER NOT NULL,
    lost INTEGER NOT NULL, plain_wall_ns INTEGER NOT NULL, wall_ns INTEGER NOT NULL,
    PRIMARY KEY(application, size, mechanism, sms));

-- How long requests of a recorded program take by its own clock without being recorded, how many
-- were timed, the median of those that were recorded, and by what gaps_scale their gaps were made
-- to fit.
CREATE TABLE recorded_clock(application TEXT NOT NULL, size INTEGER NOT NULL,
    mechanism TEXT NOT NULL, sms INTEGER NOT NULL, requests INTEGER NOT NULL,
    p5_ns INTEGER NOT NULL, median_ns INTEGER NOT NULL, p95_ns INTEGER NOT NULL,
    recorded_ns INTEGER NOT NULL, gaps_scale REAL NOT NULL,
    PRIMARY KEY(application, size, mechanism, sms));

-- The kernels and copies of a recorded request, in the order of the host's launches. host_gap_ns,
-- wait_gap_ns: when the host launches (calibrate/record/recorded_sequence.h); wait_gap_ns NULL: the
-- host does not wait before it; both NULL: several run at one time.
CREATE TABLE recorded_launch(application TEXT NOT NULL, size INTEGER NOT NULL,
    mechanism TEXT NOT NULL, sms INTEGER NOT NULL, position INTEGER NOT NULL,
    kernel TEXT NOT NULL, function TEXT NOT NULL, stream INTEGER NOT NULL, blocks INTEGER,
    threads_per_block INTEGER, registers INTEGER, shared_bytes INTEGER, transfer_bytes INTEGER,
    median_ns INTEGER NOT NULL, p5_ns INTEGER NOT NULL, p95_ns INTEGER NOT NULL,
    host_gap_ns INTEGER, wait_gap_ns INTEGER,
    PRIMARY KEY(application, size, mechanism, sms, position));

-- Of a kernel whose blocks come in clusters, on so many SMs: blocks of a cluster, and of its grid.
-- Where several launches stand for the kernel, those that take the most of its time.
CREATE TABLE kernel_cluster(application TEXT NOT NULL, size INTEGER NOT NULL,
    kernel TEXT NOT NULL, mechanism TEXT NOT NULL, sms INTEGER NOT NULL,
    cluster_blocks INTEGER NOT NULL, blocks INTEGER NOT NULL,
    PRIMARY KEY(application, size, kernel, mechanism, sms));

-- How many clusters of so many blocks, each of which fills an SM, the device has room for at once.
CREATE TABLE cluster_room(cluster_blocks INTEGER PRIMARY KEY, clusters INTEGER NOT NULL);

-- Hardware counters, whole device, never during co-runs; NULL: not available.
CREATE TABLE kernel_counters(application TEXT NOT NULL, size INTEGER NOT NULL,
    kernel TEXT NOT NULL, l2 TEXT NOT NULL, duration_ns INTEGER, instructions REAL, ipc REAL,
    dram_read_bytes REAL, dram_write_bytes REAL, l2_bytes REAL, l2_hit_fraction REAL,
    l1_hit_fraction REAL, tensor_active_fraction REAL, fma_active_fraction REAL,
    occupancy_fraction REAL, PRIMARY KEY(application, size, kernel, l2));

-- launch: an empty kernel back to back; gap: between two kernels of a stream; event: what
-- recording an event adds; copy and matrix: the ceilings, in ns for `amount`.
CREATE TABLE overhead(what TEXT NOT NULL, mechanism TEXT NOT NULL, sms INTEGER NOT NULL,
    amount REAL NOT NULL, unit TEXT NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(what, mechanism, sms, amount));

-- direction 'to_device', 'from_device'; beside: 0 alone, 1 with one in the other direction, 2 with
-- one in the same direction, 3 with a streaming kernel.
CREATE TABLE transfer(direction TEXT NOT NULL, bytes INTEGER NOT NULL, beside INTEGER NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(direction, bytes, beside));

-- From the end of a kernel to the begin of the next of the same chain, on other SMs or (stream,
-- stream_host, mps_stream, mps_host) on the same: calibrate/measure/measure_switch.c.
CREATE TABLE quota_switch(mechanism TEXT NOT NULL, from_sms INTEGER NOT NULL,
    to_sms INTEGER NOT NULL, memory TEXT NOT NULL, tick_ns INTEGER NOT NULL,
    p95_ns INTEGER NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(mechanism, from_sms, to_sms));

-- What scheduling takes on the device, by policy ('*': those without a row). duration_ns: from the
-- end of a kernel to the begin of the one that is launched then; callback_ns: a callback of the
-- policy, which is part of it. n: launches. How they are made of runs: src/commands/driven_cost.h.
CREATE TABLE scheduler_cost(policy TEXT PRIMARY KEY, duration_ns INTEGER NOT NULL,
    callback_ns INTEGER NOT NULL, n INTEGER NOT NULL, source TEXT NOT NULL);

-- How long killing the process of an application took where another one waited: the quantiles
-- (position + 0.5) / c of n kills, c = min(n, 20). again: 1 where another was killed on the device in the
-- second before.
CREATE TABLE driven_kill(mechanism TEXT NOT NULL, again INTEGER NOT NULL,
    position INTEGER NOT NULL, kill_ns INTEGER NOT NULL, n INTEGER NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY(mechanism, again, position));

-- Kernels that ran at the same time. kind: 'sensitivity' (a kernel beside a producer), 'request' (the
-- same of a kernel in its request), 'meter' (a producer beside another), 'pair', 'triple', 'quadruple', 'oversubscription', 'sized-pair' (a kernel of
-- another size beside one of the default size), 'programs' (requests of whole programs; the kernel
-- is 'request'). half: 'dev' for who builds a model, 'test' only after its form is frozen, 'test2'
-- and 'test3' after those of later forms, NULL for the rest.
CREATE TABLE corun(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, mechanism TEXT NOT NULL,
    half TEXT, draw INTEGER NOT NULL, overlap_ns INTEGER NOT NULL, dram_gbs REAL, l2_gbs REAL);

-- dram_gbs, l2_gbs: what a producer moved meanwhile, by its own count; NULL without one. A side
-- that is a producer has its name as application and its level as size. percent: of MPS. solo_*:
-- the same kernel on the same partition alone, measured in the same minutes.
CREATE TABLE corun_side(corun INTEGER NOT NULL REFERENCES corun(id), side INTEGER NOT NULL,
    application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL,
    sms INTEGER NOT NULL, percent INTEGER, solo_median_ns INTEGER NOT NULL,
    solo_mean_ns REAL NOT NULL, solo_n INTEGER NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(corun, side));

-- The 95th percentile of the requests of a side of 'programs', together and alone.
CREATE TABLE corun_tail(corun INTEGER NOT NULL REFERENCES corun(id), side INTEGER NOT NULL,
    p95_ns INTEGER NOT NULL, solo_p95_ns INTEGER NOT NULL, PRIMARY KEY(corun, side));

-- Real requests of a service from a recorded arrival list beside a batch application.
CREATE TABLE live(id INTEGER PRIMARY KEY, service TEXT NOT NULL, service_size INTEGER NOT NULL,
    batch TEXT NOT NULL, batch_size INTEGER NOT NULL, allocation TEXT NOT NULL,
    service_percent INTEGER NOT NULL, batch_percent INTEGER NOT NULL, load REAL NOT NULL,
    duration_ns INTEGER NOT NULL, half TEXT NOT NULL, service_solo_ns INTEGER NOT NULL,
    batch_solo_ns INTEGER NOT NULL);

CREATE TABLE live_request(live INTEGER NOT NULL REFERENCES live(id), role TEXT NOT NULL,
    request INTEGER NOT NULL, arrival_ns INTEGER NOT NULL, begin_ns INTEGER NOT NULL,
    end_ns INTEGER NOT NULL, PRIMARY KEY(live, role, request));

-- The same on complementary partitions (green contexts) of one process. clock_mhz: while it ran,
-- and while each was timed alone.
CREATE TABLE live_partition(id INTEGER PRIMARY KEY, service TEXT NOT NULL,
    service_size INTEGER NOT NULL, service_sms INTEGER NOT NULL, batch TEXT NOT NULL,
    batch_size INTEGER NOT NULL, batch_sms INTEGER NOT NULL, load REAL NOT NULL,
    duration_ns INTEGER NOT NULL, half TEXT NOT NULL, service_solo_ns INTEGER NOT NULL,
    batch_solo_ns INTEGER NOT NULL, service_solo_clock_mhz INTEGER NOT NULL,
    batch_solo_clock_mhz INTEGER NOT NULL, clock_mhz INTEGER NOT NULL);

CREATE TABLE live_partition_request(live INTEGER NOT NULL REFERENCES live_partition(id),
    role TEXT NOT NULL, request INTEGER NOT NULL, arrival_ns INTEGER NOT NULL,
    begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, PRIMARY KEY(live, role, request));

-- One launch of persistent blocks of a tensor and a CUDA kernel (Tacker, section V).
-- tensor_blocks, cuda_blocks: of each in one fused block; 0 and 0: one after the other.
CREATE TABLE fused(tensor TEXT NOT NULL, tensor_size INTEGER NOT NULL, cuda TEXT NOT NULL,
    cuda_size INTEGER NOT NULL, tensor_blocks INTEGER NOT NULL, cuda_blocks INTEGER NOT NULL,
    load_ratio_percent INTEGER NOT NULL, tensor_ns INTEGER NOT NULL, cuda_ns INTEGER NOT NULL,
    tensor_end_ns INTEGER, cuda_end_ns INTEGER, registers INTEGER NOT NULL,
    shared_bytes INTEGER NOT NULL, threads INTEGER NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(tensor, tensor_size, cuda, cuda_size, tensor_blocks, cuda_blocks, load_ratio_percent));

-- Two CUDA kernels inside each SM: `blocks` of `kernel` beside `beside_blocks` of the other one,
-- 'none' and 0 alone. A sample is the time in which an SM ends 1000 of the kernel's blocks.
-- launched: 0, before the other kernel; 1, behind it. placed_min, placed_max: of the kernel's blocks in
-- an SM, over all SMs. starved: of the kernel's places on all SMs, those that did not end two blocks
-- in 12 ms. failed: 'no', or why there are no samples: 'placement', 'starved' (all of them) or 'clock'.
CREATE TABLE residency(kernel TEXT NOT NULL, blocks INTEGER NOT NULL, beside TEXT NOT NULL,
    beside_blocks INTEGER NOT NULL, launched INTEGER NOT NULL, threads INTEGER NOT NULL,
    registers INTEGER NOT NULL, shared_bytes INTEGER NOT NULL, placed_min INTEGER NOT NULL,
    placed_max INTEGER NOT NULL, starved INTEGER NOT NULL, failed TEXT NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL,
    median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL,
    min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL,
    clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(kernel, blocks, beside, beside_blocks, launched));

-- Three inside each SM: likewise, beside so many blocks of a second kernel and of a third one.
-- launched: 0, 1 or 2 before it.
CREATE TABLE residency_three(kernel TEXT NOT NULL, blocks INTEGER NOT NULL, second TEXT NOT NULL,
    second_blocks INTEGER NOT NULL, third TEXT NOT NULL, third_blocks INTEGER NOT NULL,
    launched INTEGER NOT NULL, threads INTEGER NOT NULL,
    registers INTEGER NOT NULL, shared_bytes INTEGER NOT NULL, placed_min INTEGER NOT NULL,
    placed_max INTEGER NOT NULL, starved INTEGER NOT NULL, failed TEXT NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL,
    median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL,
    min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL,
    clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(kernel, blocks, second, second_blocks, third, third_blocks, launched));

-- What all blocks of a kernel move to the L2 cache together, alone with so many in each SM; the median of n launches.
CREATE TABLE residency_l2(kernel TEXT NOT NULL, blocks INTEGER NOT NULL, bytes_per_ns REAL NOT NULL,
    n INTEGER NOT NULL, source TEXT NOT NULL, PRIMARY KEY(kernel, blocks));

-- What kernels are that share SMs, as fit_residency.py --keep writes it. registers: of a thread; blocks: as many
-- as fit alone; block_ns: an SM ends one in so long, at its best. Rates are of an SM over the most that the kernel
-- reaches alone, with all SMs alike; of two kernels the mean of both orders of launching.
CREATE TABLE resident_resource(resource INTEGER PRIMARY KEY, sharpness REAL NOT NULL,
    device_wide INTEGER NOT NULL, source TEXT NOT NULL);
CREATE TABLE resident_kernel(kernel TEXT PRIMARY KEY, threads INTEGER NOT NULL,
    registers INTEGER NOT NULL, shared_bytes INTEGER NOT NULL, blocks INTEGER NOT NULL,
    block_ns REAL NOT NULL, latency REAL NOT NULL, source TEXT NOT NULL);
CREATE TABLE resident_use(kernel TEXT NOT NULL, resource INTEGER NOT NULL, demand REAL NOT NULL,
    visits REAL NOT NULL, PRIMARY KEY(kernel, resource));
CREATE TABLE resident_rate(kernel TEXT NOT NULL, blocks INTEGER NOT NULL, beside TEXT NOT NULL,
    beside_blocks INTEGER NOT NULL, rate REAL NOT NULL,
    PRIMARY KEY(kernel, blocks, beside, beside_blocks));

-- Each single revocation that was measured; co_died: a co-runner of that kind died with it.
CREATE TABLE revocation_sample(mechanism TEXT NOT NULL, threads INTEGER NOT NULL,
    co_runner TEXT NOT NULL, sample INTEGER NOT NULL, kill_ns INTEGER NOT NULL,
    start_ns INTEGER, clear_ns INTEGER, spawn_ns INTEGER, co_died INTEGER,
    PRIMARY KEY(mechanism, threads, co_runner, sample));

-- The same kernel again and again over minutes: every sample, for a distribution.
CREATE TABLE noise(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL,
    sms INTEGER NOT NULL, sample INTEGER NOT NULL, at_ns INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL, clock_mhz INTEGER NOT NULL,
    PRIMARY KEY(application, size, kernel, sms, sample));

-- Quantiles of the ratios of the samples of noise to the medians of their kernels, at
-- (position + 0.5) / 200, over their mean: what a simulation draws from where the samples are kept
-- apart from the profile (profile_split.c).
CREATE TABLE noise_quantile(position INTEGER PRIMARY KEY, ratio REAL NOT NULL);

-- What was fitted to the co-runs (contention.h): resources by position, the lengths of the queue
-- of each from which weights count, what a kernel puts on each resource alone on so many SMs, and
-- what it is slowed by each queue (a weight of 0 may be left out).
CREATE TABLE contention_resource(name TEXT PRIMARY KEY, position INTEGER NOT NULL,
    source TEXT NOT NULL);

CREATE TABLE contention_hinge(resource TEXT NOT NULL, position INTEGER NOT NULL,
    level REAL NOT NULL, PRIMARY KEY(resource, position));

CREATE TABLE contention_kernel(application TEXT NOT NULL, size INTEGER NOT NULL,
    kernel TEXT NOT NULL, sms INTEGER NOT NULL, resource TEXT NOT NULL, pressure REAL NOT NULL,
    source TEXT NOT NULL, PRIMARY KEY(application, size, kernel, sms, resource));

CREATE TABLE contention_weight(application TEXT NOT NULL, size INTEGER NOT NULL,
    kernel TEXT NOT NULL, sms INTEGER NOT NULL, resource TEXT NOT NULL,
    position INTEGER NOT NULL, weight REAL NOT NULL,
    PRIMARY KEY(application, size, kernel, sms, resource, position));

-- The most that a kernel was slowed on so many SMs in the co-runs that its rows were fitted to: its
-- time over that alone.
CREATE TABLE contention_range(application TEXT NOT NULL, size INTEGER NOT NULL,
    kernel TEXT NOT NULL, sms INTEGER NOT NULL, slowdown REAL NOT NULL,
    PRIMARY KEY(application, size, kernel, sms));

-- A CPU: one number in each row, with where it comes from (cpu.h).
CREATE TABLE cpu(key TEXT PRIMARY KEY, value REAL NOT NULL, origin TEXT NOT NULL,
    source TEXT NOT NULL);

CREATE TABLE cpu_application(application TEXT NOT NULL, key TEXT NOT NULL, value REAL NOT NULL,
    origin TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY(application, key));

-- What was measured on a CPU: a request on so many cores and ways, alone or beside pressure, in
-- turn with a reference; each sample of both; what pressure does to the memory; and what the law
-- that was fitted says of each point, as time over the reference's.
CREATE TABLE cpu_point(application TEXT NOT NULL, size INTEGER NOT NULL, cores INTEGER NOT NULL,
    ways INTEGER NOT NULL, pressure TEXT NOT NULL, level INTEGER NOT NULL,
    pressure_cores INTEGER NOT NULL, pressure_gbs REAL NOT NULL, reference_median_ns INTEGER,
    reference_n INTEGER, instructions REAL, cycles REAL, llc_misses REAL,
    reference_llc_misses REAL, others_cores REAL NOT NULL,
    n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL,
    mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL,
    PRIMARY KEY(application, size, cores, ways, pressure, level, pressure_cores));

CREATE TABLE cpu_sample(application TEXT NOT NULL, size INTEGER NOT NULL,
    cores INTEGER NOT NULL, ways INTEGER NOT NULL, pressure TEXT NOT NULL,
    level INTEGER NOT NULL, pressure_cores INTEGER NOT NULL, role TEXT NOT NULL,
    sample INTEGER NOT NULL, duration_ns INTEGER NOT NULL, instructions REAL, cycles REAL,
    llc_misses REAL,
    PRIMARY KEY(application, size, cores, ways, pressure, level, pressure_cores, role, sample));

CREATE TABLE cpu_pressure(pressure TEXT NOT NULL, level INTEGER NOT NULL,
    cores INTEGER NOT NULL, gbs REAL NOT NULL, latency_alone_ns REAL NOT NULL,
    latency_ns REAL NOT NULL, others_cores REAL NOT NULL, PRIMARY KEY(pressure, level, cores));

CREATE TABLE cpu_residual(application TEXT NOT NULL, size INTEGER NOT NULL,
    cores INTEGER NOT NULL, ways INTEGER NOT NULL, pressure TEXT NOT NULL,
    level INTEGER NOT NULL, pressure_cores INTEGER NOT NULL, measured REAL NOT NULL,
    fitted REAL NOT NULL,
    PRIMARY KEY(application, size, cores, ways, pressure, level, pressure_cores));

-- A divisible application: a request of it is `passes` passes, one after the other, of `iterations`
-- iterations that can be given to a CPU and a GPU in chunks. bytes: of inputs that go to a GPU with
-- a chunk and of results that come back, for each iteration; pass_ns: from the beginning of a pass
-- until chunks can be given out. chunk_min: no chunk is smaller, but for what is left of a pass.
CREATE TABLE split_program(program TEXT NOT NULL, iterations INTEGER NOT NULL, what TEXT NOT NULL,
    passes INTEGER NOT NULL, chunk_min INTEGER NOT NULL, in_bytes REAL NOT NULL,
    out_bytes REAL NOT NULL, pass_ns INTEGER NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY(program, iterations));

-- A chunk from when it is handed over until its results are on the host. side: 'cpu', 'gpu'.
-- threads: of the CPU; of a row of the GPU with beside 0: 0. beside: 1 while the other side (the
-- CPU with so many threads) works on the last eighth of a pass all the time, 0 alone.
CREATE TABLE split_time(program TEXT NOT NULL, iterations INTEGER NOT NULL, side TEXT NOT NULL,
    threads INTEGER NOT NULL, beside INTEGER NOT NULL, chunk INTEGER NOT NULL,
    median_ns INTEGER NOT NULL, p95_ns INTEGER NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY(program, iterations, side, threads, beside, chunk));

-- A request that a policy gave to a real CPU and GPU. steps: how often it gave out chunks while
-- nothing ran; *_busy_ns: in chunks of each side.
CREATE TABLE split_run(program TEXT NOT NULL, iterations INTEGER NOT NULL,
    threads INTEGER NOT NULL, policy TEXT NOT NULL, turn INTEGER NOT NULL,
    time_ns INTEGER NOT NULL, steps INTEGER NOT NULL, gpu_iterations INTEGER NOT NULL,
    cpu_busy_ns INTEGER NOT NULL, gpu_busy_ns INTEGER NOT NULL,
    PRIMARY KEY(program, iterations, threads, policy, turn));

-- Of a profile whose evidence lies in files of its own: which parts, and the SHA-256 of the text of
-- each (profile_split.h).
CREATE TABLE evidence(part TEXT PRIMARY KEY, sha256 TEXT NOT NULL);

CREATE TABLE step(key TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL,
    reason TEXT NOT NULL, seconds REAL NOT NULL);
