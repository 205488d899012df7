-- A profile of schema version 2 made up for tests, with rows in every table and nothing that lint finds
-- suspicious. No number here was measured.
BEGIN;
CREATE TABLE profile(key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO profile VALUES
('schema_version', '2'),
('name', 'measured'),
('description', 'Made up for tests.'),
('source', 'measured by dcsim-calibrate 0 on Test device, driver 7.1, CUDA 1.0'),
('device_uuid', 'GPU-1'),
('driver', '7.1'),
('cuda', '1.0'),
('tool_version', '0'),
('measured_at', '2026-01-01T00:00:00Z'),
('sm_clock_max_mhz', '1500'),
('l2_bytes', '1000000'),
('partial', 'no');
CREATE TABLE device(name TEXT NOT NULL, kind TEXT NOT NULL, sms INTEGER NOT NULL, memory_bytes INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO device VALUES
('Test device', 'gpu', 8, 1000000, 'measured by dcsim-calibrate 0 on Test device, driver 7.1, CUDA 1.0');
CREATE TABLE application(name TEXT PRIMARY KEY, class TEXT NOT NULL, sla_ns INTEGER, memory_bytes INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO application VALUES
('job', 'batch', NULL, 1000, 'made up'),
('service', 'latency', 50000000, 2000, 'made up');
CREATE TABLE kernel(application TEXT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, duration_ns INTEGER NOT NULL, threads INTEGER, source TEXT NOT NULL, PRIMARY KEY(application, position));
INSERT INTO kernel VALUES
('job', 0, 'compute', 4000000, 2048, 'made up'),
('service', 0, 'transfer', 1000000, NULL, 'made up'),
('service', 1, 'compute', 9000000, 1024, 'made up');
CREATE TABLE revocation(mechanism TEXT NOT NULL, threads INTEGER, kill_ns INTEGER NOT NULL, start_ns INTEGER NOT NULL, clear_ns INTEGER NOT NULL, spawn_ns INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO revocation VALUES
('trap', NULL, 5, 6, 7, 8, 'made up');
CREATE TABLE subject(application TEXT PRIMARY KEY, papers TEXT NOT NULL, algorithm TEXT NOT NULL, size_unit TEXT NOT NULL, size_min INTEGER NOT NULL, size_max INTEGER NOT NULL, size_default INTEGER NOT NULL);
INSERT INTO subject VALUES
('job', 'none', 'none', 'items', 10, 100, 100),
('service', 'none', 'none', 'images', 1, 8, 4);
CREATE TABLE request_kernel(application TEXT NOT NULL, size INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, kernel TEXT NOT NULL, PRIMARY KEY(application, size, position));
INSERT INTO request_kernel VALUES
('job', 100, 0, 'work', 'work'),
('service', 4, 0, 'in', 'in'),
('service', 4, 1, 'layer', 'layer'),
('service', 8, 0, 'in', 'in'),
('service', 8, 1, 'layer', 'layer');
CREATE TABLE kernel_shape(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, kind TEXT NOT NULL, cores TEXT NOT NULL, launches INTEGER NOT NULL, blocks INTEGER, threads_per_block INTEGER, registers INTEGER, shared_bytes INTEGER, blocks_per_sm INTEGER, flop REAL, bytes REAL, transfer_bytes INTEGER, repeatable INTEGER NOT NULL, PRIMARY KEY(application, size, kernel));
INSERT INTO kernel_shape VALUES
('job', 100, 'work', 'compute', 'cuda', 1, 2, 1024, 32, 0, 1, 1000000.0, 1000000.0, NULL, 1),
('service', 4, 'in', 'to_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, NULL, 1000.0, 1000, 1),
('service', 4, 'layer', 'compute', 'tensor', 1, 1, 1024, 32, 0, 1, 1000000.0, 1000000.0, NULL, 1),
('service', 8, 'in', 'to_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, NULL, 2000.0, 2000, 1),
('service', 8, 'layer', 'compute', 'tensor', 1, 2, 1024, 32, 0, 1, 2000000.0, 2000000.0, NULL, 1);
CREATE TABLE request_solo(application TEXT NOT NULL, size INTEGER NOT NULL, mechanism TEXT NOT NULL, sms INTEGER NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(application, size, mechanism, sms));
INSERT INTO request_solo VALUES
('job', 100, 'green', 1, 9, 0, 31600000, 31600000.0, 31600.0, 31568400, 31631599, 'rse', 1400, 'warm'),
('job', 100, 'green', 4, 9, 0, 8000000, 8000000.0, 8000.0, 7992000, 8007999, 'rse', 1400, 'warm'),
('job', 100, 'whole', 8, 9, 0, 4000000, 4000000.0, 4000.0, 3996000, 4003999, 'rse', 1400, 'warm'),
('service', 4, 'green', 1, 9, 0, 79000000, 79000000.0, 79000.0, 78921000, 79078999, 'rse', 1400, 'warm'),
('service', 4, 'green', 4, 9, 0, 20000000, 20000000.0, 20000.0, 19980000, 20019999, 'rse', 1400, 'warm'),
('service', 4, 'whole', 8, 9, 0, 10000000, 10000000.0, 10000.0, 9990000, 10009999, 'rse', 1400, 'warm'),
('service', 8, 'green', 1, 9, 0, 158000000, 158000000.0, 158000.0, 157842000, 158157999, 'rse', 1400, 'warm'),
('service', 8, 'green', 4, 9, 0, 40000000, 40000000.0, 40000.0, 39960000, 40039999, 'rse', 1400, 'warm'),
('service', 8, 'whole', 8, 9, 0, 20000000, 20000000.0, 20000.0, 19980000, 20019999, 'rse', 1400, 'warm');
CREATE TABLE kernel_solo(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, mechanism TEXT NOT NULL, sms INTEGER NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(application, size, kernel, mechanism, sms));
INSERT INTO kernel_solo VALUES
('job', 100, 'work', 'green', 1, 9, 0, 31600000, 31600000.0, 31600.0, 31568400, 31631599, 'rse', 1400, 'warm'),
('job', 100, 'work', 'green', 4, 9, 0, 8000000, 8000000.0, 8000.0, 7992000, 8007999, 'rse', 1400, 'warm'),
('job', 100, 'work', 'whole', 8, 9, 0, 4000000, 4000000.0, 4000.0, 3996000, 4003999, 'rse', 1400, 'warm'),
('service', 4, 'in', 'green', 1, 9, 0, 1000000, 1000000.0, 1000.0, 999000, 1000999, 'rse', 1400, 'warm'),
('service', 4, 'layer', 'green', 1, 9, 0, 71100000, 71100000.0, 71100.0, 71028900, 71171099, 'rse', 1400, 'warm'),
('service', 4, 'in', 'green', 4, 9, 0, 1000000, 1000000.0, 1000.0, 999000, 1000999, 'rse', 1400, 'warm'),
('service', 4, 'layer', 'green', 4, 9, 0, 18000000, 18000000.0, 18000.0, 17982000, 18017999, 'rse', 1400, 'warm'),
('service', 4, 'in', 'whole', 8, 9, 0, 1000000, 1000000.0, 1000.0, 999000, 1000999, 'rse', 1400, 'warm'),
('service', 4, 'layer', 'whole', 8, 9, 0, 9000000, 9000000.0, 9000.0, 8991000, 9008999, 'rse', 1400, 'warm'),
('service', 8, 'in', 'green', 1, 9, 0, 2000000, 2000000.0, 2000.0, 1998000, 2001999, 'rse', 1400, 'warm'),
('service', 8, 'layer', 'green', 1, 9, 0, 142200000, 142200000.0, 142200.0, 142057800, 142342199, 'rse', 1400, 'warm'),
('service', 8, 'in', 'green', 4, 9, 0, 2000000, 2000000.0, 2000.0, 1998000, 2001999, 'rse', 1400, 'warm'),
('service', 8, 'layer', 'green', 4, 9, 0, 36000000, 36000000.0, 36000.0, 35964000, 36035999, 'rse', 1400, 'warm'),
('service', 8, 'in', 'whole', 8, 9, 0, 2000000, 2000000.0, 2000.0, 1998000, 2001999, 'rse', 1400, 'warm'),
('service', 8, 'layer', 'whole', 8, 9, 0, 18000000, 18000000.0, 18000.0, 17982000, 18017999, 'rse', 1400, 'warm');
CREATE TABLE kernel_counters(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, l2 TEXT NOT NULL, duration_ns INTEGER, instructions REAL, ipc REAL, dram_read_bytes REAL, dram_write_bytes REAL, l2_bytes REAL, l2_hit_fraction REAL, l1_hit_fraction REAL, tensor_active_fraction REAL, fma_active_fraction REAL, occupancy_fraction REAL, PRIMARY KEY(application, size, kernel, l2));
INSERT INTO kernel_counters VALUES
('job', 100, 'work', 'warm', 4000000, 1000000.0, 1.5, 200000000.0, 100000000.0, 500000000.0, 0.5, 0.4, 0.0, 0.9, 0.5),
('service', 4, 'layer', 'warm', 9000000, 1000000.0, 1.5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE overhead(what TEXT NOT NULL, mechanism TEXT NOT NULL, sms INTEGER NOT NULL, amount REAL NOT NULL, unit TEXT NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(what, mechanism, sms, amount));
INSERT INTO overhead VALUES
('copy', 'whole', 8, 1000000000.0, 'byte', 9, 0, 10000000, 10000000.0, 10000.0, 9990000, 10009999, 'rse', 1400, 'warm'),
('l2_read', 'whole', 8, 1000000000.0, 'byte', 9, 0, 5000000, 5000000.0, 5000.0, 4995000, 5004999, 'rse', 1400, 'warm'),
('launch', 'whole', 8, 1.0, 'launch', 9, 0, 2000, 2000.0, 2.0, 1998, 2001, 'rse', 1400, 'warm'),
('matrix', 'whole', 8, 1000000000.0, 'flop', 9, 0, 10000000, 10000000.0, 10000.0, 9990000, 10009999, 'rse', 1400, 'warm');
CREATE TABLE transfer(direction TEXT NOT NULL, bytes INTEGER NOT NULL, beside INTEGER NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(direction, bytes, beside));
INSERT INTO transfer VALUES
('to_device', 1000, 0, 9, 0, 1000000, 1000000.0, 1000.0, 999000, 1000999, 'rse', 1400, 'warm'),
('from_device', 1000, 0, 9, 0, 1000000, 1000000.0, 1000.0, 999000, 1000999, 'rse', 1400, 'warm');
CREATE TABLE corun(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, mechanism TEXT NOT NULL, half TEXT, draw INTEGER NOT NULL, overlap_ns INTEGER NOT NULL, dram_gbs REAL, l2_gbs REAL);
INSERT INTO corun VALUES
(1, 'pair', 'green', 'dev', 0, 5000000, NULL, NULL),
(2, 'sensitivity', 'green', NULL, 1, 5000000, 50.0, NULL);
CREATE TABLE corun_side(corun INTEGER NOT NULL REFERENCES corun(id), side INTEGER NOT NULL, application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, sms INTEGER NOT NULL, percent INTEGER, solo_median_ns INTEGER NOT NULL, solo_mean_ns REAL NOT NULL, solo_n INTEGER NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(corun, side));
INSERT INTO corun_side VALUES
(1, 0, 'service', 4, 'layer', 4, NULL, 18000000, 18000000.0, 9, 9, 0, 20000000, 20000000.0, 20000.0, 19980000, 20019999, 'rse', 1400, 'warm'),
(1, 1, 'job', 100, 'work', 4, NULL, 8000000, 8000000.0, 9, 9, 0, 9000000, 9000000.0, 9000.0, 8991000, 9008999, 'rse', 1400, 'warm'),
(2, 0, 'job', 100, 'work', 4, NULL, 8000000, 8000000.0, 9, 9, 0, 8500000, 8500000.0, 8500.0, 8491500, 8508499, 'rse', 1400, 'warm'),
(2, 1, 'stream', 3, 'stream', 4, NULL, 1000000, 1000000.0, 9, 9, 0, 1000000, 1000000.0, 1000.0, 999000, 1000999, 'rse', 1400, 'warm');
CREATE TABLE live(id INTEGER PRIMARY KEY, service TEXT NOT NULL, service_size INTEGER NOT NULL, batch TEXT NOT NULL, batch_size INTEGER NOT NULL, allocation TEXT NOT NULL, service_percent INTEGER NOT NULL, batch_percent INTEGER NOT NULL, load REAL NOT NULL, duration_ns INTEGER NOT NULL, half TEXT NOT NULL, service_solo_ns INTEGER NOT NULL, batch_solo_ns INTEGER NOT NULL);
INSERT INTO live VALUES
(1, 'service', 4, 'job', 100, 'mps_even', 100, 100, 0.5, 1000000000, 'dev', 10000000, 4000000);
CREATE TABLE live_request(live INTEGER NOT NULL REFERENCES live(id), role TEXT NOT NULL, request INTEGER NOT NULL, arrival_ns INTEGER NOT NULL, begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, PRIMARY KEY(live, role, request));
INSERT INTO live_request VALUES
(1, 'service', 0, 10, 20, 30),
(1, 'batch', 0, 0, 0, 40);
CREATE TABLE fused(tensor TEXT NOT NULL, tensor_size INTEGER NOT NULL, cuda TEXT NOT NULL, cuda_size INTEGER NOT NULL, tensor_blocks INTEGER NOT NULL, cuda_blocks INTEGER NOT NULL, load_ratio_percent INTEGER NOT NULL, tensor_ns INTEGER NOT NULL, cuda_ns INTEGER NOT NULL, tensor_end_ns INTEGER, cuda_end_ns INTEGER, registers INTEGER NOT NULL, shared_bytes INTEGER NOT NULL, threads INTEGER NOT NULL, n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL, stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL, clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL, PRIMARY KEY(tensor, tensor_size, cuda, cuda_size, tensor_blocks, cuda_blocks, load_ratio_percent));
INSERT INTO fused VALUES
('layer', 4, 'job', 100, 1, 1, 100, 9000000, 4000000, 8000000, 9000000, 64, 0, 512, 9, 0, 10000000, 10000000.0, 10000.0, 9990000, 10009999, 'rse', 1400, 'warm');
CREATE TABLE revocation_sample(mechanism TEXT NOT NULL, threads INTEGER NOT NULL, co_runner TEXT NOT NULL, sample INTEGER NOT NULL, kill_ns INTEGER NOT NULL, start_ns INTEGER, clear_ns INTEGER, spawn_ns INTEGER, co_died INTEGER, PRIMARY KEY(mechanism, threads, co_runner, sample));
INSERT INTO revocation_sample VALUES
('trap', 1024, 'none', 0, 400000000, 50000000, NULL, NULL, NULL),
('trap', 1024, 'none', 1, 410000000, 50000000, NULL, NULL, 0);
CREATE TABLE noise(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, sms INTEGER NOT NULL, sample INTEGER NOT NULL, at_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, clock_mhz INTEGER NOT NULL, PRIMARY KEY(application, size, kernel, sms, sample));
INSERT INTO noise VALUES
('job', 100, 'work', 8, 0, 0, 4000000, 1400),
('job', 100, 'work', 8, 1, 5000000, 4000100, 1400);
CREATE TABLE contention_resource(name TEXT PRIMARY KEY, position INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO contention_resource VALUES
('dram', 0, 'made up');
CREATE TABLE contention_hinge(resource TEXT NOT NULL, position INTEGER NOT NULL, level REAL NOT NULL, PRIMARY KEY(resource, position));
INSERT INTO contention_hinge VALUES
('dram', 0, 0.0),
('dram', 1, 4.0);
CREATE TABLE contention_kernel(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, sms INTEGER NOT NULL, resource TEXT NOT NULL, pressure REAL NOT NULL, source TEXT NOT NULL, PRIMARY KEY(application, size, kernel, sms, resource));
INSERT INTO contention_kernel VALUES
('job', 100, 'work', 4, 'dram', 0.5, 'made up'),
('job', 100, 'work', 8, 'dram', 0.75, 'made up'),
('service', 4, 'layer', 4, 'dram', 0.375, 'made up');
CREATE TABLE contention_weight(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, sms INTEGER NOT NULL, resource TEXT NOT NULL, position INTEGER NOT NULL, weight REAL NOT NULL, PRIMARY KEY(application, size, kernel, sms, resource, position));
INSERT INTO contention_weight VALUES
('job', 100, 'work', 4, 'dram', 0, 0.25),
('job', 100, 'work', 4, 'dram', 1, 0.125),
('job', 100, 'work', 8, 'dram', 0, 0.25),
('service', 4, 'layer', 4, 'dram', 0, 0.125);
CREATE TABLE contention_range(application TEXT NOT NULL, size INTEGER NOT NULL, kernel TEXT NOT NULL, sms INTEGER NOT NULL, slowdown REAL NOT NULL, PRIMARY KEY(application, size, kernel, sms));
INSERT INTO contention_range VALUES
('job', 100, 'work', 4, 9.0),
('job', 100, 'work', 8, 9.0),
('service', 4, 'layer', 4, 9.0);
CREATE TABLE step(key TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, seconds REAL NOT NULL);
INSERT INTO step VALUES
('solo/job', 'solo', 'done', '', 1.5);
COMMIT;
