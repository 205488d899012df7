-- A device that does not exist: small enough to read, with all that sharing needs. dcsim check-policy and tests
-- of sharing run on it. No number here was measured.
BEGIN;
CREATE TABLE profile(key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO profile VALUES
('schema_version', '2'),
('name', 'made-up'),
('description', 'A device that does not exist, to try policies on.'),
('source', 'made up'),
('sm_clock_max_mhz', '1000'),
('partial', 'yes');
CREATE TABLE device(name TEXT NOT NULL, kind TEXT NOT NULL, sms INTEGER NOT NULL, memory_bytes INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO device VALUES
('Made-up device', 'gpu', 32, 1000000000, 'made up');
CREATE TABLE application(name TEXT PRIMARY KEY, class TEXT NOT NULL, sla_ns INTEGER, memory_bytes INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO application VALUES
('answer', 'latency', 40000000, 100000000, 'made up'),
('search', 'latency', 20000000, 50000000, 'made up'),
('solve', 'batch', NULL, 300000000, 'made up'),
('stream', 'batch', NULL, 200000000, 'made up');
CREATE TABLE kernel(application TEXT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, duration_ns INTEGER NOT NULL, threads INTEGER, source TEXT NOT NULL, PRIMARY KEY(application, position));
INSERT INTO kernel VALUES
('answer', 0, 'transfer', 400000, NULL, 'made up'),
('answer', 1, 'compute', 1500000, 2048, 'made up'),
('answer', 2, 'compute', 2300000, 131072, 'made up'),
('answer', 3, 'compute', 2300000, 131072, 'made up'),
('answer', 4, 'compute', 800000, 6144, 'made up'),
('answer', 5, 'transfer', 200000, NULL, 'made up'),
('search', 0, 'compute', 2000000, 5120, 'made up'),
('search', 1, 'compute', 900000, 102400, 'made up'),
('solve', 0, 'compute', 4200000, 524288, 'made up'),
('solve', 1, 'compute', 900000, 16384, 'made up'),
('stream', 0, 'compute', 3200000, 1048576, 'made up');
CREATE TABLE revocation(mechanism TEXT NOT NULL, threads INTEGER, kill_ns INTEGER NOT NULL, start_ns INTEGER NOT NULL, clear_ns INTEGER NOT NULL, spawn_ns INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO revocation VALUES
('trap', NULL, 500000, 1500000, 6000000, 1500000, 'made up'),
('asm_exit', NULL, 300000, 0, 0, 0, 'made up');
CREATE TABLE subject(application TEXT PRIMARY KEY, papers TEXT NOT NULL, algorithm TEXT NOT NULL, size_unit TEXT NOT NULL, size_min INTEGER NOT NULL, size_max INTEGER NOT NULL, size_default INTEGER NOT NULL);
INSERT INTO subject VALUES
('answer', 'none', 'none', 'items', 1, 4, 1),
('search', 'none', 'none', 'items', 1, 1, 1),
('solve', 'none', 'none', 'items', 1, 3, 1),
('stream', 'none', 'none', 'items', 1, 1, 1);
CREATE TABLE request_kernel(application TEXT NOT NULL, size INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, kernel TEXT NOT NULL, PRIMARY KEY(application, size, position));
INSERT INTO request_kernel VALUES
('answer', 1, 0, 'in', 'in'),
('answer', 1, 1, 'conv3x3s1p1_n8_16x16_c32_k32', 'conv3x3s1p1_n8_16x16_c32_k32'),
('answer', 1, 2, 'layer', 'layer'),
('answer', 1, 3, 'layer', 'layer'),
('answer', 1, 4, 'head', 'head'),
('answer', 1, 5, 'out', 'out'),
('search', 1, 0, 'walk', 'walk'),
('search', 1, 1, 'rank', 'rank'),
('solve', 1, 0, 'step', 'step'),
('solve', 1, 1, 'norm', 'norm'),
('stream', 1, 0, 'sweep', 'sweep');
CREATE TABLE kernel_shape(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, kind TEXT NOT NULL, cores TEXT NOT NULL, launches INTEGER NOT NULL, blocks INTEGER, threads_per_block INTEGER, registers INTEGER, shared_bytes INTEGER, blocks_per_sm INTEGER, flop REAL, bytes REAL, transfer_bytes INTEGER, repeatable INTEGER NOT NULL, PRIMARY KEY(application, size, kernel));
INSERT INTO kernel_shape VALUES
('answer', 1, 'in', 'to_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, NULL, 4000000.0, 4000000, 1),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 'compute', 'tensor', 1, 8, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 1, 'layer', 'compute', 'cuda', 6, 512, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 1, 'head', 'compute', 'cuda', 1, 24, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 1, 'out', 'from_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, NULL, 4000000.0, 4000000, 1),
('search', 1, 'walk', 'compute', 'cuda', 1, 20, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('search', 1, 'rank', 'compute', 'cuda', 3, 400, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('solve', 1, 'step', 'compute', 'cuda', 20, 2048, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('solve', 1, 'norm', 'compute', 'cuda', 1, 64, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('stream', 1, 'sweep', 'compute', 'cuda', 1, 4096, 256, 32, 0, 4, NULL, NULL, NULL, 1);
CREATE TABLE request_solo(application TEXT NOT NULL, size INTEGER NOT NULL, mechanism TEXT NOT NULL, sms INTEGER NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(application, size, mechanism, sms));
INSERT INTO request_solo VALUES
('answer', 1, 'green', 8, 9, 0, 20800000, 20800000.0, 20800.0, 20779200, 20820800, 'rse', 1000, 'warm'),
('answer', 1, 'green', 16, 9, 0, 11800000, 11800000.0, 11800.0, 11788200, 11811800, 'rse', 1000, 'warm'),
('answer', 1, 'green', 24, 9, 0, 8800000, 8800000.0, 8800.0, 8791200, 8808800, 'rse', 1000, 'warm'),
('answer', 1, 'whole', 32, 9, 0, 7500000, 7500000.0, 7500.0, 7492500, 7507500, 'rse', 1000, 'warm'),
('search', 1, 'green', 8, 9, 0, 5800000, 5800000.0, 5800.0, 5794200, 5805800, 'rse', 1000, 'warm'),
('search', 1, 'green', 16, 9, 0, 3900000, 3900000.0, 3900.0, 3896100, 3903900, 'rse', 1000, 'warm'),
('search', 1, 'green', 24, 9, 0, 3200000, 3200000.0, 3200.0, 3196800, 3203200, 'rse', 1000, 'warm'),
('search', 1, 'whole', 32, 9, 0, 2900000, 2900000.0, 2900.0, 2897100, 2902900, 'rse', 1000, 'warm'),
('solve', 1, 'green', 8, 9, 0, 17600000, 17600000.0, 17600.0, 17582400, 17617600, 'rse', 1000, 'warm'),
('solve', 1, 'green', 16, 9, 0, 9100000, 9100000.0, 9100.0, 9090900, 9109100, 'rse', 1000, 'warm'),
('solve', 1, 'green', 24, 9, 0, 6400000, 6400000.0, 6400.0, 6393600, 6406400, 'rse', 1000, 'warm'),
('solve', 1, 'whole', 32, 9, 0, 5100000, 5100000.0, 5100.0, 5094900, 5105100, 'rse', 1000, 'warm'),
('stream', 1, 'green', 8, 9, 0, 6500000, 6500000.0, 6500.0, 6493500, 6506500, 'rse', 1000, 'warm'),
('stream', 1, 'green', 16, 9, 0, 3900000, 3900000.0, 3900.0, 3896100, 3903900, 'rse', 1000, 'warm'),
('stream', 1, 'green', 24, 9, 0, 3400000, 3400000.0, 3400.0, 3396600, 3403400, 'rse', 1000, 'warm'),
('stream', 1, 'whole', 32, 9, 0, 3200000, 3200000.0, 3200.0, 3196800, 3203200, 'rse', 1000, 'warm');
CREATE TABLE kernel_solo(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, mechanism TEXT NOT NULL, sms INTEGER NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(application, size, kernel, mechanism, sms));
INSERT INTO kernel_solo VALUES
('answer', 1, 'in', 'green', 8, 9, 0, 400000, 400000.0, 400.0, 399600, 400400, 'rse', 1000, 'warm'),
('answer', 1, 'in', 'green', 16, 9, 0, 400000, 400000.0, 400.0, 399600, 400400, 'rse', 1000, 'warm'),
('answer', 1, 'in', 'green', 24, 9, 0, 400000, 400000.0, 400.0, 399600, 400400, 'rse', 1000, 'warm'),
('answer', 1, 'in', 'whole', 32, 9, 0, 400000, 400000.0, 400.0, 399600, 400400, 'rse', 1000, 'warm'),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 'green', 8, 9, 0, 1500000, 1500000.0, 1500.0, 1498500, 1501500, 'rse', 1000, 'warm'),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 'green', 16, 9, 0, 1500000, 1500000.0, 1500.0, 1498500, 1501500, 'rse', 1000, 'warm'),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 'green', 24, 9, 0, 1500000, 1500000.0, 1500.0, 1498500, 1501500, 'rse', 1000, 'warm'),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 'whole', 32, 9, 0, 1500000, 1500000.0, 1500.0, 1498500, 1501500, 'rse', 1000, 'warm'),
('answer', 1, 'layer', 'green', 8, 9, 0, 8400000, 8400000.0, 8400.0, 8391600, 8408400, 'rse', 1000, 'warm'),
('answer', 1, 'layer', 'green', 16, 9, 0, 4300000, 4300000.0, 4300.0, 4295700, 4304300, 'rse', 1000, 'warm'),
('answer', 1, 'layer', 'green', 24, 9, 0, 2950000, 2950000.0, 2950.0, 2947050, 2952950, 'rse', 1000, 'warm'),
('answer', 1, 'layer', 'whole', 32, 9, 0, 2300000, 2300000.0, 2300.0, 2297700, 2302300, 'rse', 1000, 'warm'),
('answer', 1, 'head', 'green', 8, 9, 0, 1900000, 1900000.0, 1900.0, 1898100, 1901900, 'rse', 1000, 'warm'),
('answer', 1, 'head', 'green', 16, 9, 0, 1100000, 1100000.0, 1100.0, 1098900, 1101100, 'rse', 1000, 'warm'),
('answer', 1, 'head', 'green', 24, 9, 0, 800000, 800000.0, 800.0, 799200, 800800, 'rse', 1000, 'warm'),
('answer', 1, 'head', 'whole', 32, 9, 0, 800000, 800000.0, 800.0, 799200, 800800, 'rse', 1000, 'warm'),
('answer', 1, 'out', 'green', 8, 9, 0, 200000, 200000.0, 200.0, 199800, 200200, 'rse', 1000, 'warm'),
('answer', 1, 'out', 'green', 16, 9, 0, 200000, 200000.0, 200.0, 199800, 200200, 'rse', 1000, 'warm'),
('answer', 1, 'out', 'green', 24, 9, 0, 200000, 200000.0, 200.0, 199800, 200200, 'rse', 1000, 'warm'),
('answer', 1, 'out', 'whole', 32, 9, 0, 200000, 200000.0, 200.0, 199800, 200200, 'rse', 1000, 'warm'),
('search', 1, 'walk', 'green', 8, 9, 0, 2600000, 2600000.0, 2600.0, 2597400, 2602600, 'rse', 1000, 'warm'),
('search', 1, 'walk', 'green', 16, 9, 0, 2200000, 2200000.0, 2200.0, 2197800, 2202200, 'rse', 1000, 'warm'),
('search', 1, 'walk', 'green', 24, 9, 0, 2000000, 2000000.0, 2000.0, 1998000, 2002000, 'rse', 1000, 'warm'),
('search', 1, 'walk', 'whole', 32, 9, 0, 2000000, 2000000.0, 2000.0, 1998000, 2002000, 'rse', 1000, 'warm'),
('search', 1, 'rank', 'green', 8, 9, 0, 3200000, 3200000.0, 3200.0, 3196800, 3203200, 'rse', 1000, 'warm'),
('search', 1, 'rank', 'green', 16, 9, 0, 1700000, 1700000.0, 1700.0, 1698300, 1701700, 'rse', 1000, 'warm'),
('search', 1, 'rank', 'green', 24, 9, 0, 1200000, 1200000.0, 1200.0, 1198800, 1201200, 'rse', 1000, 'warm'),
('search', 1, 'rank', 'whole', 32, 9, 0, 900000, 900000.0, 900.0, 899100, 900900, 'rse', 1000, 'warm'),
('solve', 1, 'step', 'green', 8, 9, 0, 16000000, 16000000.0, 16000.0, 15984000, 16016000, 'rse', 1000, 'warm'),
('solve', 1, 'step', 'green', 16, 9, 0, 8100000, 8100000.0, 8100.0, 8091900, 8108100, 'rse', 1000, 'warm'),
('solve', 1, 'step', 'green', 24, 9, 0, 5500000, 5500000.0, 5500.0, 5494500, 5505500, 'rse', 1000, 'warm'),
('solve', 1, 'step', 'whole', 32, 9, 0, 4200000, 4200000.0, 4200.0, 4195800, 4204200, 'rse', 1000, 'warm'),
('solve', 1, 'norm', 'green', 8, 9, 0, 1600000, 1600000.0, 1600.0, 1598400, 1601600, 'rse', 1000, 'warm'),
('solve', 1, 'norm', 'green', 16, 9, 0, 1000000, 1000000.0, 1000.0, 999000, 1001000, 'rse', 1000, 'warm'),
('solve', 1, 'norm', 'green', 24, 9, 0, 900000, 900000.0, 900.0, 899100, 900900, 'rse', 1000, 'warm'),
('solve', 1, 'norm', 'whole', 32, 9, 0, 900000, 900000.0, 900.0, 899100, 900900, 'rse', 1000, 'warm'),
('stream', 1, 'sweep', 'green', 8, 9, 0, 6500000, 6500000.0, 6500.0, 6493500, 6506500, 'rse', 1000, 'warm'),
('stream', 1, 'sweep', 'green', 16, 9, 0, 3900000, 3900000.0, 3900.0, 3896100, 3903900, 'rse', 1000, 'warm'),
('stream', 1, 'sweep', 'green', 24, 9, 0, 3400000, 3400000.0, 3400.0, 3396600, 3403400, 'rse', 1000, 'warm'),
('stream', 1, 'sweep', 'whole', 32, 9, 0, 3200000, 3200000.0, 3200.0, 3196800, 3203200, 'rse', 1000, 'warm');
CREATE TABLE kernel_counters(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, l2 TEXT NOT NULL, duration_ns INTEGER, instructions REAL, ipc REAL, dram_read_bytes REAL, dram_write_bytes REAL, l2_bytes REAL, l2_hit_fraction REAL, l1_hit_fraction REAL, tensor_active_fraction REAL, fma_active_fraction REAL, occupancy_fraction REAL, PRIMARY KEY(application, size, kernel, l2));
INSERT INTO kernel_counters VALUES
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 'warm', 1500000, 30000000.0, NULL, 90000000.0, 60000000.0, NULL, NULL, NULL, NULL, NULL, NULL),
('answer', 1, 'layer', 'warm', 2300000, 46000000.0, NULL, 82800000.0, 55200000.0, NULL, NULL, NULL, NULL, NULL, NULL),
('answer', 1, 'head', 'warm', 800000, 16000000.0, NULL, 19200000.0, 12800000.0, NULL, NULL, NULL, NULL, NULL, NULL),
('search', 1, 'walk', 'warm', 2000000, 40000000.0, NULL, 144000000.0, 96000000.0, NULL, NULL, NULL, NULL, NULL, NULL),
('search', 1, 'rank', 'warm', 900000, 18000000.0, NULL, 43200000.0, 28800000.0, NULL, NULL, NULL, NULL, NULL, NULL),
('solve', 1, 'step', 'warm', 4200000, 84000000.0, NULL, 352800000.0, 235200000.0, NULL, NULL, NULL, NULL, NULL, NULL),
('solve', 1, 'norm', 'warm', 900000, 18000000.0, NULL, 129600000.0, 86400000.0, NULL, NULL, NULL, NULL, NULL, NULL),
('stream', 1, 'sweep', 'warm', 3200000, 64000000.0, NULL, 652800000.0, 435200000.0, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE contention_resource(name TEXT PRIMARY KEY, position INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO contention_resource VALUES
('dram', 0, 'made up'),
('l2', 1, 'made up');
CREATE TABLE contention_hinge(resource TEXT NOT NULL, position INTEGER NOT NULL, level REAL NOT NULL, PRIMARY KEY(resource, position));
INSERT INTO contention_hinge VALUES
('dram', 0, 0.0),
('dram', 1, 4.0),
('l2', 0, 0.0);
CREATE TABLE contention_kernel(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, sms INTEGER NOT NULL, resource TEXT NOT NULL, pressure REAL NOT NULL, source TEXT NOT NULL, PRIMARY KEY(application, size, kernel, sms, resource));
INSERT INTO contention_kernel VALUES
('answer', 1, 'layer', 8, 'dram', 0.0675, 'made up'),
('answer', 1, 'layer', 32, 'dram', 0.15, 'made up'),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 8, 'dram', 0.1125, 'made up'),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 32, 'dram', 0.25, 'made up'),
('answer', 1, 'head', 8, 'dram', 0.045, 'made up'),
('answer', 1, 'head', 32, 'dram', 0.1, 'made up'),
('search', 1, 'walk', 8, 'dram', 0.135, 'made up'),
('search', 1, 'walk', 32, 'dram', 0.3, 'made up'),
('search', 1, 'rank', 8, 'dram', 0.09, 'made up'),
('search', 1, 'rank', 32, 'dram', 0.2, 'made up'),
('solve', 1, 'step', 8, 'dram', 0.1575, 'made up'),
('solve', 1, 'step', 32, 'dram', 0.35, 'made up'),
('solve', 1, 'norm', 8, 'dram', 0.27, 'made up'),
('solve', 1, 'norm', 32, 'dram', 0.6, 'made up'),
('stream', 1, 'sweep', 8, 'dram', 0.3825, 'made up'),
('stream', 1, 'sweep', 32, 'dram', 0.85, 'made up'),
('search', 1, 'walk', 8, 'l2', 0.1, 'made up'),
('search', 1, 'walk', 32, 'l2', 0.3, 'made up'),
('solve', 1, 'step', 8, 'l2', 0.15, 'made up'),
('solve', 1, 'step', 32, 'l2', 0.4, 'made up');
CREATE TABLE contention_weight(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, sms INTEGER NOT NULL, resource TEXT NOT NULL, position INTEGER NOT NULL, weight REAL NOT NULL, PRIMARY KEY(application, size, kernel, sms, resource, position));
INSERT INTO contention_weight VALUES
('answer', 1, 'layer', 8, 'dram', 0, 0.2),
('answer', 1, 'layer', 32, 'dram', 0, 0.2),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 8, 'dram', 0, 0.3),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 8, 'dram', 1, 0.1),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 32, 'dram', 0, 0.3),
('answer', 1, 'conv3x3s1p1_n8_16x16_c32_k32', 32, 'dram', 1, 0.1),
('answer', 1, 'head', 8, 'dram', 0, 0.1),
('answer', 1, 'head', 32, 'dram', 0, 0.1),
('search', 1, 'walk', 8, 'dram', 0, 0.5),
('search', 1, 'walk', 8, 'dram', 1, 0.2),
('search', 1, 'walk', 32, 'dram', 0, 0.5),
('search', 1, 'walk', 32, 'dram', 1, 0.2),
('search', 1, 'rank', 8, 'dram', 0, 0.15),
('search', 1, 'rank', 8, 'dram', 1, 0.05),
('search', 1, 'rank', 32, 'dram', 0, 0.15),
('search', 1, 'rank', 32, 'dram', 1, 0.05),
('solve', 1, 'step', 8, 'dram', 0, 0.1),
('solve', 1, 'step', 8, 'dram', 1, 0.1),
('solve', 1, 'step', 32, 'dram', 0, 0.1),
('solve', 1, 'step', 32, 'dram', 1, 0.1),
('solve', 1, 'norm', 8, 'dram', 0, 0.25),
('solve', 1, 'norm', 8, 'dram', 1, 0.15),
('solve', 1, 'norm', 32, 'dram', 0, 0.25),
('solve', 1, 'norm', 32, 'dram', 1, 0.15),
('stream', 1, 'sweep', 8, 'dram', 0, 0.2),
('stream', 1, 'sweep', 8, 'dram', 1, 0.1),
('stream', 1, 'sweep', 32, 'dram', 0, 0.2),
('stream', 1, 'sweep', 32, 'dram', 1, 0.1),
('search', 1, 'walk', 8, 'l2', 0, 0.3),
('search', 1, 'walk', 32, 'l2', 0, 0.3),
('solve', 1, 'step', 8, 'l2', 0, 0.2),
('solve', 1, 'step', 32, 'l2', 0, 0.2);
CREATE TABLE noise(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, sms INTEGER NOT NULL, sample INTEGER NOT NULL, at_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, clock_mhz INTEGER NOT NULL, PRIMARY KEY(application, size, kernel, sms, sample));
INSERT INTO noise VALUES
('stream', 1, 'sweep', 32, 0, 0, 2880000, 1000),
('stream', 1, 'sweep', 32, 1, 1000000000, 3008000, 1000),
('stream', 1, 'sweep', 32, 2, 2000000000, 3072000, 1000),
('stream', 1, 'sweep', 32, 3, 3000000000, 3104000, 1000),
('stream', 1, 'sweep', 32, 4, 4000000000, 3136000, 1000),
('stream', 1, 'sweep', 32, 5, 5000000000, 3152000, 1000),
('stream', 1, 'sweep', 32, 6, 6000000000, 3168000, 1000),
('stream', 1, 'sweep', 32, 7, 7000000000, 3184000, 1000),
('stream', 1, 'sweep', 32, 8, 8000000000, 3200000, 1000),
('stream', 1, 'sweep', 32, 9, 9000000000, 3200000, 1000),
('stream', 1, 'sweep', 32, 10, 10000000000, 3200000, 1000),
('stream', 1, 'sweep', 32, 11, 11000000000, 3216000, 1000),
('stream', 1, 'sweep', 32, 12, 12000000000, 3232000, 1000),
('stream', 1, 'sweep', 32, 13, 13000000000, 3248000, 1000),
('stream', 1, 'sweep', 32, 14, 14000000000, 3264000, 1000),
('stream', 1, 'sweep', 32, 15, 15000000000, 3296000, 1000),
('stream', 1, 'sweep', 32, 16, 16000000000, 3360000, 1000),
('stream', 1, 'sweep', 32, 17, 17000000000, 3456000, 1000),
('stream', 1, 'sweep', 32, 18, 18000000000, 3680000, 1000),
('stream', 1, 'sweep', 32, 19, 19000000000, 4160000, 1000),
('stream', 1, 'sweep', 32, 20, 20000000000, 3216000, 1000);
CREATE TABLE fused(tensor TEXT NOT NULL, tensor_size INTEGER NOT NULL, cuda TEXT NOT NULL, cuda_size INTEGER NOT NULL, tensor_blocks INTEGER NOT NULL, cuda_blocks INTEGER NOT NULL, load_ratio_percent INTEGER NOT NULL, tensor_ns INTEGER NOT NULL, cuda_ns INTEGER NOT NULL, tensor_end_ns INTEGER, cuda_end_ns INTEGER, registers INTEGER NOT NULL, shared_bytes INTEGER NOT NULL, threads INTEGER NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(tensor, tensor_size, cuda, cuda_size, tensor_blocks, cuda_blocks, load_ratio_percent));
INSERT INTO fused VALUES
('conv-32x288', 8, 'stream', 100, 0, 0, 100, 1500000, 1500000, NULL, NULL, 32, 0, 256, 5, 0, 3000000, 3000000.0, 3000.0, 2997000, 3003000, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 100, 1, 1, 100, 1500000, 1500000, 1875000, 1687500, 64, 1024, 512, 5, 0, 1875000, 1875000.0, 1875.0, 1873125, 1876875, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 100, 1, 2, 100, 1500000, 1500000, 2250000, 1575000, 64, 2048, 768, 5, 0, 2250000, 2250000.0, 2250.0, 2247750, 2252250, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 100, 4, 4, 100, 1500000, 1500000, 1650000, 1567500, 64, 4096, 2048, 5, 0, 1650000, 1650000.0, 1650.0, 1648350, 1651650, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 20, 0, 0, 20, 1500000, 300000, NULL, NULL, 32, 0, 256, 5, 0, 1800000, 1800000.0, 1800.0, 1798200, 1801800, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 20, 1, 1, 20, 1500000, 300000, 1650000, 495000, 64, 1024, 512, 5, 0, 1650000, 1650000.0, 1650.0, 1648350, 1651650, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 20, 1, 2, 20, 1500000, 300000, 1950000, 390000, 64, 2048, 768, 5, 0, 1950000, 1950000.0, 1950.0, 1948050, 1951950, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 20, 4, 4, 20, 1500000, 300000, 1575000, 472500, 64, 4096, 2048, 5, 0, 1575000, 1575000.0, 1575.0, 1573425, 1576575, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 200, 0, 0, 200, 1500000, 3000000, NULL, NULL, 32, 0, 256, 5, 0, 4500000, 4500000.0, 4500.0, 4495500, 4504500, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 200, 1, 1, 200, 1500000, 3000000, 1980000, 3300000, 64, 1024, 512, 5, 0, 3300000, 3300000.0, 3300.0, 3296700, 3303300, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 200, 1, 2, 200, 1500000, 3000000, 2580000, 3225000, 64, 2048, 768, 5, 0, 3225000, 3225000.0, 3225.0, 3221775, 3228225, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 200, 4, 4, 200, 1500000, 3000000, 1845000, 3075000, 64, 4096, 2048, 5, 0, 3075000, 3075000.0, 3075.0, 3071925, 3078075, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 300, 0, 0, 300, 1500000, 4500000, NULL, NULL, 32, 0, 256, 5, 0, 6000000, 6000000.0, 6000.0, 5994000, 6006000, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 300, 1, 1, 300, 1500000, 4500000, 1950000, 4875000, 64, 1024, 512, 5, 0, 4875000, 4875000.0, 4875.0, 4870125, 4879875, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 300, 1, 2, 300, 1500000, 4500000, 2598750, 4725000, 64, 2048, 768, 5, 0, 4725000, 4725000.0, 4725.0, 4720275, 4729725, 'count', 1000, 'warm'),
('conv-32x288', 8, 'stream', 300, 4, 4, 300, 1500000, 4500000, 1830000, 4575000, 64, 4096, 2048, 5, 0, 4575000, 4575000.0, 4575.0, 4570425, 4579575, 'count', 1000, 'warm');
-- Requests of other sizes than the default. Kernels of answer were measured alone at size 4 as well.
INSERT INTO request_kernel VALUES
('answer', 2, 0, 'in', 'in'),
('answer', 2, 1, 'conv3x3s1p1_n8_32x16_c32_k32', 'conv3x3s1p1_n8_32x16_c32_k32'),
('answer', 2, 2, 'layer', 'layer'),
('answer', 2, 3, 'layer', 'layer'),
('answer', 2, 4, 'head', 'head'),
('answer', 2, 5, 'out', 'out'),
('answer', 4, 0, 'in', 'in'),
('answer', 4, 1, 'conv3x3s1p1_n8_32x32_c32_k32', 'conv3x3s1p1_n8_32x32_c32_k32'),
('answer', 4, 2, 'conv3x3s1p1_n8_16x32_c32_k32', 'conv3x3s1p1_n8_16x32_c32_k32'),
('answer', 4, 3, 'layer', 'layer'),
('answer', 4, 4, 'layer', 'layer'),
('answer', 4, 5, 'layer', 'layer'),
('answer', 4, 6, 'layer', 'layer'),
('answer', 4, 7, 'head', 'head'),
('answer', 4, 8, 'out', 'out'),
('solve', 3, 0, 'step', 'step'),
('solve', 3, 1, 'norm', 'norm');
INSERT INTO kernel_shape VALUES
('answer', 2, 'in', 'to_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, NULL, 8000000.0, 8000000, 1),
('answer', 2, 'conv3x3s1p1_n8_32x16_c32_k32', 'compute', 'tensor', 1, 16, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 2, 'layer', 'compute', 'cuda', 6, 1024, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 2, 'head', 'compute', 'cuda', 1, 48, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 2, 'out', 'from_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, NULL, 8000000.0, 8000000, 1),
('answer', 4, 'in', 'to_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, NULL, 16000000.0, 16000000, 1),
('answer', 4, 'conv3x3s1p1_n8_32x32_c32_k32', 'compute', 'tensor', 1, 32, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 4, 'conv3x3s1p1_n8_16x32_c32_k32', 'compute', 'tensor', 1, 16, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 4, 'layer', 'compute', 'cuda', 6, 2048, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 4, 'head', 'compute', 'cuda', 1, 96, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('answer', 4, 'out', 'from_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, NULL, 16000000.0, 16000000, 1),
('solve', 3, 'step', 'compute', 'cuda', 20, 6144, 256, 32, 0, 4, NULL, NULL, NULL, 1),
('solve', 3, 'norm', 'compute', 'cuda', 1, 192, 256, 32, 0, 4, NULL, NULL, NULL, 1);
INSERT INTO request_solo VALUES
('answer', 2, 'green', 8, 9, 0, 37000000, 37000000.0, 37000.0, 36963000, 37037000, 'rse', 1000, 'warm'),
('answer', 2, 'green', 16, 9, 0, 20400000, 20400000.0, 20400.0, 20379600, 20420400, 'rse', 1000, 'warm'),
('answer', 2, 'green', 24, 9, 0, 14800000, 14800000.0, 14800.0, 14785200, 14814800, 'rse', 1000, 'warm'),
('answer', 2, 'whole', 32, 9, 0, 12300000, 12300000.0, 12300.0, 12287700, 12312300, 'rse', 1000, 'warm'),
('answer', 4, 'green', 8, 9, 0, 147000000, 147000000.0, 147000.0, 146853000, 147147000, 'rse', 1000, 'warm'),
('answer', 4, 'green', 16, 9, 0, 78000000, 78000000.0, 78000.0, 77922000, 78078000, 'rse', 1000, 'warm'),
('answer', 4, 'green', 24, 9, 0, 55000000, 55000000.0, 55000.0, 54945000, 55055000, 'rse', 1000, 'warm'),
('answer', 4, 'whole', 32, 9, 0, 44500000, 44500000.0, 44500.0, 44455500, 44544500, 'rse', 1000, 'warm'),
('solve', 3, 'green', 8, 9, 0, 51000000, 51000000.0, 51000.0, 50949000, 51051000, 'rse', 1000, 'warm'),
('solve', 3, 'green', 16, 9, 0, 26400000, 26400000.0, 26400.0, 26373600, 26426400, 'rse', 1000, 'warm'),
('solve', 3, 'green', 24, 9, 0, 18300000, 18300000.0, 18300.0, 18281700, 18318300, 'rse', 1000, 'warm'),
('solve', 3, 'whole', 32, 9, 0, 14400000, 14400000.0, 14400.0, 14385600, 14414400, 'rse', 1000, 'warm');
INSERT INTO kernel_solo VALUES
('answer', 4, 'in', 'green', 8, 9, 0, 1600000, 1600000.0, 1600.0, 1598400, 1601600, 'rse', 1000, 'warm'),
('answer', 4, 'in', 'green', 16, 9, 0, 1600000, 1600000.0, 1600.0, 1598400, 1601600, 'rse', 1000, 'warm'),
('answer', 4, 'in', 'green', 24, 9, 0, 1600000, 1600000.0, 1600.0, 1598400, 1601600, 'rse', 1000, 'warm'),
('answer', 4, 'in', 'whole', 32, 9, 0, 1600000, 1600000.0, 1600.0, 1598400, 1601600, 'rse', 1000, 'warm'),
('answer', 4, 'conv3x3s1p1_n8_32x32_c32_k32', 'green', 8, 9, 0, 1700000, 1700000.0, 1700.0, 1698300, 1701700, 'rse', 1000, 'warm'),
('answer', 4, 'conv3x3s1p1_n8_32x32_c32_k32', 'green', 16, 9, 0, 1700000, 1700000.0, 1700.0, 1698300, 1701700, 'rse', 1000, 'warm'),
('answer', 4, 'conv3x3s1p1_n8_32x32_c32_k32', 'green', 24, 9, 0, 1700000, 1700000.0, 1700.0, 1698300, 1701700, 'rse', 1000, 'warm'),
('answer', 4, 'conv3x3s1p1_n8_32x32_c32_k32', 'whole', 32, 9, 0, 1700000, 1700000.0, 1700.0, 1698300, 1701700, 'rse', 1000, 'warm'),
('answer', 4, 'conv3x3s1p1_n8_16x32_c32_k32', 'green', 8, 9, 0, 1200000, 1200000.0, 1200.0, 1198800, 1201200, 'rse', 1000, 'warm'),
('answer', 4, 'conv3x3s1p1_n8_16x32_c32_k32', 'green', 16, 9, 0, 1200000, 1200000.0, 1200.0, 1198800, 1201200, 'rse', 1000, 'warm'),
('answer', 4, 'conv3x3s1p1_n8_16x32_c32_k32', 'green', 24, 9, 0, 1200000, 1200000.0, 1200.0, 1198800, 1201200, 'rse', 1000, 'warm'),
('answer', 4, 'conv3x3s1p1_n8_16x32_c32_k32', 'whole', 32, 9, 0, 1200000, 1200000.0, 1200.0, 1198800, 1201200, 'rse', 1000, 'warm'),
('answer', 4, 'layer', 'green', 8, 9, 0, 33600000, 33600000.0, 33600.0, 33566400, 33633600, 'rse', 1000, 'warm'),
('answer', 4, 'layer', 'green', 16, 9, 0, 17200000, 17200000.0, 17200.0, 17182800, 17217200, 'rse', 1000, 'warm'),
('answer', 4, 'layer', 'green', 24, 9, 0, 11800000, 11800000.0, 11800.0, 11788200, 11811800, 'rse', 1000, 'warm'),
('answer', 4, 'layer', 'whole', 32, 9, 0, 9200000, 9200000.0, 9200.0, 9190800, 9209200, 'rse', 1000, 'warm'),
('answer', 4, 'head', 'green', 8, 9, 0, 7600000, 7600000.0, 7600.0, 7592400, 7607600, 'rse', 1000, 'warm'),
('answer', 4, 'head', 'green', 16, 9, 0, 4400000, 4400000.0, 4400.0, 4395600, 4404400, 'rse', 1000, 'warm'),
('answer', 4, 'head', 'green', 24, 9, 0, 3200000, 3200000.0, 3200.0, 3196800, 3203200, 'rse', 1000, 'warm'),
('answer', 4, 'head', 'whole', 32, 9, 0, 3200000, 3200000.0, 3200.0, 3196800, 3203200, 'rse', 1000, 'warm'),
('answer', 4, 'out', 'green', 8, 9, 0, 800000, 800000.0, 800.0, 799200, 800800, 'rse', 1000, 'warm'),
('answer', 4, 'out', 'green', 16, 9, 0, 800000, 800000.0, 800.0, 799200, 800800, 'rse', 1000, 'warm'),
('answer', 4, 'out', 'green', 24, 9, 0, 800000, 800000.0, 800.0, 799200, 800800, 'rse', 1000, 'warm'),
('answer', 4, 'out', 'whole', 32, 9, 0, 800000, 800000.0, 800.0, 799200, 800800, 'rse', 1000, 'warm');
CREATE TABLE split_program(program TEXT NOT NULL, iterations INTEGER NOT NULL, what TEXT NOT NULL, passes INTEGER NOT NULL, chunk_min INTEGER NOT NULL, in_bytes REAL NOT NULL, out_bytes REAL NOT NULL, pass_ns INTEGER NOT NULL, source TEXT NOT NULL, PRIMARY KEY(program, iterations));
INSERT INTO split_program VALUES
('grid', 4096, 'made up', 3, 16, 8.0, 4.0, 20000, 'made up'),
('paths', 65536, 'made up', 1, 1, 8.0, 4.0, 0, 'made up');
CREATE TABLE split_time(program TEXT NOT NULL, iterations INTEGER NOT NULL, side TEXT NOT NULL, threads INTEGER NOT NULL, beside INTEGER NOT NULL, chunk INTEGER NOT NULL, median_ns INTEGER NOT NULL, p95_ns INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY(program, iterations, side, threads, beside, chunk));
INSERT INTO split_time VALUES
('grid', 4096, 'cpu', 4, 0, 16, 21000, 23100, 20),
('grid', 4096, 'cpu', 4, 0, 128, 133000, 146300, 20),
('grid', 4096, 'cpu', 4, 0, 1024, 1029000, 1131900, 20),
('grid', 4096, 'cpu', 4, 0, 4096, 4101000, 4183020, 20),
('grid', 4096, 'cpu', 4, 1, 16, 22600, 24860, 20),
('grid', 4096, 'cpu', 4, 1, 128, 145800, 160380, 20),
('grid', 4096, 'cpu', 4, 1, 1024, 1131400, 1244540, 20),
('grid', 4096, 'cpu', 4, 1, 4096, 4510600, 4600812, 20),
('grid', 4096, 'gpu', 0, 0, 16, 51600, 56760, 20),
('grid', 4096, 'gpu', 0, 0, 128, 62800, 69080, 20),
('grid', 4096, 'gpu', 0, 0, 1024, 152400, 167640, 20),
('grid', 4096, 'gpu', 0, 0, 4096, 459600, 468792, 20),
('grid', 4096, 'gpu', 4, 1, 16, 61600, 67760, 20),
('grid', 4096, 'gpu', 4, 1, 128, 72800, 80080, 20),
('grid', 4096, 'gpu', 4, 1, 1024, 162400, 178640, 20),
('grid', 4096, 'gpu', 4, 1, 4096, 469600, 478992, 20),
('paths', 65536, 'cpu', 4, 0, 128, 30600, 33660, 20),
('paths', 65536, 'cpu', 4, 0, 1024, 209800, 230780, 20),
('paths', 65536, 'cpu', 4, 0, 8192, 1643400, 1807740, 20),
('paths', 65536, 'cpu', 4, 0, 65536, 13112200, 13374444, 20),
('paths', 65536, 'cpu', 4, 1, 128, 33160, 36476, 20),
('paths', 65536, 'cpu', 4, 1, 1024, 230280, 253308, 20),
('paths', 65536, 'cpu', 4, 1, 8192, 1807240, 1987964, 20),
('paths', 65536, 'cpu', 4, 1, 65536, 14422920, 14711378, 20),
('paths', 65536, 'gpu', 0, 0, 128, 47680, 52448, 20),
('paths', 65536, 'gpu', 0, 0, 1024, 101440, 111584, 20),
('paths', 65536, 'gpu', 0, 0, 8192, 531520, 584672, 20),
('paths', 65536, 'gpu', 0, 0, 65536, 3972160, 4051603, 20),
('paths', 65536, 'gpu', 4, 1, 128, 55680, 61248, 20),
('paths', 65536, 'gpu', 4, 1, 1024, 109440, 120384, 20),
('paths', 65536, 'gpu', 4, 1, 8192, 539520, 593472, 20),
('paths', 65536, 'gpu', 4, 1, 65536, 3980160, 4059763, 20);
COMMIT;
