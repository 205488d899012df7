-- NVIDIA RTX 2080Ti under Volta MPS, as the group behind C-Laius published it with Laius.
--
-- Source: repository sjtu-epcc/Laius, commit 3f1471a, folders mps/data and mps_reconfig; the numbers
-- are used as facts, nothing else of it is. One application alone on the card, SM quotas of 10 to
-- 100 %. `queries.csv` and `service_layers.csv` below are tables of these numbers, and the number behind
-- them is the line: service, quota, us; and library call, its tensors, quota, us, DRAM GB/s.
-- Schema version 2, see docs/profile.md. Nothing here was measured by this project.
--
-- How the numbers became rows:
--   time      us * 1000, rounded to ns
--   sms       round(68 * quota / 100) of the card's 68 SMs; mechanism 'mps'
--   size      images of a request, which is n of the layers: 32768 are dig's, 32 face's, 144 googlenet's;
--             27 are taken for vgg's, since they are the layers of VGG (3x3 filters on 224x224 images)
--   samples   one figure is published, and not of how many samples, nor whether a mean or a median: n = 1,
--             stop 'published', median = mean = min = max, stddev 0; clock 0 and L2 'unknown': not said
--   kernel    call_CxHxW of the input tensor (for `add`: of the tensor that is added to), then filters k,
--             window r, padding p, stride s, algorithm a where the call has them
--   DRAM      GB/s * ns = bytes, read and written together: all in dram_read_bytes, dram_write_bytes NULL.
--             kernel_counters are of the whole device, so only those at 100 % are here
--   `kernel`  (the table) has one 'task' for each service, its request at 100 %
--
-- Not here, since it is not published:
--   which layers a request has in which order, so no request_kernel and no kernel_shape
--   SLAs of the services (NULL), and the memory that they hold (0)
--   how to revoke on this card
-- Not here, though it is published:
--   the 29 activations without n, known by their number of elements: whose they are is not said
--   DRAM bandwidth of layers below 100 %: no table of the schema has a place for it
--   the Rodinia kernels, the batch applications of C-Laius: of them only the throughput relative to
--   themselves and the bandwidth are published, and no duration. A simulation cannot run them; use synthetic
--   applications beside the services.
--
-- `face` is slower at 80 to 100 % than at 70 %: that is how it was measured.

BEGIN;

CREATE TABLE profile (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO profile (key, value) VALUES
    ('schema_version', '2'),
    ('name',           'rtx2080ti'),
    ('description',    'RTX 2080Ti under MPS: four DNN services and their layers by SM quota, as published with Laius'),
    ('source',         'sjtu-epcc/Laius, commit 3f1471a, mps/data and mps_reconfig: transcribed, not measured by this project');

CREATE TABLE device (
    name         TEXT NOT NULL,
    kind         TEXT NOT NULL,
    sms          INTEGER NOT NULL,
    memory_bytes INTEGER NOT NULL,
    source       TEXT NOT NULL
);
-- The memory is the only figure that is not the group's. No application has one, so nothing in this file
-- depends on it.
INSERT INTO device (name, kind, sms, memory_bytes, source) VALUES
    ('GeForce RTX 2080Ti', 'gpu', 68, 11811160064, 'C-Laius, section 2: 68 SMs; memory: 11 GB by the vendor''s data sheet, where C-Laius prints 12 GB');

CREATE TABLE application (
    name         TEXT PRIMARY KEY,
    class        TEXT NOT NULL,
    sla_ns       INTEGER,
    memory_bytes INTEGER NOT NULL,
    source       TEXT NOT NULL
);
INSERT INTO application (name, class, sla_ns, memory_bytes, source) VALUES
    ('dig', 'latency', NULL, 0, 'Laius, queries.csv; SLA and memory are not published'),
    ('face', 'latency', NULL, 0, 'Laius, queries.csv; SLA and memory are not published'),
    ('googlenet', 'latency', NULL, 0, 'Laius, queries.csv; SLA and memory are not published'),
    ('vgg', 'latency', NULL, 0, 'Laius, queries.csv; SLA and memory are not published');

CREATE TABLE kernel (
    application TEXT NOT NULL,
    position    INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    duration_ns INTEGER NOT NULL,
    threads     INTEGER,
    source      TEXT NOT NULL,
    PRIMARY KEY (application, position)
);
INSERT INTO kernel (application, position, kind, duration_ns, threads, source) VALUES
    ('dig', 0, 'task', 54381000, NULL, 'Laius, queries.csv:11: a query at 100 %'),
    ('face', 0, 'task', 159783000, NULL, 'Laius, queries.csv:21: a query at 100 %'),
    ('googlenet', 0, 'task', 81046000, NULL, 'Laius, queries.csv:31: a query at 100 %'),
    ('vgg', 0, 'task', 65424000, NULL, 'Laius, queries.csv:41: a query at 100 %');

CREATE TABLE revocation (
    mechanism TEXT NOT NULL,
    threads   INTEGER,
    kill_ns   INTEGER NOT NULL,
    start_ns  INTEGER NOT NULL,
    clear_ns  INTEGER NOT NULL,
    spawn_ns  INTEGER NOT NULL,
    source    TEXT NOT NULL
);

CREATE TABLE subject (
    application  TEXT PRIMARY KEY,
    papers       TEXT NOT NULL,
    algorithm    TEXT NOT NULL,
    size_unit    TEXT NOT NULL,
    size_min     INTEGER NOT NULL,
    size_max     INTEGER NOT NULL,
    size_default INTEGER NOT NULL
);
-- One size of each was measured. The sizes: n of their layers in service_layers.csv.
INSERT INTO subject (application, papers, algorithm, size_unit, size_min, size_max, size_default) VALUES
    ('dig', 'Laius: dig', 'inference of a neural network by library calls', 'images', 32768, 32768, 32768),
    ('face', 'Laius: face', 'inference of a neural network by library calls', 'images', 32, 32, 32),
    ('googlenet', 'Laius: googlenet', 'inference of a neural network by library calls', 'images', 144, 144, 144),
    ('vgg', 'Laius: vgg', 'inference of a neural network by library calls', 'images', 27, 27, 27);

CREATE TABLE request_solo (
    application TEXT NOT NULL,
    size        INTEGER NOT NULL,
    mechanism   TEXT NOT NULL,
    sms         INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    throttled   INTEGER NOT NULL,
    median_ns   INTEGER NOT NULL,
    mean_ns     REAL NOT NULL,
    stddev_ns   REAL NOT NULL,
    min_ns      INTEGER NOT NULL,
    max_ns      INTEGER NOT NULL,
    stop        TEXT NOT NULL,
    clock_mhz   INTEGER NOT NULL,
    l2          TEXT NOT NULL,
    PRIMARY KEY (application, size, mechanism, sms)
);
INSERT INTO request_solo (application, size, mechanism, sms, n, throttled, median_ns, mean_ns, stddev_ns, min_ns, max_ns, stop, clock_mhz, l2) VALUES
    ('dig', 32768, 'mps', 7, 1, 0, 205020000, 205020000.0, 0.0, 205020000, 205020000, 'published', 0, 'unknown'), -- queries.csv:2, 10 %
    ('dig', 32768, 'mps', 14, 1, 0, 132722000, 132722000.0, 0.0, 132722000, 132722000, 'published', 0, 'unknown'), -- queries.csv:3, 20 %
    ('dig', 32768, 'mps', 20, 1, 0, 90363000, 90363000.0, 0.0, 90363000, 90363000, 'published', 0, 'unknown'), -- queries.csv:4, 30 %
    ('dig', 32768, 'mps', 27, 1, 0, 84607000, 84607000.0, 0.0, 84607000, 84607000, 'published', 0, 'unknown'), -- queries.csv:5, 40 %
    ('dig', 32768, 'mps', 34, 1, 0, 71345000, 71345000.0, 0.0, 71345000, 71345000, 'published', 0, 'unknown'), -- queries.csv:6, 50 %
    ('dig', 32768, 'mps', 41, 1, 0, 70150000, 70150000.0, 0.0, 70150000, 70150000, 'published', 0, 'unknown'), -- queries.csv:7, 60 %
    ('dig', 32768, 'mps', 48, 1, 0, 60068000, 60068000.0, 0.0, 60068000, 60068000, 'published', 0, 'unknown'), -- queries.csv:8, 70 %
    ('dig', 32768, 'mps', 54, 1, 0, 57022000, 57022000.0, 0.0, 57022000, 57022000, 'published', 0, 'unknown'), -- queries.csv:9, 80 %
    ('dig', 32768, 'mps', 61, 1, 0, 55401000, 55401000.0, 0.0, 55401000, 55401000, 'published', 0, 'unknown'), -- queries.csv:10, 90 %
    ('dig', 32768, 'mps', 68, 1, 0, 54381000, 54381000.0, 0.0, 54381000, 54381000, 'published', 0, 'unknown'), -- queries.csv:11, 100 %
    ('face', 32, 'mps', 7, 1, 0, 396086000, 396086000.0, 0.0, 396086000, 396086000, 'published', 0, 'unknown'), -- queries.csv:12, 10 %
    ('face', 32, 'mps', 14, 1, 0, 254287000, 254287000.0, 0.0, 254287000, 254287000, 'published', 0, 'unknown'), -- queries.csv:13, 20 %
    ('face', 32, 'mps', 20, 1, 0, 209265000, 209265000.0, 0.0, 209265000, 209265000, 'published', 0, 'unknown'), -- queries.csv:14, 30 %
    ('face', 32, 'mps', 27, 1, 0, 152110000, 152110000.0, 0.0, 152110000, 152110000, 'published', 0, 'unknown'), -- queries.csv:15, 40 %
    ('face', 32, 'mps', 34, 1, 0, 144169000, 144169000.0, 0.0, 144169000, 144169000, 'published', 0, 'unknown'), -- queries.csv:16, 50 %
    ('face', 32, 'mps', 41, 1, 0, 138627000, 138627000.0, 0.0, 138627000, 138627000, 'published', 0, 'unknown'), -- queries.csv:17, 60 %
    ('face', 32, 'mps', 48, 1, 0, 137428000, 137428000.0, 0.0, 137428000, 137428000, 'published', 0, 'unknown'), -- queries.csv:18, 70 %
    ('face', 32, 'mps', 54, 1, 0, 161799000, 161799000.0, 0.0, 161799000, 161799000, 'published', 0, 'unknown'), -- queries.csv:19, 80 %
    ('face', 32, 'mps', 61, 1, 0, 160686000, 160686000.0, 0.0, 160686000, 160686000, 'published', 0, 'unknown'), -- queries.csv:20, 90 %
    ('face', 32, 'mps', 68, 1, 0, 159783000, 159783000.0, 0.0, 159783000, 159783000, 'published', 0, 'unknown'), -- queries.csv:21, 100 %
    ('googlenet', 144, 'mps', 7, 1, 0, 410518000, 410518000.0, 0.0, 410518000, 410518000, 'published', 0, 'unknown'), -- queries.csv:22, 10 %
    ('googlenet', 144, 'mps', 14, 1, 0, 237139000, 237139000.0, 0.0, 237139000, 237139000, 'published', 0, 'unknown'), -- queries.csv:23, 20 %
    ('googlenet', 144, 'mps', 20, 1, 0, 160802000, 160802000.0, 0.0, 160802000, 160802000, 'published', 0, 'unknown'), -- queries.csv:24, 30 %
    ('googlenet', 144, 'mps', 27, 1, 0, 130927000, 130927000.0, 0.0, 130927000, 130927000, 'published', 0, 'unknown'), -- queries.csv:25, 40 %
    ('googlenet', 144, 'mps', 34, 1, 0, 111373000, 111373000.0, 0.0, 111373000, 111373000, 'published', 0, 'unknown'), -- queries.csv:26, 50 %
    ('googlenet', 144, 'mps', 41, 1, 0, 99361000, 99361000.0, 0.0, 99361000, 99361000, 'published', 0, 'unknown'), -- queries.csv:27, 60 %
    ('googlenet', 144, 'mps', 48, 1, 0, 89161000, 89161000.0, 0.0, 89161000, 89161000, 'published', 0, 'unknown'), -- queries.csv:28, 70 %
    ('googlenet', 144, 'mps', 54, 1, 0, 81672000, 81672000.0, 0.0, 81672000, 81672000, 'published', 0, 'unknown'), -- queries.csv:29, 80 %
    ('googlenet', 144, 'mps', 61, 1, 0, 81236000, 81236000.0, 0.0, 81236000, 81236000, 'published', 0, 'unknown'), -- queries.csv:30, 90 %
    ('googlenet', 144, 'mps', 68, 1, 0, 81046000, 81046000.0, 0.0, 81046000, 81046000, 'published', 0, 'unknown'), -- queries.csv:31, 100 %
    ('vgg', 27, 'mps', 7, 1, 0, 423813000, 423813000.0, 0.0, 423813000, 423813000, 'published', 0, 'unknown'), -- queries.csv:32, 10 %
    ('vgg', 27, 'mps', 14, 1, 0, 241872000, 241872000.0, 0.0, 241872000, 241872000, 'published', 0, 'unknown'), -- queries.csv:33, 20 %
    ('vgg', 27, 'mps', 20, 1, 0, 156271000, 156271000.0, 0.0, 156271000, 156271000, 'published', 0, 'unknown'), -- queries.csv:34, 30 %
    ('vgg', 27, 'mps', 27, 1, 0, 124624000, 124624000.0, 0.0, 124624000, 124624000, 'published', 0, 'unknown'), -- queries.csv:35, 40 %
    ('vgg', 27, 'mps', 34, 1, 0, 105526000, 105526000.0, 0.0, 105526000, 105526000, 'published', 0, 'unknown'), -- queries.csv:36, 50 %
    ('vgg', 27, 'mps', 41, 1, 0, 90144000, 90144000.0, 0.0, 90144000, 90144000, 'published', 0, 'unknown'), -- queries.csv:37, 60 %
    ('vgg', 27, 'mps', 48, 1, 0, 81209000, 81209000.0, 0.0, 81209000, 81209000, 'published', 0, 'unknown'), -- queries.csv:38, 70 %
    ('vgg', 27, 'mps', 54, 1, 0, 73667000, 73667000.0, 0.0, 73667000, 73667000, 'published', 0, 'unknown'), -- queries.csv:39, 80 %
    ('vgg', 27, 'mps', 61, 1, 0, 69204000, 69204000.0, 0.0, 69204000, 69204000, 'published', 0, 'unknown'), -- queries.csv:40, 90 %
    ('vgg', 27, 'mps', 68, 1, 0, 65424000, 65424000.0, 0.0, 65424000, 65424000, 'published', 0, 'unknown'); -- queries.csv:41, 100 %

CREATE TABLE kernel_solo (
    application TEXT NOT NULL,
    size        INTEGER NOT NULL,
    kernel      TEXT NOT NULL,
    mechanism   TEXT NOT NULL,
    sms         INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    throttled   INTEGER NOT NULL,
    median_ns   INTEGER NOT NULL,
    mean_ns     REAL NOT NULL,
    stddev_ns   REAL NOT NULL,
    min_ns      INTEGER NOT NULL,
    max_ns      INTEGER NOT NULL,
    stop        TEXT NOT NULL,
    clock_mhz   INTEGER NOT NULL,
    l2          TEXT NOT NULL,
    PRIMARY KEY (application, size, kernel, mechanism, sms)
);
INSERT INTO kernel_solo (application, size, kernel, mechanism, sms, n, throttled, median_ns, mean_ns, stddev_ns, min_ns, max_ns, stop, clock_mhz, l2) VALUES
    ('dig', 32768, 'act_500x1x1', 'mps', 7, 1, 0, 1405760, 1405760.0, 0.0, 1405760, 1405760, 'published', 0, 'unknown'), -- service_layers.csv:922, 10 %
    ('dig', 32768, 'act_500x1x1', 'mps', 14, 1, 0, 882944, 882944.0, 0.0, 882944, 882944, 'published', 0, 'unknown'), -- service_layers.csv:892, 20 %
    ('dig', 32768, 'act_500x1x1', 'mps', 20, 1, 0, 616896, 616896.0, 0.0, 616896, 616896, 'published', 0, 'unknown'), -- service_layers.csv:862, 30 %
    ('dig', 32768, 'act_500x1x1', 'mps', 27, 1, 0, 507456, 507456.0, 0.0, 507456, 507456, 'published', 0, 'unknown'), -- service_layers.csv:832, 40 %
    ('dig', 32768, 'act_500x1x1', 'mps', 34, 1, 0, 452416, 452416.0, 0.0, 452416, 452416, 'published', 0, 'unknown'), -- service_layers.csv:802, 50 %
    ('dig', 32768, 'act_500x1x1', 'mps', 41, 1, 0, 396576, 396576.0, 0.0, 396576, 396576, 'published', 0, 'unknown'), -- service_layers.csv:772, 60 %
    ('dig', 32768, 'act_500x1x1', 'mps', 48, 1, 0, 370720, 370720.0, 0.0, 370720, 370720, 'published', 0, 'unknown'), -- service_layers.csv:742, 70 %
    ('dig', 32768, 'act_500x1x1', 'mps', 54, 1, 0, 345312, 345312.0, 0.0, 345312, 345312, 'published', 0, 'unknown'), -- service_layers.csv:712, 80 %
    ('dig', 32768, 'act_500x1x1', 'mps', 61, 1, 0, 344832, 344832.0, 0.0, 344832, 344832, 'published', 0, 'unknown'), -- service_layers.csv:682, 90 %
    ('dig', 32768, 'act_500x1x1', 'mps', 68, 1, 0, 346560, 346560.0, 0.0, 346560, 346560, 'published', 0, 'unknown'), -- service_layers.csv:652, 100 %
    ('dig', 32768, 'add_20x24x24', 'mps', 7, 1, 0, 28057535, 28057535.0, 0.0, 28057535, 28057535, 'published', 0, 'unknown'), -- service_layers.csv:1330, 10 %
    ('dig', 32768, 'add_20x24x24', 'mps', 14, 1, 0, 19322848, 19322848.0, 0.0, 19322848, 19322848, 'published', 0, 'unknown'), -- service_layers.csv:1288, 20 %
    ('dig', 32768, 'add_20x24x24', 'mps', 20, 1, 0, 9947775, 9947775.0, 0.0, 9947775, 9947775, 'published', 0, 'unknown'), -- service_layers.csv:1246, 30 %
    ('dig', 32768, 'add_20x24x24', 'mps', 27, 1, 0, 10198144, 10198144.0, 0.0, 10198144, 10198144, 'published', 0, 'unknown'), -- service_layers.csv:1204, 40 %
    ('dig', 32768, 'add_20x24x24', 'mps', 34, 1, 0, 8600384, 8600384.0, 0.0, 8600384, 8600384, 'published', 0, 'unknown'), -- service_layers.csv:1162, 50 %
    ('dig', 32768, 'add_20x24x24', 'mps', 41, 1, 0, 7113952, 7113952.0, 0.0, 7113952, 7113952, 'published', 0, 'unknown'), -- service_layers.csv:1120, 60 %
    ('dig', 32768, 'add_20x24x24', 'mps', 48, 1, 0, 6399040, 6399040.0, 0.0, 6399040, 6399040, 'published', 0, 'unknown'), -- service_layers.csv:1078, 70 %
    ('dig', 32768, 'add_20x24x24', 'mps', 54, 1, 0, 5857664, 5857664.0, 0.0, 5857664, 5857664, 'published', 0, 'unknown'), -- service_layers.csv:1036, 80 %
    ('dig', 32768, 'add_20x24x24', 'mps', 61, 1, 0, 5726976, 5726976.0, 0.0, 5726976, 5726976, 'published', 0, 'unknown'), -- service_layers.csv:994, 90 %
    ('dig', 32768, 'add_20x24x24', 'mps', 68, 1, 0, 5666880, 5666880.0, 0.0, 5666880, 5666880, 'published', 0, 'unknown'), -- service_layers.csv:952, 100 %
    ('dig', 32768, 'add_50x8x8', 'mps', 7, 1, 0, 9271296, 9271296.0, 0.0, 9271296, 9271296, 'published', 0, 'unknown'), -- service_layers.csv:1331, 10 %
    ('dig', 32768, 'add_50x8x8', 'mps', 14, 1, 0, 5486240, 5486240.0, 0.0, 5486240, 5486240, 'published', 0, 'unknown'), -- service_layers.csv:1289, 20 %
    ('dig', 32768, 'add_50x8x8', 'mps', 20, 1, 0, 3659232, 3659232.0, 0.0, 3659232, 3659232, 'published', 0, 'unknown'), -- service_layers.csv:1247, 30 %
    ('dig', 32768, 'add_50x8x8', 'mps', 27, 1, 0, 2945024, 2945024.0, 0.0, 2945024, 2945024, 'published', 0, 'unknown'), -- service_layers.csv:1205, 40 %
    ('dig', 32768, 'add_50x8x8', 'mps', 34, 1, 0, 2494560, 2494560.0, 0.0, 2494560, 2494560, 'published', 0, 'unknown'), -- service_layers.csv:1163, 50 %
    ('dig', 32768, 'add_50x8x8', 'mps', 41, 1, 0, 2063232, 2063232.0, 0.0, 2063232, 2063232, 'published', 0, 'unknown'), -- service_layers.csv:1121, 60 %
    ('dig', 32768, 'add_50x8x8', 'mps', 48, 1, 0, 1825824, 1825824.0, 0.0, 1825824, 1825824, 'published', 0, 'unknown'), -- service_layers.csv:1079, 70 %
    ('dig', 32768, 'add_50x8x8', 'mps', 54, 1, 0, 1709824, 1709824.0, 0.0, 1709824, 1709824, 'published', 0, 'unknown'), -- service_layers.csv:1037, 80 %
    ('dig', 32768, 'add_50x8x8', 'mps', 61, 1, 0, 1656576, 1656576.0, 0.0, 1656576, 1656576, 'published', 0, 'unknown'), -- service_layers.csv:995, 90 %
    ('dig', 32768, 'add_50x8x8', 'mps', 68, 1, 0, 1648416, 1648416.0, 0.0, 1648416, 1648416, 'published', 0, 'unknown'), -- service_layers.csv:953, 100 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 7, 1, 0, 44097695, 44097695.0, 0.0, 44097695, 44097695, 'published', 0, 'unknown'), -- service_layers.csv:560, 10 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 14, 1, 0, 25156639, 25156639.0, 0.0, 25156639, 25156639, 'published', 0, 'unknown'), -- service_layers.csv:498, 20 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 20, 1, 0, 16154433, 16154433.0, 0.0, 16154433, 16154433, 'published', 0, 'unknown'), -- service_layers.csv:436, 30 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 27, 1, 0, 12683328, 12683328.0, 0.0, 12683328, 12683328, 'published', 0, 'unknown'), -- service_layers.csv:374, 40 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 34, 1, 0, 10488896, 10488896.0, 0.0, 10488896, 10488896, 'published', 0, 'unknown'), -- service_layers.csv:312, 50 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 41, 1, 0, 8465728, 8465728.0, 0.0, 8465728, 8465728, 'published', 0, 'unknown'), -- service_layers.csv:250, 60 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 48, 1, 0, 7495424, 7495424.0, 0.0, 7495424, 7495424, 'published', 0, 'unknown'), -- service_layers.csv:188, 70 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 54, 1, 0, 6430624, 6430624.0, 0.0, 6430624, 6430624, 'published', 0, 'unknown'), -- service_layers.csv:126, 80 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 61, 1, 0, 5847200, 5847200.0, 0.0, 5847200, 5847200, 'published', 0, 'unknown'), -- service_layers.csv:64, 90 %
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'mps', 68, 1, 0, 5336064, 5336064.0, 0.0, 5336064, 5336064, 'published', 0, 'unknown'), -- service_layers.csv:2, 100 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 7, 1, 0, 103607609, 103607609.0, 0.0, 103607609, 103607609, 'published', 0, 'unknown'), -- service_layers.csv:561, 10 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 14, 1, 0, 58864734, 58864734.0, 0.0, 58864734, 58864734, 'published', 0, 'unknown'), -- service_layers.csv:499, 20 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 20, 1, 0, 37670945, 37670945.0, 0.0, 37670945, 37670945, 'published', 0, 'unknown'), -- service_layers.csv:437, 30 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 27, 1, 0, 29628639, 29628639.0, 0.0, 29628639, 29628639, 'published', 0, 'unknown'), -- service_layers.csv:375, 40 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 34, 1, 0, 24533377, 24533377.0, 0.0, 24533377, 24533377, 'published', 0, 'unknown'), -- service_layers.csv:313, 50 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 41, 1, 0, 19869119, 19869119.0, 0.0, 19869119, 19869119, 'published', 0, 'unknown'), -- service_layers.csv:251, 60 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 48, 1, 0, 17463072, 17463072.0, 0.0, 17463072, 17463072, 'published', 0, 'unknown'), -- service_layers.csv:189, 70 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 54, 1, 0, 15029792, 15029792.0, 0.0, 15029792, 15029792, 'published', 0, 'unknown'), -- service_layers.csv:127, 80 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 61, 1, 0, 13597855, 13597855.0, 0.0, 13597855, 13597855, 'published', 0, 'unknown'), -- service_layers.csv:65, 90 %
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'mps', 68, 1, 0, 12420607, 12420607.0, 0.0, 12420607, 12420607, 'published', 0, 'unknown'), -- service_layers.csv:3, 100 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 7, 1, 0, 17456576, 17456576.0, 0.0, 17456576, 17456576, 'published', 0, 'unknown'), -- service_layers.csv:649, 10 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 14, 1, 0, 10234080, 10234080.0, 0.0, 10234080, 10234080, 'published', 0, 'unknown'), -- service_layers.csv:646, 20 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 20, 1, 0, 6795936, 6795936.0, 0.0, 6795936, 6795936, 'published', 0, 'unknown'), -- service_layers.csv:643, 30 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 27, 1, 0, 5509760, 5509760.0, 0.0, 5509760, 5509760, 'published', 0, 'unknown'), -- service_layers.csv:640, 40 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 34, 1, 0, 4815872, 4815872.0, 0.0, 4815872, 4815872, 'published', 0, 'unknown'), -- service_layers.csv:637, 50 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 41, 1, 0, 3601504, 3601504.0, 0.0, 3601504, 3601504, 'published', 0, 'unknown'), -- service_layers.csv:634, 60 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 48, 1, 0, 3660000, 3660000.0, 0.0, 3660000, 3660000, 'published', 0, 'unknown'), -- service_layers.csv:631, 70 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 54, 1, 0, 3593664, 3593664.0, 0.0, 3593664, 3593664, 'published', 0, 'unknown'), -- service_layers.csv:628, 80 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 61, 1, 0, 3588544, 3588544.0, 0.0, 3588544, 3588544, 'published', 0, 'unknown'), -- service_layers.csv:625, 90 %
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'mps', 68, 1, 0, 3573600, 3573600.0, 0.0, 3573600, 3573600, 'published', 0, 'unknown'), -- service_layers.csv:622, 100 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 7, 1, 0, 5106336, 5106336.0, 0.0, 5106336, 5106336, 'published', 0, 'unknown'), -- service_layers.csv:650, 10 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 14, 1, 0, 3022016, 3022016.0, 0.0, 3022016, 3022016, 'published', 0, 'unknown'), -- service_layers.csv:647, 20 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 20, 1, 0, 2033664, 2033664.0, 0.0, 2033664, 2033664, 'published', 0, 'unknown'), -- service_layers.csv:644, 30 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 27, 1, 0, 1702784, 1702784.0, 0.0, 1702784, 1702784, 'published', 0, 'unknown'), -- service_layers.csv:641, 40 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 34, 1, 0, 1429504, 1429504.0, 0.0, 1429504, 1429504, 'published', 0, 'unknown'), -- service_layers.csv:638, 50 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 41, 1, 0, 1216320, 1216320.0, 0.0, 1216320, 1216320, 'published', 0, 'unknown'), -- service_layers.csv:635, 60 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 48, 1, 0, 1150560, 1150560.0, 0.0, 1150560, 1150560, 'published', 0, 'unknown'), -- service_layers.csv:632, 70 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 54, 1, 0, 1132032, 1132032.0, 0.0, 1132032, 1132032, 'published', 0, 'unknown'), -- service_layers.csv:629, 80 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 61, 1, 0, 1099808, 1099808.0, 0.0, 1099808, 1099808, 'published', 0, 'unknown'), -- service_layers.csv:626, 90 %
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'mps', 68, 1, 0, 1129344, 1129344.0, 0.0, 1129344, 1129344, 'published', 0, 'unknown'), -- service_layers.csv:623, 100 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 7, 1, 0, 3205152, 3205152.0, 0.0, 3205152, 3205152, 'published', 0, 'unknown'), -- service_layers.csv:1408, 10 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 14, 1, 0, 1860352, 1860352.0, 0.0, 1860352, 1860352, 'published', 0, 'unknown'), -- service_layers.csv:1404, 20 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 20, 1, 0, 1174944, 1174944.0, 0.0, 1174944, 1174944, 'published', 0, 'unknown'), -- service_layers.csv:1400, 30 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 27, 1, 0, 934720, 934720.0, 0.0, 934720, 934720, 'published', 0, 'unknown'), -- service_layers.csv:1396, 40 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 34, 1, 0, 770848, 770848.0, 0.0, 770848, 770848, 'published', 0, 'unknown'), -- service_layers.csv:1392, 50 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 41, 1, 0, 630176, 630176.0, 0.0, 630176, 630176, 'published', 0, 'unknown'), -- service_layers.csv:1388, 60 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 48, 1, 0, 557568, 557568.0, 0.0, 557568, 557568, 'published', 0, 'unknown'), -- service_layers.csv:1384, 70 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 54, 1, 0, 480704, 480704.0, 0.0, 480704, 480704, 'published', 0, 'unknown'), -- service_layers.csv:1380, 80 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 61, 1, 0, 438560, 438560.0, 0.0, 438560, 438560, 'published', 0, 'unknown'), -- service_layers.csv:1376, 90 %
    ('dig', 32768, 'softmax_10x1x1', 'mps', 68, 1, 0, 413184, 413184.0, 0.0, 413184, 413184, 'published', 0, 'unknown'), -- service_layers.csv:1372, 100 %
    ('face', 32, 'add_16x63x63', 'mps', 7, 1, 0, 223904, 223904.0, 0.0, 223904, 223904, 'published', 0, 'unknown'), -- service_layers.csv:1333, 10 %
    ('face', 32, 'add_16x63x63', 'mps', 14, 1, 0, 150496, 150496.0, 0.0, 150496, 150496, 'published', 0, 'unknown'), -- service_layers.csv:1291, 20 %
    ('face', 32, 'add_16x63x63', 'mps', 20, 1, 0, 122752, 122752.0, 0.0, 122752, 122752, 'published', 0, 'unknown'), -- service_layers.csv:1249, 30 %
    ('face', 32, 'add_16x63x63', 'mps', 27, 1, 0, 110528, 110528.0, 0.0, 110528, 110528, 'published', 0, 'unknown'), -- service_layers.csv:1207, 40 %
    ('face', 32, 'add_16x63x63', 'mps', 34, 1, 0, 90528, 90528.0, 0.0, 90528, 90528, 'published', 0, 'unknown'), -- service_layers.csv:1165, 50 %
    ('face', 32, 'add_16x63x63', 'mps', 41, 1, 0, 100352, 100352.0, 0.0, 100352, 100352, 'published', 0, 'unknown'), -- service_layers.csv:1123, 60 %
    ('face', 32, 'add_16x63x63', 'mps', 48, 1, 0, 84736, 84736.0, 0.0, 84736, 84736, 'published', 0, 'unknown'), -- service_layers.csv:1081, 70 %
    ('face', 32, 'add_16x63x63', 'mps', 54, 1, 0, 80032, 80032.0, 0.0, 80032, 80032, 'published', 0, 'unknown'), -- service_layers.csv:1039, 80 %
    ('face', 32, 'add_16x63x63', 'mps', 61, 1, 0, 76352, 76352.0, 0.0, 76352, 76352, 'published', 0, 'unknown'), -- service_layers.csv:997, 90 %
    ('face', 32, 'add_16x63x63', 'mps', 68, 1, 0, 86656, 86656.0, 0.0, 86656, 86656, 'published', 0, 'unknown'), -- service_layers.csv:955, 100 %
    ('face', 32, 'add_32x142x142', 'mps', 7, 1, 0, 1865632, 1865632.0, 0.0, 1865632, 1865632, 'published', 0, 'unknown'), -- service_layers.csv:1332, 10 %
    ('face', 32, 'add_32x142x142', 'mps', 14, 1, 0, 1097120, 1097120.0, 0.0, 1097120, 1097120, 'published', 0, 'unknown'), -- service_layers.csv:1290, 20 %
    ('face', 32, 'add_32x142x142', 'mps', 20, 1, 0, 782112, 782112.0, 0.0, 782112, 782112, 'published', 0, 'unknown'), -- service_layers.csv:1248, 30 %
    ('face', 32, 'add_32x142x142', 'mps', 27, 1, 0, 639552, 639552.0, 0.0, 639552, 639552, 'published', 0, 'unknown'), -- service_layers.csv:1206, 40 %
    ('face', 32, 'add_32x142x142', 'mps', 34, 1, 0, 518688, 518688.0, 0.0, 518688, 518688, 'published', 0, 'unknown'), -- service_layers.csv:1164, 50 %
    ('face', 32, 'add_32x142x142', 'mps', 41, 1, 0, 478944, 478944.0, 0.0, 478944, 478944, 'published', 0, 'unknown'), -- service_layers.csv:1122, 60 %
    ('face', 32, 'add_32x142x142', 'mps', 48, 1, 0, 443456, 443456.0, 0.0, 443456, 443456, 'published', 0, 'unknown'), -- service_layers.csv:1080, 70 %
    ('face', 32, 'add_32x142x142', 'mps', 54, 1, 0, 429440, 429440.0, 0.0, 429440, 429440, 'published', 0, 'unknown'), -- service_layers.csv:1038, 80 %
    ('face', 32, 'add_32x142x142', 'mps', 61, 1, 0, 404448, 404448.0, 0.0, 404448, 404448, 'published', 0, 'unknown'), -- service_layers.csv:996, 90 %
    ('face', 32, 'add_32x142x142', 'mps', 68, 1, 0, 395712, 395712.0, 0.0, 395712, 395712, 'published', 0, 'unknown'), -- service_layers.csv:954, 100 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 7, 1, 0, 32897664, 32897664.0, 0.0, 32897664, 32897664, 'published', 0, 'unknown'), -- service_layers.csv:563, 10 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 14, 1, 0, 18887488, 18887488.0, 0.0, 18887488, 18887488, 'published', 0, 'unknown'), -- service_layers.csv:501, 20 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 20, 1, 0, 12101824, 12101824.0, 0.0, 12101824, 12101824, 'published', 0, 'unknown'), -- service_layers.csv:439, 30 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 27, 1, 0, 9518240, 9518240.0, 0.0, 9518240, 9518240, 'published', 0, 'unknown'), -- service_layers.csv:377, 40 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 34, 1, 0, 7856960, 7856960.0, 0.0, 7856960, 7856960, 'published', 0, 'unknown'), -- service_layers.csv:315, 50 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 41, 1, 0, 6465856, 6465856.0, 0.0, 6465856, 6465856, 'published', 0, 'unknown'), -- service_layers.csv:253, 60 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 48, 1, 0, 5702432, 5702432.0, 0.0, 5702432, 5702432, 'published', 0, 'unknown'), -- service_layers.csv:191, 70 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 54, 1, 0, 4920672, 4920672.0, 0.0, 4920672, 4920672, 'published', 0, 'unknown'), -- service_layers.csv:129, 80 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 61, 1, 0, 4528064, 4528064.0, 0.0, 4528064, 4528064, 'published', 0, 'unknown'), -- service_layers.csv:67, 90 %
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'mps', 68, 1, 0, 4128224, 4128224.0, 0.0, 4128224, 4128224, 'published', 0, 'unknown'), -- service_layers.csv:5, 100 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 7, 1, 0, 23058656, 23058656.0, 0.0, 23058656, 23058656, 'published', 0, 'unknown'), -- service_layers.csv:562, 10 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 14, 1, 0, 13291456, 13291456.0, 0.0, 13291456, 13291456, 'published', 0, 'unknown'), -- service_layers.csv:500, 20 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 20, 1, 0, 8489792, 8489792.0, 0.0, 8489792, 8489792, 'published', 0, 'unknown'), -- service_layers.csv:438, 30 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 27, 1, 0, 6674528, 6674528.0, 0.0, 6674528, 6674528, 'published', 0, 'unknown'), -- service_layers.csv:376, 40 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 34, 1, 0, 5541632, 5541632.0, 0.0, 5541632, 5541632, 'published', 0, 'unknown'), -- service_layers.csv:314, 50 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 41, 1, 0, 4482016, 4482016.0, 0.0, 4482016, 4482016, 'published', 0, 'unknown'), -- service_layers.csv:252, 60 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 48, 1, 0, 3927328, 3927328.0, 0.0, 3927328, 3927328, 'published', 0, 'unknown'), -- service_layers.csv:190, 70 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 54, 1, 0, 3399680, 3399680.0, 0.0, 3399680, 3399680, 'published', 0, 'unknown'), -- service_layers.csv:128, 80 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 61, 1, 0, 3079104, 3079104.0, 0.0, 3079104, 3079104, 'published', 0, 'unknown'), -- service_layers.csv:66, 90 %
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'mps', 68, 1, 0, 2819840, 2819840.0, 0.0, 2819840, 2819840, 'published', 0, 'unknown'), -- service_layers.csv:4, 100 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 7, 1, 0, 1674432, 1674432.0, 0.0, 1674432, 1674432, 'published', 0, 'unknown'), -- service_layers.csv:651, 10 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 14, 1, 0, 1009792, 1009792.0, 0.0, 1009792, 1009792, 'published', 0, 'unknown'), -- service_layers.csv:648, 20 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 20, 1, 0, 688512, 688512.0, 0.0, 688512, 688512, 'published', 0, 'unknown'), -- service_layers.csv:645, 30 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 27, 1, 0, 563872, 563872.0, 0.0, 563872, 563872, 'published', 0, 'unknown'), -- service_layers.csv:642, 40 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 34, 1, 0, 494784, 494784.0, 0.0, 494784, 494784, 'published', 0, 'unknown'), -- service_layers.csv:639, 50 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 41, 1, 0, 431648, 431648.0, 0.0, 431648, 431648, 'published', 0, 'unknown'), -- service_layers.csv:636, 60 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 48, 1, 0, 410240, 410240.0, 0.0, 410240, 410240, 'published', 0, 'unknown'), -- service_layers.csv:633, 70 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 54, 1, 0, 389184, 389184.0, 0.0, 389184, 389184, 'published', 0, 'unknown'), -- service_layers.csv:630, 80 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 61, 1, 0, 387840, 387840.0, 0.0, 387840, 387840, 'published', 0, 'unknown'), -- service_layers.csv:627, 90 %
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'mps', 68, 1, 0, 328672, 328672.0, 0.0, 328672, 328672, 'published', 0, 'unknown'), -- service_layers.csv:624, 100 %
    ('face', 32, 'softmax_83x1x1', 'mps', 7, 1, 0, 41472, 41472.0, 0.0, 41472, 41472, 'published', 0, 'unknown'), -- service_layers.csv:1409, 10 %
    ('face', 32, 'softmax_83x1x1', 'mps', 14, 1, 0, 28128, 28128.0, 0.0, 28128, 28128, 'published', 0, 'unknown'), -- service_layers.csv:1405, 20 %
    ('face', 32, 'softmax_83x1x1', 'mps', 20, 1, 0, 24960, 24960.0, 0.0, 24960, 24960, 'published', 0, 'unknown'), -- service_layers.csv:1401, 30 %
    ('face', 32, 'softmax_83x1x1', 'mps', 27, 1, 0, 26208, 26208.0, 0.0, 26208, 26208, 'published', 0, 'unknown'), -- service_layers.csv:1397, 40 %
    ('face', 32, 'softmax_83x1x1', 'mps', 34, 1, 0, 27648, 27648.0, 0.0, 27648, 27648, 'published', 0, 'unknown'), -- service_layers.csv:1393, 50 %
    ('face', 32, 'softmax_83x1x1', 'mps', 41, 1, 0, 27424, 27424.0, 0.0, 27424, 27424, 'published', 0, 'unknown'), -- service_layers.csv:1389, 60 %
    ('face', 32, 'softmax_83x1x1', 'mps', 48, 1, 0, 26496, 26496.0, 0.0, 26496, 26496, 'published', 0, 'unknown'), -- service_layers.csv:1385, 70 %
    ('face', 32, 'softmax_83x1x1', 'mps', 54, 1, 0, 28192, 28192.0, 0.0, 28192, 28192, 'published', 0, 'unknown'), -- service_layers.csv:1381, 80 %
    ('face', 32, 'softmax_83x1x1', 'mps', 61, 1, 0, 43680, 43680.0, 0.0, 43680, 43680, 'published', 0, 'unknown'), -- service_layers.csv:1377, 90 %
    ('face', 32, 'softmax_83x1x1', 'mps', 68, 1, 0, 30912, 30912.0, 0.0, 30912, 30912, 'published', 0, 'unknown'), -- service_layers.csv:1373, 100 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 7, 1, 0, 326528, 326528.0, 0.0, 326528, 326528, 'published', 0, 'unknown'), -- service_layers.csv:1350, 10 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 14, 1, 0, 223552, 223552.0, 0.0, 223552, 223552, 'published', 0, 'unknown'), -- service_layers.csv:1308, 20 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 20, 1, 0, 169440, 169440.0, 0.0, 169440, 169440, 'published', 0, 'unknown'), -- service_layers.csv:1266, 30 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 27, 1, 0, 139040, 139040.0, 0.0, 139040, 139040, 'published', 0, 'unknown'), -- service_layers.csv:1224, 40 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 34, 1, 0, 136096, 136096.0, 0.0, 136096, 136096, 'published', 0, 'unknown'), -- service_layers.csv:1182, 50 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 41, 1, 0, 153632, 153632.0, 0.0, 153632, 153632, 'published', 0, 'unknown'), -- service_layers.csv:1140, 60 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 48, 1, 0, 114080, 114080.0, 0.0, 114080, 114080, 'published', 0, 'unknown'), -- service_layers.csv:1098, 70 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 54, 1, 0, 92704, 92704.0, 0.0, 92704, 92704, 'published', 0, 'unknown'), -- service_layers.csv:1056, 80 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 61, 1, 0, 108448, 108448.0, 0.0, 108448, 108448, 'published', 0, 'unknown'), -- service_layers.csv:1014, 90 %
    ('googlenet', 144, 'add_112x14x14', 'mps', 68, 1, 0, 90848, 90848.0, 0.0, 90848, 90848, 'published', 0, 'unknown'), -- service_layers.csv:972, 100 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 7, 1, 0, 353760, 353760.0, 0.0, 353760, 353760, 'published', 0, 'unknown'), -- service_layers.csv:1353, 10 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 14, 1, 0, 239680, 239680.0, 0.0, 239680, 239680, 'published', 0, 'unknown'), -- service_layers.csv:1311, 20 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 20, 1, 0, 175872, 175872.0, 0.0, 175872, 175872, 'published', 0, 'unknown'), -- service_layers.csv:1269, 30 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 27, 1, 0, 156672, 156672.0, 0.0, 156672, 156672, 'published', 0, 'unknown'), -- service_layers.csv:1227, 40 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 34, 1, 0, 151104, 151104.0, 0.0, 151104, 151104, 'published', 0, 'unknown'), -- service_layers.csv:1185, 50 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 41, 1, 0, 133760, 133760.0, 0.0, 133760, 133760, 'published', 0, 'unknown'), -- service_layers.csv:1143, 60 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 48, 1, 0, 121216, 121216.0, 0.0, 121216, 121216, 'published', 0, 'unknown'), -- service_layers.csv:1101, 70 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 54, 1, 0, 124544, 124544.0, 0.0, 124544, 124544, 'published', 0, 'unknown'), -- service_layers.csv:1059, 80 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 61, 1, 0, 117024, 117024.0, 0.0, 117024, 117024, 'published', 0, 'unknown'), -- service_layers.csv:1017, 90 %
    ('googlenet', 144, 'add_128x14x14', 'mps', 68, 1, 0, 108448, 108448.0, 0.0, 108448, 108448, 'published', 0, 'unknown'), -- service_layers.csv:975, 100 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 7, 1, 0, 1341920, 1341920.0, 0.0, 1341920, 1341920, 'published', 0, 'unknown'), -- service_layers.csv:1339, 10 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 14, 1, 0, 819488, 819488.0, 0.0, 819488, 819488, 'published', 0, 'unknown'), -- service_layers.csv:1297, 20 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 20, 1, 0, 577184, 577184.0, 0.0, 577184, 577184, 'published', 0, 'unknown'), -- service_layers.csv:1255, 30 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 27, 1, 0, 483584, 483584.0, 0.0, 483584, 483584, 'published', 0, 'unknown'), -- service_layers.csv:1213, 40 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 34, 1, 0, 420864, 420864.0, 0.0, 420864, 420864, 'published', 0, 'unknown'), -- service_layers.csv:1171, 50 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 41, 1, 0, 358368, 358368.0, 0.0, 358368, 358368, 'published', 0, 'unknown'), -- service_layers.csv:1129, 60 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 48, 1, 0, 342560, 342560.0, 0.0, 342560, 342560, 'published', 0, 'unknown'), -- service_layers.csv:1087, 70 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 54, 1, 0, 318720, 318720.0, 0.0, 318720, 318720, 'published', 0, 'unknown'), -- service_layers.csv:1045, 80 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 61, 1, 0, 271296, 271296.0, 0.0, 271296, 271296, 'published', 0, 'unknown'), -- service_layers.csv:1003, 90 %
    ('googlenet', 144, 'add_128x28x28', 'mps', 68, 1, 0, 307008, 307008.0, 0.0, 307008, 307008, 'published', 0, 'unknown'), -- service_layers.csv:961, 100 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 7, 1, 0, 110048, 110048.0, 0.0, 110048, 110048, 'published', 0, 'unknown'), -- service_layers.csv:1363, 10 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 14, 1, 0, 94304, 94304.0, 0.0, 94304, 94304, 'published', 0, 'unknown'), -- service_layers.csv:1321, 20 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 20, 1, 0, 92384, 92384.0, 0.0, 92384, 92384, 'published', 0, 'unknown'), -- service_layers.csv:1279, 30 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 27, 1, 0, 68224, 68224.0, 0.0, 68224, 68224, 'published', 0, 'unknown'), -- service_layers.csv:1237, 40 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 34, 1, 0, 68160, 68160.0, 0.0, 68160, 68160, 'published', 0, 'unknown'), -- service_layers.csv:1195, 50 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 41, 1, 0, 60064, 60064.0, 0.0, 60064, 60064, 'published', 0, 'unknown'), -- service_layers.csv:1153, 60 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 48, 1, 0, 72992, 72992.0, 0.0, 72992, 72992, 'published', 0, 'unknown'), -- service_layers.csv:1111, 70 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 54, 1, 0, 64352, 64352.0, 0.0, 64352, 64352, 'published', 0, 'unknown'), -- service_layers.csv:1069, 80 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 61, 1, 0, 61088, 61088.0, 0.0, 61088, 61088, 'published', 0, 'unknown'), -- service_layers.csv:1027, 90 %
    ('googlenet', 144, 'add_128x7x7', 'mps', 68, 1, 0, 62016, 62016.0, 0.0, 62016, 62016, 'published', 0, 'unknown'), -- service_layers.csv:985, 100 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 7, 1, 0, 408576, 408576.0, 0.0, 408576, 408576, 'published', 0, 'unknown'), -- service_layers.csv:1355, 10 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 14, 1, 0, 263072, 263072.0, 0.0, 263072, 263072, 'published', 0, 'unknown'), -- service_layers.csv:1313, 20 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 20, 1, 0, 196960, 196960.0, 0.0, 196960, 196960, 'published', 0, 'unknown'), -- service_layers.csv:1271, 30 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 27, 1, 0, 156768, 156768.0, 0.0, 156768, 156768, 'published', 0, 'unknown'), -- service_layers.csv:1229, 40 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 34, 1, 0, 146208, 146208.0, 0.0, 146208, 146208, 'published', 0, 'unknown'), -- service_layers.csv:1187, 50 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 41, 1, 0, 121216, 121216.0, 0.0, 121216, 121216, 'published', 0, 'unknown'), -- service_layers.csv:1145, 60 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 48, 1, 0, 132992, 132992.0, 0.0, 132992, 132992, 'published', 0, 'unknown'), -- service_layers.csv:1103, 70 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 54, 1, 0, 119136, 119136.0, 0.0, 119136, 119136, 'published', 0, 'unknown'), -- service_layers.csv:1061, 80 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 61, 1, 0, 122912, 122912.0, 0.0, 122912, 122912, 'published', 0, 'unknown'), -- service_layers.csv:1019, 90 %
    ('googlenet', 144, 'add_144x14x14', 'mps', 68, 1, 0, 119584, 119584.0, 0.0, 119584, 119584, 'published', 0, 'unknown'), -- service_layers.csv:977, 100 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 7, 1, 0, 446176, 446176.0, 0.0, 446176, 446176, 'published', 0, 'unknown'), -- service_layers.csv:1349, 10 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 14, 1, 0, 275552, 275552.0, 0.0, 275552, 275552, 'published', 0, 'unknown'), -- service_layers.csv:1307, 20 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 20, 1, 0, 199296, 199296.0, 0.0, 199296, 199296, 'published', 0, 'unknown'), -- service_layers.csv:1265, 30 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 27, 1, 0, 184544, 184544.0, 0.0, 184544, 184544, 'published', 0, 'unknown'), -- service_layers.csv:1223, 40 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 34, 1, 0, 164544, 164544.0, 0.0, 164544, 164544, 'published', 0, 'unknown'), -- service_layers.csv:1181, 50 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 41, 1, 0, 137792, 137792.0, 0.0, 137792, 137792, 'published', 0, 'unknown'), -- service_layers.csv:1139, 60 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 48, 1, 0, 129984, 129984.0, 0.0, 129984, 129984, 'published', 0, 'unknown'), -- service_layers.csv:1097, 70 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 54, 1, 0, 133984, 133984.0, 0.0, 133984, 133984, 'published', 0, 'unknown'), -- service_layers.csv:1055, 80 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 61, 1, 0, 162720, 162720.0, 0.0, 162720, 162720, 'published', 0, 'unknown'), -- service_layers.csv:1013, 90 %
    ('googlenet', 144, 'add_160x14x14', 'mps', 68, 1, 0, 124800, 124800.0, 0.0, 124800, 124800, 'published', 0, 'unknown'), -- service_layers.csv:971, 100 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 7, 1, 0, 133664, 133664.0, 0.0, 133664, 133664, 'published', 0, 'unknown'), -- service_layers.csv:1360, 10 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 14, 1, 0, 98048, 98048.0, 0.0, 98048, 98048, 'published', 0, 'unknown'), -- service_layers.csv:1318, 20 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 20, 1, 0, 89856, 89856.0, 0.0, 89856, 89856, 'published', 0, 'unknown'), -- service_layers.csv:1276, 30 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 27, 1, 0, 79680, 79680.0, 0.0, 79680, 79680, 'published', 0, 'unknown'), -- service_layers.csv:1234, 40 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 34, 1, 0, 78720, 78720.0, 0.0, 78720, 78720, 'published', 0, 'unknown'), -- service_layers.csv:1192, 50 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 41, 1, 0, 69088, 69088.0, 0.0, 69088, 69088, 'published', 0, 'unknown'), -- service_layers.csv:1150, 60 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 48, 1, 0, 66176, 66176.0, 0.0, 66176, 66176, 'published', 0, 'unknown'), -- service_layers.csv:1108, 70 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 54, 1, 0, 66656, 66656.0, 0.0, 66656, 66656, 'published', 0, 'unknown'), -- service_layers.csv:1066, 80 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 61, 1, 0, 88288, 88288.0, 0.0, 88288, 88288, 'published', 0, 'unknown'), -- service_layers.csv:1024, 90 %
    ('googlenet', 144, 'add_160x7x7', 'mps', 68, 1, 0, 68768, 68768.0, 0.0, 68768, 68768, 'published', 0, 'unknown'), -- service_layers.csv:982, 100 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 7, 1, 0, 81696, 81696.0, 0.0, 81696, 81696, 'published', 0, 'unknown'), -- service_layers.csv:1346, 10 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 14, 1, 0, 85632, 85632.0, 0.0, 85632, 85632, 'published', 0, 'unknown'), -- service_layers.csv:1304, 20 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 20, 1, 0, 60032, 60032.0, 0.0, 60032, 60032, 'published', 0, 'unknown'), -- service_layers.csv:1262, 30 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 27, 1, 0, 61792, 61792.0, 0.0, 61792, 61792, 'published', 0, 'unknown'), -- service_layers.csv:1220, 40 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 34, 1, 0, 64224, 64224.0, 0.0, 64224, 64224, 'published', 0, 'unknown'), -- service_layers.csv:1178, 50 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 41, 1, 0, 61312, 61312.0, 0.0, 61312, 61312, 'published', 0, 'unknown'), -- service_layers.csv:1136, 60 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 48, 1, 0, 55968, 55968.0, 0.0, 55968, 55968, 'published', 0, 'unknown'), -- service_layers.csv:1094, 70 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 54, 1, 0, 64576, 64576.0, 0.0, 64576, 64576, 'published', 0, 'unknown'), -- service_layers.csv:1052, 80 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 61, 1, 0, 60288, 60288.0, 0.0, 60288, 60288, 'published', 0, 'unknown'), -- service_layers.csv:1010, 90 %
    ('googlenet', 144, 'add_16x14x14', 'mps', 68, 1, 0, 44096, 44096.0, 0.0, 44096, 44096, 'published', 0, 'unknown'), -- service_layers.csv:968, 100 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 7, 1, 0, 209216, 209216.0, 0.0, 209216, 209216, 'published', 0, 'unknown'), -- service_layers.csv:1340, 10 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 14, 1, 0, 143488, 143488.0, 0.0, 143488, 143488, 'published', 0, 'unknown'), -- service_layers.csv:1298, 20 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 20, 1, 0, 116576, 116576.0, 0.0, 116576, 116576, 'published', 0, 'unknown'), -- service_layers.csv:1256, 30 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 27, 1, 0, 106336, 106336.0, 0.0, 106336, 106336, 'published', 0, 'unknown'), -- service_layers.csv:1214, 40 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 34, 1, 0, 95936, 95936.0, 0.0, 95936, 95936, 'published', 0, 'unknown'), -- service_layers.csv:1172, 50 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 41, 1, 0, 77024, 77024.0, 0.0, 77024, 77024, 'published', 0, 'unknown'), -- service_layers.csv:1130, 60 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 48, 1, 0, 80128, 80128.0, 0.0, 80128, 80128, 'published', 0, 'unknown'), -- service_layers.csv:1088, 70 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 54, 1, 0, 75808, 75808.0, 0.0, 75808, 75808, 'published', 0, 'unknown'), -- service_layers.csv:1046, 80 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 61, 1, 0, 76960, 76960.0, 0.0, 76960, 76960, 'published', 0, 'unknown'), -- service_layers.csv:1004, 90 %
    ('googlenet', 144, 'add_16x28x28', 'mps', 68, 1, 0, 77824, 77824.0, 0.0, 77824, 77824, 'published', 0, 'unknown'), -- service_layers.csv:962, 100 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 7, 1, 0, 564800, 564800.0, 0.0, 564800, 564800, 'published', 0, 'unknown'), -- service_layers.csv:1343, 10 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 14, 1, 0, 358240, 358240.0, 0.0, 358240, 358240, 'published', 0, 'unknown'), -- service_layers.csv:1301, 20 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 20, 1, 0, 281280, 281280.0, 0.0, 281280, 281280, 'published', 0, 'unknown'), -- service_layers.csv:1259, 30 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 27, 1, 0, 232192, 232192.0, 0.0, 232192, 232192, 'published', 0, 'unknown'), -- service_layers.csv:1217, 40 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 34, 1, 0, 218976, 218976.0, 0.0, 218976, 218976, 'published', 0, 'unknown'), -- service_layers.csv:1175, 50 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 41, 1, 0, 196608, 196608.0, 0.0, 196608, 196608, 'published', 0, 'unknown'), -- service_layers.csv:1133, 60 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 48, 1, 0, 179392, 179392.0, 0.0, 179392, 179392, 'published', 0, 'unknown'), -- service_layers.csv:1091, 70 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 54, 1, 0, 141312, 141312.0, 0.0, 141312, 141312, 'published', 0, 'unknown'), -- service_layers.csv:1049, 80 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 61, 1, 0, 169312, 169312.0, 0.0, 169312, 169312, 'published', 0, 'unknown'), -- service_layers.csv:1007, 90 %
    ('googlenet', 144, 'add_192x14x14', 'mps', 68, 1, 0, 172704, 172704.0, 0.0, 172704, 172704, 'published', 0, 'unknown'), -- service_layers.csv:965, 100 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 7, 1, 0, 1950976, 1950976.0, 0.0, 1950976, 1950976, 'published', 0, 'unknown'), -- service_layers.csv:1342, 10 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 14, 1, 0, 1194496, 1194496.0, 0.0, 1194496, 1194496, 'published', 0, 'unknown'), -- service_layers.csv:1300, 20 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 20, 1, 0, 822368, 822368.0, 0.0, 822368, 822368, 'published', 0, 'unknown'), -- service_layers.csv:1258, 30 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 27, 1, 0, 669984, 669984.0, 0.0, 669984, 669984, 'published', 0, 'unknown'), -- service_layers.csv:1216, 40 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 34, 1, 0, 583712, 583712.0, 0.0, 583712, 583712, 'published', 0, 'unknown'), -- service_layers.csv:1174, 50 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 41, 1, 0, 487040, 487040.0, 0.0, 487040, 487040, 'published', 0, 'unknown'), -- service_layers.csv:1132, 60 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 48, 1, 0, 459712, 459712.0, 0.0, 459712, 459712, 'published', 0, 'unknown'), -- service_layers.csv:1090, 70 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 54, 1, 0, 428416, 428416.0, 0.0, 428416, 428416, 'published', 0, 'unknown'), -- service_layers.csv:1048, 80 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 61, 1, 0, 414272, 414272.0, 0.0, 414272, 414272, 'published', 0, 'unknown'), -- service_layers.csv:1006, 90 %
    ('googlenet', 144, 'add_192x28x28', 'mps', 68, 1, 0, 449792, 449792.0, 0.0, 449792, 449792, 'published', 0, 'unknown'), -- service_layers.csv:964, 100 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 7, 1, 0, 7954912, 7954912.0, 0.0, 7954912, 7954912, 'published', 0, 'unknown'), -- service_layers.csv:1336, 10 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 14, 1, 0, 4754784, 4754784.0, 0.0, 4754784, 4754784, 'published', 0, 'unknown'), -- service_layers.csv:1294, 20 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 20, 1, 0, 3152224, 3152224.0, 0.0, 3152224, 3152224, 'published', 0, 'unknown'), -- service_layers.csv:1252, 30 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 27, 1, 0, 2550080, 2550080.0, 0.0, 2550080, 2550080, 'published', 0, 'unknown'), -- service_layers.csv:1210, 40 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 34, 1, 0, 2139264, 2139264.0, 0.0, 2139264, 2139264, 'published', 0, 'unknown'), -- service_layers.csv:1168, 50 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 41, 1, 0, 1788320, 1788320.0, 0.0, 1788320, 1788320, 'published', 0, 'unknown'), -- service_layers.csv:1126, 60 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 48, 1, 0, 1619040, 1619040.0, 0.0, 1619040, 1619040, 'published', 0, 'unknown'), -- service_layers.csv:1084, 70 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 54, 1, 0, 1478976, 1478976.0, 0.0, 1478976, 1478976, 'published', 0, 'unknown'), -- service_layers.csv:1042, 80 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 61, 1, 0, 1443776, 1443776.0, 0.0, 1443776, 1443776, 'published', 0, 'unknown'), -- service_layers.csv:1000, 90 %
    ('googlenet', 144, 'add_192x57x57', 'mps', 68, 1, 0, 1393120, 1393120.0, 0.0, 1393120, 1393120, 'published', 0, 'unknown'), -- service_layers.csv:958, 100 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 7, 1, 0, 166720, 166720.0, 0.0, 166720, 166720, 'published', 0, 'unknown'), -- service_layers.csv:1365, 10 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 14, 1, 0, 115136, 115136.0, 0.0, 115136, 115136, 'published', 0, 'unknown'), -- service_layers.csv:1323, 20 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 20, 1, 0, 95104, 95104.0, 0.0, 95104, 95104, 'published', 0, 'unknown'), -- service_layers.csv:1281, 30 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 27, 1, 0, 74336, 74336.0, 0.0, 74336, 74336, 'published', 0, 'unknown'), -- service_layers.csv:1239, 40 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 34, 1, 0, 83328, 83328.0, 0.0, 83328, 83328, 'published', 0, 'unknown'), -- service_layers.csv:1197, 50 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 41, 1, 0, 83360, 83360.0, 0.0, 83360, 83360, 'published', 0, 'unknown'), -- service_layers.csv:1155, 60 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 48, 1, 0, 74400, 74400.0, 0.0, 74400, 74400, 'published', 0, 'unknown'), -- service_layers.csv:1113, 70 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 54, 1, 0, 74432, 74432.0, 0.0, 74432, 74432, 'published', 0, 'unknown'), -- service_layers.csv:1071, 80 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 61, 1, 0, 71936, 71936.0, 0.0, 71936, 71936, 'published', 0, 'unknown'), -- service_layers.csv:1029, 90 %
    ('googlenet', 144, 'add_192x7x7', 'mps', 68, 1, 0, 67360, 67360.0, 0.0, 67360, 67360, 'published', 0, 'unknown'), -- service_layers.csv:987, 100 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 7, 1, 0, 603200, 603200.0, 0.0, 603200, 603200, 'published', 0, 'unknown'), -- service_layers.csv:1345, 10 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 14, 1, 0, 351232, 351232.0, 0.0, 351232, 351232, 'published', 0, 'unknown'), -- service_layers.csv:1303, 20 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 20, 1, 0, 288672, 288672.0, 0.0, 288672, 288672, 'published', 0, 'unknown'), -- service_layers.csv:1261, 30 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 27, 1, 0, 240416, 240416.0, 0.0, 240416, 240416, 'published', 0, 'unknown'), -- service_layers.csv:1219, 40 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 34, 1, 0, 218432, 218432.0, 0.0, 218432, 218432, 'published', 0, 'unknown'), -- service_layers.csv:1177, 50 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 41, 1, 0, 201600, 201600.0, 0.0, 201600, 201600, 'published', 0, 'unknown'), -- service_layers.csv:1135, 60 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 48, 1, 0, 187488, 187488.0, 0.0, 187488, 187488, 'published', 0, 'unknown'), -- service_layers.csv:1093, 70 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 54, 1, 0, 187264, 187264.0, 0.0, 187264, 187264, 'published', 0, 'unknown'), -- service_layers.csv:1051, 80 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 61, 1, 0, 180992, 180992.0, 0.0, 180992, 180992, 'published', 0, 'unknown'), -- service_layers.csv:1009, 90 %
    ('googlenet', 144, 'add_208x14x14', 'mps', 68, 1, 0, 182656, 182656.0, 0.0, 182656, 182656, 'published', 0, 'unknown'), -- service_layers.csv:967, 100 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 7, 1, 0, 631136, 631136.0, 0.0, 631136, 631136, 'published', 0, 'unknown'), -- service_layers.csv:1351, 10 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 14, 1, 0, 422624, 422624.0, 0.0, 422624, 422624, 'published', 0, 'unknown'), -- service_layers.csv:1309, 20 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 20, 1, 0, 302592, 302592.0, 0.0, 302592, 302592, 'published', 0, 'unknown'), -- service_layers.csv:1267, 30 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 27, 1, 0, 254432, 254432.0, 0.0, 254432, 254432, 'published', 0, 'unknown'), -- service_layers.csv:1225, 40 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 34, 1, 0, 204128, 204128.0, 0.0, 204128, 204128, 'published', 0, 'unknown'), -- service_layers.csv:1183, 50 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 41, 1, 0, 185184, 185184.0, 0.0, 185184, 185184, 'published', 0, 'unknown'), -- service_layers.csv:1141, 60 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 48, 1, 0, 198976, 198976.0, 0.0, 198976, 198976, 'published', 0, 'unknown'), -- service_layers.csv:1099, 70 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 54, 1, 0, 191968, 191968.0, 0.0, 191968, 191968, 'published', 0, 'unknown'), -- service_layers.csv:1057, 80 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 61, 1, 0, 195360, 195360.0, 0.0, 195360, 195360, 'published', 0, 'unknown'), -- service_layers.csv:1015, 90 %
    ('googlenet', 144, 'add_224x14x14', 'mps', 68, 1, 0, 189440, 189440.0, 0.0, 189440, 189440, 'published', 0, 'unknown'), -- service_layers.csv:973, 100 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 7, 1, 0, 110432, 110432.0, 0.0, 110432, 110432, 'published', 0, 'unknown'), -- service_layers.csv:1352, 10 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 14, 1, 0, 75616, 75616.0, 0.0, 75616, 75616, 'published', 0, 'unknown'), -- service_layers.csv:1310, 20 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 20, 1, 0, 72416, 72416.0, 0.0, 72416, 72416, 'published', 0, 'unknown'), -- service_layers.csv:1268, 30 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 27, 1, 0, 65760, 65760.0, 0.0, 65760, 65760, 'published', 0, 'unknown'), -- service_layers.csv:1226, 40 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 34, 1, 0, 68832, 68832.0, 0.0, 68832, 68832, 'published', 0, 'unknown'), -- service_layers.csv:1184, 50 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 41, 1, 0, 61664, 61664.0, 0.0, 61664, 61664, 'published', 0, 'unknown'), -- service_layers.csv:1142, 60 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 48, 1, 0, 62560, 62560.0, 0.0, 62560, 62560, 'published', 0, 'unknown'), -- service_layers.csv:1100, 70 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 54, 1, 0, 48960, 48960.0, 0.0, 48960, 48960, 'published', 0, 'unknown'), -- service_layers.csv:1058, 80 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 61, 1, 0, 60672, 60672.0, 0.0, 60672, 60672, 'published', 0, 'unknown'), -- service_layers.csv:1016, 90 %
    ('googlenet', 144, 'add_24x14x14', 'mps', 68, 1, 0, 65792, 65792.0, 0.0, 65792, 65792, 'published', 0, 'unknown'), -- service_layers.csv:974, 100 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 7, 1, 0, 711584, 711584.0, 0.0, 711584, 711584, 'published', 0, 'unknown'), -- service_layers.csv:1354, 10 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 14, 1, 0, 454016, 454016.0, 0.0, 454016, 454016, 'published', 0, 'unknown'), -- service_layers.csv:1312, 20 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 20, 1, 0, 340480, 340480.0, 0.0, 340480, 340480, 'published', 0, 'unknown'), -- service_layers.csv:1270, 30 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 27, 1, 0, 288320, 288320.0, 0.0, 288320, 288320, 'published', 0, 'unknown'), -- service_layers.csv:1228, 40 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 34, 1, 0, 264480, 264480.0, 0.0, 264480, 264480, 'published', 0, 'unknown'), -- service_layers.csv:1186, 50 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 41, 1, 0, 242432, 242432.0, 0.0, 242432, 242432, 'published', 0, 'unknown'), -- service_layers.csv:1144, 60 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 48, 1, 0, 175776, 175776.0, 0.0, 175776, 175776, 'published', 0, 'unknown'), -- service_layers.csv:1102, 70 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 54, 1, 0, 209120, 209120.0, 0.0, 209120, 209120, 'published', 0, 'unknown'), -- service_layers.csv:1060, 80 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 61, 1, 0, 161792, 161792.0, 0.0, 161792, 161792, 'published', 0, 'unknown'), -- service_layers.csv:1018, 90 %
    ('googlenet', 144, 'add_256x14x14', 'mps', 68, 1, 0, 199872, 199872.0, 0.0, 199872, 199872, 'published', 0, 'unknown'), -- service_layers.csv:976, 100 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 7, 1, 0, 208320, 208320.0, 0.0, 208320, 208320, 'published', 0, 'unknown'), -- service_layers.csv:1359, 10 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 14, 1, 0, 151040, 151040.0, 0.0, 151040, 151040, 'published', 0, 'unknown'), -- service_layers.csv:1317, 20 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 20, 1, 0, 115680, 115680.0, 0.0, 115680, 115680, 'published', 0, 'unknown'), -- service_layers.csv:1275, 30 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 27, 1, 0, 93888, 93888.0, 0.0, 93888, 93888, 'published', 0, 'unknown'), -- service_layers.csv:1233, 40 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 34, 1, 0, 93728, 93728.0, 0.0, 93728, 93728, 'published', 0, 'unknown'), -- service_layers.csv:1191, 50 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 41, 1, 0, 96288, 96288.0, 0.0, 96288, 96288, 'published', 0, 'unknown'), -- service_layers.csv:1149, 60 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 48, 1, 0, 82848, 82848.0, 0.0, 82848, 82848, 'published', 0, 'unknown'), -- service_layers.csv:1107, 70 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 54, 1, 0, 78912, 78912.0, 0.0, 78912, 78912, 'published', 0, 'unknown'), -- service_layers.csv:1065, 80 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 61, 1, 0, 83520, 83520.0, 0.0, 83520, 83520, 'published', 0, 'unknown'), -- service_layers.csv:1023, 90 %
    ('googlenet', 144, 'add_256x7x7', 'mps', 68, 1, 0, 79456, 79456.0, 0.0, 79456, 79456, 'published', 0, 'unknown'), -- service_layers.csv:981, 100 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 7, 1, 0, 806848, 806848.0, 0.0, 806848, 806848, 'published', 0, 'unknown'), -- service_layers.csv:1356, 10 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 14, 1, 0, 502912, 502912.0, 0.0, 502912, 502912, 'published', 0, 'unknown'), -- service_layers.csv:1314, 20 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 20, 1, 0, 367680, 367680.0, 0.0, 367680, 367680, 'published', 0, 'unknown'), -- service_layers.csv:1272, 30 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 27, 1, 0, 302048, 302048.0, 0.0, 302048, 302048, 'published', 0, 'unknown'), -- service_layers.csv:1230, 40 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 34, 1, 0, 277280, 277280.0, 0.0, 277280, 277280, 'published', 0, 'unknown'), -- service_layers.csv:1188, 50 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 41, 1, 0, 210944, 210944.0, 0.0, 210944, 210944, 'published', 0, 'unknown'), -- service_layers.csv:1146, 60 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 48, 1, 0, 231584, 231584.0, 0.0, 231584, 231584, 'published', 0, 'unknown'), -- service_layers.csv:1104, 70 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 54, 1, 0, 219040, 219040.0, 0.0, 219040, 219040, 'published', 0, 'unknown'), -- service_layers.csv:1062, 80 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 61, 1, 0, 215424, 215424.0, 0.0, 215424, 215424, 'published', 0, 'unknown'), -- service_layers.csv:1020, 90 %
    ('googlenet', 144, 'add_288x14x14', 'mps', 68, 1, 0, 207584, 207584.0, 0.0, 207584, 207584, 'published', 0, 'unknown'), -- service_layers.csv:978, 100 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 7, 1, 0, 862176, 862176.0, 0.0, 862176, 862176, 'published', 0, 'unknown'), -- service_layers.csv:1358, 10 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 14, 1, 0, 547744, 547744.0, 0.0, 547744, 547744, 'published', 0, 'unknown'), -- service_layers.csv:1316, 20 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 20, 1, 0, 362432, 362432.0, 0.0, 362432, 362432, 'published', 0, 'unknown'), -- service_layers.csv:1274, 30 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 27, 1, 0, 337920, 337920.0, 0.0, 337920, 337920, 'published', 0, 'unknown'), -- service_layers.csv:1232, 40 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 34, 1, 0, 344928, 344928.0, 0.0, 344928, 344928, 'published', 0, 'unknown'), -- service_layers.csv:1190, 50 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 41, 1, 0, 260288, 260288.0, 0.0, 260288, 260288, 'published', 0, 'unknown'), -- service_layers.csv:1148, 60 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 48, 1, 0, 253280, 253280.0, 0.0, 253280, 253280, 'published', 0, 'unknown'), -- service_layers.csv:1106, 70 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 54, 1, 0, 239392, 239392.0, 0.0, 239392, 239392, 'published', 0, 'unknown'), -- service_layers.csv:1064, 80 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 61, 1, 0, 192320, 192320.0, 0.0, 192320, 192320, 'published', 0, 'unknown'), -- service_layers.csv:1022, 90 %
    ('googlenet', 144, 'add_320x14x14', 'mps', 68, 1, 0, 226048, 226048.0, 0.0, 226048, 226048, 'published', 0, 'unknown'), -- service_layers.csv:980, 100 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 7, 1, 0, 247232, 247232.0, 0.0, 247232, 247232, 'published', 0, 'unknown'), -- service_layers.csv:1361, 10 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 14, 1, 0, 176288, 176288.0, 0.0, 176288, 176288, 'published', 0, 'unknown'), -- service_layers.csv:1319, 20 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 20, 1, 0, 131872, 131872.0, 0.0, 131872, 131872, 'published', 0, 'unknown'), -- service_layers.csv:1277, 30 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 27, 1, 0, 127168, 127168.0, 0.0, 127168, 127168, 'published', 0, 'unknown'), -- service_layers.csv:1235, 40 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 34, 1, 0, 111104, 111104.0, 0.0, 111104, 111104, 'published', 0, 'unknown'), -- service_layers.csv:1193, 50 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 41, 1, 0, 100544, 100544.0, 0.0, 100544, 100544, 'published', 0, 'unknown'), -- service_layers.csv:1151, 60 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 48, 1, 0, 101120, 101120.0, 0.0, 101120, 101120, 'published', 0, 'unknown'), -- service_layers.csv:1109, 70 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 54, 1, 0, 98208, 98208.0, 0.0, 98208, 98208, 'published', 0, 'unknown'), -- service_layers.csv:1067, 80 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 61, 1, 0, 97952, 97952.0, 0.0, 97952, 97952, 'published', 0, 'unknown'), -- service_layers.csv:1025, 90 %
    ('googlenet', 144, 'add_320x7x7', 'mps', 68, 1, 0, 76672, 76672.0, 0.0, 76672, 76672, 'published', 0, 'unknown'), -- service_layers.csv:983, 100 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 7, 1, 0, 124288, 124288.0, 0.0, 124288, 124288, 'published', 0, 'unknown'), -- service_layers.csv:1357, 10 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 14, 1, 0, 96608, 96608.0, 0.0, 96608, 96608, 'published', 0, 'unknown'), -- service_layers.csv:1315, 20 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 20, 1, 0, 77024, 77024.0, 0.0, 77024, 77024, 'published', 0, 'unknown'), -- service_layers.csv:1273, 30 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 27, 1, 0, 70432, 70432.0, 0.0, 70432, 70432, 'published', 0, 'unknown'), -- service_layers.csv:1231, 40 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 34, 1, 0, 67904, 67904.0, 0.0, 67904, 67904, 'published', 0, 'unknown'), -- service_layers.csv:1189, 50 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 41, 1, 0, 66112, 66112.0, 0.0, 66112, 66112, 'published', 0, 'unknown'), -- service_layers.csv:1147, 60 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 48, 1, 0, 70976, 70976.0, 0.0, 70976, 70976, 'published', 0, 'unknown'), -- service_layers.csv:1105, 70 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 54, 1, 0, 59680, 59680.0, 0.0, 59680, 59680, 'published', 0, 'unknown'), -- service_layers.csv:1063, 80 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 61, 1, 0, 66048, 66048.0, 0.0, 66048, 66048, 'published', 0, 'unknown'), -- service_layers.csv:1021, 90 %
    ('googlenet', 144, 'add_32x14x14', 'mps', 68, 1, 0, 62720, 62720.0, 0.0, 62720, 62720, 'published', 0, 'unknown'), -- service_layers.csv:979, 100 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 7, 1, 0, 370400, 370400.0, 0.0, 370400, 370400, 'published', 0, 'unknown'), -- service_layers.csv:1341, 10 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 14, 1, 0, 241824, 241824.0, 0.0, 241824, 241824, 'published', 0, 'unknown'), -- service_layers.csv:1299, 20 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 20, 1, 0, 186016, 186016.0, 0.0, 186016, 186016, 'published', 0, 'unknown'), -- service_layers.csv:1257, 30 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 27, 1, 0, 152320, 152320.0, 0.0, 152320, 152320, 'published', 0, 'unknown'), -- service_layers.csv:1215, 40 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 34, 1, 0, 141056, 141056.0, 0.0, 141056, 141056, 'published', 0, 'unknown'), -- service_layers.csv:1173, 50 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 41, 1, 0, 131424, 131424.0, 0.0, 131424, 131424, 'published', 0, 'unknown'), -- service_layers.csv:1131, 60 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 48, 1, 0, 120416, 120416.0, 0.0, 120416, 120416, 'published', 0, 'unknown'), -- service_layers.csv:1089, 70 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 54, 1, 0, 118816, 118816.0, 0.0, 118816, 118816, 'published', 0, 'unknown'), -- service_layers.csv:1047, 80 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 61, 1, 0, 108864, 108864.0, 0.0, 108864, 108864, 'published', 0, 'unknown'), -- service_layers.csv:1005, 90 %
    ('googlenet', 144, 'add_32x28x28', 'mps', 68, 1, 0, 115040, 115040.0, 0.0, 115040, 115040, 'published', 0, 'unknown'), -- service_layers.csv:963, 100 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 7, 1, 0, 47168, 47168.0, 0.0, 47168, 47168, 'published', 0, 'unknown'), -- service_layers.csv:1362, 10 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 14, 1, 0, 39072, 39072.0, 0.0, 39072, 39072, 'published', 0, 'unknown'), -- service_layers.csv:1320, 20 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 20, 1, 0, 34976, 34976.0, 0.0, 34976, 34976, 'published', 0, 'unknown'), -- service_layers.csv:1278, 30 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 27, 1, 0, 34528, 34528.0, 0.0, 34528, 34528, 'published', 0, 'unknown'), -- service_layers.csv:1236, 40 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 34, 1, 0, 30496, 30496.0, 0.0, 30496, 30496, 'published', 0, 'unknown'), -- service_layers.csv:1194, 50 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 41, 1, 0, 32160, 32160.0, 0.0, 32160, 32160, 'published', 0, 'unknown'), -- service_layers.csv:1152, 60 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 48, 1, 0, 37504, 37504.0, 0.0, 37504, 37504, 'published', 0, 'unknown'), -- service_layers.csv:1110, 70 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 54, 1, 0, 33696, 33696.0, 0.0, 33696, 33696, 'published', 0, 'unknown'), -- service_layers.csv:1068, 80 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 61, 1, 0, 30816, 30816.0, 0.0, 30816, 30816, 'published', 0, 'unknown'), -- service_layers.csv:1026, 90 %
    ('googlenet', 144, 'add_32x7x7', 'mps', 68, 1, 0, 31136, 31136.0, 0.0, 31136, 31136, 'published', 0, 'unknown'), -- service_layers.csv:984, 100 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 7, 1, 0, 290240, 290240.0, 0.0, 290240, 290240, 'published', 0, 'unknown'), -- service_layers.csv:1364, 10 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 14, 1, 0, 190016, 190016.0, 0.0, 190016, 190016, 'published', 0, 'unknown'), -- service_layers.csv:1322, 20 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 20, 1, 0, 139744, 139744.0, 0.0, 139744, 139744, 'published', 0, 'unknown'), -- service_layers.csv:1280, 30 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 27, 1, 0, 121696, 121696.0, 0.0, 121696, 121696, 'published', 0, 'unknown'), -- service_layers.csv:1238, 40 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 34, 1, 0, 115744, 115744.0, 0.0, 115744, 115744, 'published', 0, 'unknown'), -- service_layers.csv:1196, 50 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 41, 1, 0, 102656, 102656.0, 0.0, 102656, 102656, 'published', 0, 'unknown'), -- service_layers.csv:1154, 60 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 48, 1, 0, 87808, 87808.0, 0.0, 87808, 87808, 'published', 0, 'unknown'), -- service_layers.csv:1112, 70 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 54, 1, 0, 93152, 93152.0, 0.0, 93152, 93152, 'published', 0, 'unknown'), -- service_layers.csv:1070, 80 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 61, 1, 0, 91776, 91776.0, 0.0, 91776, 91776, 'published', 0, 'unknown'), -- service_layers.csv:1028, 90 %
    ('googlenet', 144, 'add_384x7x7', 'mps', 68, 1, 0, 89664, 89664.0, 0.0, 89664, 89664, 'published', 0, 'unknown'), -- service_layers.csv:986, 100 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 7, 1, 0, 158080, 158080.0, 0.0, 158080, 158080, 'published', 0, 'unknown'), -- service_layers.csv:1347, 10 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 14, 1, 0, 105248, 105248.0, 0.0, 105248, 105248, 'published', 0, 'unknown'), -- service_layers.csv:1305, 20 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 20, 1, 0, 92544, 92544.0, 0.0, 92544, 92544, 'published', 0, 'unknown'), -- service_layers.csv:1263, 30 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 27, 1, 0, 108864, 108864.0, 0.0, 108864, 108864, 'published', 0, 'unknown'), -- service_layers.csv:1221, 40 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 34, 1, 0, 81664, 81664.0, 0.0, 81664, 81664, 'published', 0, 'unknown'), -- service_layers.csv:1179, 50 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 41, 1, 0, 84448, 84448.0, 0.0, 84448, 84448, 'published', 0, 'unknown'), -- service_layers.csv:1137, 60 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 48, 1, 0, 78464, 78464.0, 0.0, 78464, 78464, 'published', 0, 'unknown'), -- service_layers.csv:1095, 70 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 54, 1, 0, 72544, 72544.0, 0.0, 72544, 72544, 'published', 0, 'unknown'), -- service_layers.csv:1053, 80 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 61, 1, 0, 77440, 77440.0, 0.0, 77440, 77440, 'published', 0, 'unknown'), -- service_layers.csv:1011, 90 %
    ('googlenet', 144, 'add_48x14x14', 'mps', 68, 1, 0, 58080, 58080.0, 0.0, 58080, 58080, 'published', 0, 'unknown'), -- service_layers.csv:969, 100 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 7, 1, 0, 74752, 74752.0, 0.0, 74752, 74752, 'published', 0, 'unknown'), -- service_layers.csv:1366, 10 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 14, 1, 0, 61312, 61312.0, 0.0, 61312, 61312, 'published', 0, 'unknown'), -- service_layers.csv:1324, 20 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 20, 1, 0, 63392, 63392.0, 0.0, 63392, 63392, 'published', 0, 'unknown'), -- service_layers.csv:1282, 30 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 27, 1, 0, 59040, 59040.0, 0.0, 59040, 59040, 'published', 0, 'unknown'), -- service_layers.csv:1240, 40 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 34, 1, 0, 44416, 44416.0, 0.0, 44416, 44416, 'published', 0, 'unknown'), -- service_layers.csv:1198, 50 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 41, 1, 0, 40000, 40000.0, 0.0, 40000, 40000, 'published', 0, 'unknown'), -- service_layers.csv:1156, 60 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 48, 1, 0, 33760, 33760.0, 0.0, 33760, 33760, 'published', 0, 'unknown'), -- service_layers.csv:1114, 70 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 54, 1, 0, 34624, 34624.0, 0.0, 34624, 34624, 'published', 0, 'unknown'), -- service_layers.csv:1072, 80 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 61, 1, 0, 38752, 38752.0, 0.0, 38752, 38752, 'published', 0, 'unknown'), -- service_layers.csv:1030, 90 %
    ('googlenet', 144, 'add_48x7x7', 'mps', 68, 1, 0, 64224, 64224.0, 0.0, 64224, 64224, 'published', 0, 'unknown'), -- service_layers.csv:988, 100 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 7, 1, 0, 10577920, 10577920.0, 0.0, 10577920, 10577920, 'published', 0, 'unknown'), -- service_layers.csv:1334, 10 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 14, 1, 0, 6249216, 6249216.0, 0.0, 6249216, 6249216, 'published', 0, 'unknown'), -- service_layers.csv:1292, 20 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 20, 1, 0, 4184256, 4184256.0, 0.0, 4184256, 4184256, 'published', 0, 'unknown'), -- service_layers.csv:1250, 30 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 27, 1, 0, 3360288, 3360288.0, 0.0, 3360288, 3360288, 'published', 0, 'unknown'), -- service_layers.csv:1208, 40 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 34, 1, 0, 2836320, 2836320.0, 0.0, 2836320, 2836320, 'published', 0, 'unknown'), -- service_layers.csv:1166, 50 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 41, 1, 0, 2363712, 2363712.0, 0.0, 2363712, 2363712, 'published', 0, 'unknown'), -- service_layers.csv:1124, 60 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 48, 1, 0, 2125472, 2125472.0, 0.0, 2125472, 2125472, 'published', 0, 'unknown'), -- service_layers.csv:1082, 70 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 54, 1, 0, 1957344, 1957344.0, 0.0, 1957344, 1957344, 'published', 0, 'unknown'), -- service_layers.csv:1040, 80 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 61, 1, 0, 1892704, 1892704.0, 0.0, 1892704, 1892704, 'published', 0, 'unknown'), -- service_layers.csv:998, 90 %
    ('googlenet', 144, 'add_64x114x114', 'mps', 68, 1, 0, 1858336, 1858336.0, 0.0, 1858336, 1858336, 'published', 0, 'unknown'), -- service_layers.csv:956, 100 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 7, 1, 0, 207520, 207520.0, 0.0, 207520, 207520, 'published', 0, 'unknown'), -- service_layers.csv:1348, 10 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 14, 1, 0, 138912, 138912.0, 0.0, 138912, 138912, 'published', 0, 'unknown'), -- service_layers.csv:1306, 20 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 20, 1, 0, 111072, 111072.0, 0.0, 111072, 111072, 'published', 0, 'unknown'), -- service_layers.csv:1264, 30 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 27, 1, 0, 100128, 100128.0, 0.0, 100128, 100128, 'published', 0, 'unknown'), -- service_layers.csv:1222, 40 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 34, 1, 0, 93664, 93664.0, 0.0, 93664, 93664, 'published', 0, 'unknown'), -- service_layers.csv:1180, 50 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 41, 1, 0, 89120, 89120.0, 0.0, 89120, 89120, 'published', 0, 'unknown'), -- service_layers.csv:1138, 60 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 48, 1, 0, 84320, 84320.0, 0.0, 84320, 84320, 'published', 0, 'unknown'), -- service_layers.csv:1096, 70 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 54, 1, 0, 84128, 84128.0, 0.0, 84128, 84128, 'published', 0, 'unknown'), -- service_layers.csv:1054, 80 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 61, 1, 0, 81664, 81664.0, 0.0, 81664, 81664, 'published', 0, 'unknown'), -- service_layers.csv:1012, 90 %
    ('googlenet', 144, 'add_64x14x14', 'mps', 68, 1, 0, 66496, 66496.0, 0.0, 66496, 66496, 'published', 0, 'unknown'), -- service_layers.csv:970, 100 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 7, 1, 0, 713568, 713568.0, 0.0, 713568, 713568, 'published', 0, 'unknown'), -- service_layers.csv:1337, 10 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 14, 1, 0, 453408, 453408.0, 0.0, 453408, 453408, 'published', 0, 'unknown'), -- service_layers.csv:1295, 20 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 20, 1, 0, 339232, 339232.0, 0.0, 339232, 339232, 'published', 0, 'unknown'), -- service_layers.csv:1253, 30 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 27, 1, 0, 286432, 286432.0, 0.0, 286432, 286432, 'published', 0, 'unknown'), -- service_layers.csv:1211, 40 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 34, 1, 0, 252000, 252000.0, 0.0, 252000, 252000, 'published', 0, 'unknown'), -- service_layers.csv:1169, 50 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 41, 1, 0, 226720, 226720.0, 0.0, 226720, 226720, 'published', 0, 'unknown'), -- service_layers.csv:1127, 60 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 48, 1, 0, 177280, 177280.0, 0.0, 177280, 177280, 'published', 0, 'unknown'), -- service_layers.csv:1085, 70 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 54, 1, 0, 176736, 176736.0, 0.0, 176736, 176736, 'published', 0, 'unknown'), -- service_layers.csv:1043, 80 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 61, 1, 0, 205824, 205824.0, 0.0, 205824, 205824, 'published', 0, 'unknown'), -- service_layers.csv:1001, 90 %
    ('googlenet', 144, 'add_64x28x28', 'mps', 68, 1, 0, 194848, 194848.0, 0.0, 194848, 194848, 'published', 0, 'unknown'), -- service_layers.csv:959, 100 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 7, 1, 0, 2666176, 2666176.0, 0.0, 2666176, 2666176, 'published', 0, 'unknown'), -- service_layers.csv:1335, 10 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 14, 1, 0, 1618048, 1618048.0, 0.0, 1618048, 1618048, 'published', 0, 'unknown'), -- service_layers.csv:1293, 20 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 20, 1, 0, 1098112, 1098112.0, 0.0, 1098112, 1098112, 'published', 0, 'unknown'), -- service_layers.csv:1251, 30 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 27, 1, 0, 858592, 858592.0, 0.0, 858592, 858592, 'published', 0, 'unknown'), -- service_layers.csv:1209, 40 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 34, 1, 0, 767104, 767104.0, 0.0, 767104, 767104, 'published', 0, 'unknown'), -- service_layers.csv:1167, 50 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 41, 1, 0, 692256, 692256.0, 0.0, 692256, 692256, 'published', 0, 'unknown'), -- service_layers.csv:1125, 60 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 48, 1, 0, 608320, 608320.0, 0.0, 608320, 608320, 'published', 0, 'unknown'), -- service_layers.csv:1083, 70 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 54, 1, 0, 552800, 552800.0, 0.0, 552800, 552800, 'published', 0, 'unknown'), -- service_layers.csv:1041, 80 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 61, 1, 0, 534560, 534560.0, 0.0, 534560, 534560, 'published', 0, 'unknown'), -- service_layers.csv:999, 90 %
    ('googlenet', 144, 'add_64x57x57', 'mps', 68, 1, 0, 546464, 546464.0, 0.0, 546464, 546464, 'published', 0, 'unknown'), -- service_layers.csv:957, 100 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 7, 1, 0, 290048, 290048.0, 0.0, 290048, 290048, 'published', 0, 'unknown'), -- service_layers.csv:1344, 10 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 14, 1, 0, 225024, 225024.0, 0.0, 225024, 225024, 'published', 0, 'unknown'), -- service_layers.csv:1302, 20 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 20, 1, 0, 144480, 144480.0, 0.0, 144480, 144480, 'published', 0, 'unknown'), -- service_layers.csv:1260, 30 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 27, 1, 0, 131072, 131072.0, 0.0, 131072, 131072, 'published', 0, 'unknown'), -- service_layers.csv:1218, 40 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 34, 1, 0, 124672, 124672.0, 0.0, 124672, 124672, 'published', 0, 'unknown'), -- service_layers.csv:1176, 50 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 41, 1, 0, 100064, 100064.0, 0.0, 100064, 100064, 'published', 0, 'unknown'), -- service_layers.csv:1134, 60 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 48, 1, 0, 103872, 103872.0, 0.0, 103872, 103872, 'published', 0, 'unknown'), -- service_layers.csv:1092, 70 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 54, 1, 0, 96896, 96896.0, 0.0, 96896, 96896, 'published', 0, 'unknown'), -- service_layers.csv:1050, 80 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 61, 1, 0, 101824, 101824.0, 0.0, 101824, 101824, 'published', 0, 'unknown'), -- service_layers.csv:1008, 90 %
    ('googlenet', 144, 'add_96x14x14', 'mps', 68, 1, 0, 91456, 91456.0, 0.0, 91456, 91456, 'published', 0, 'unknown'), -- service_layers.csv:966, 100 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 7, 1, 0, 1015520, 1015520.0, 0.0, 1015520, 1015520, 'published', 0, 'unknown'), -- service_layers.csv:1338, 10 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 14, 1, 0, 646720, 646720.0, 0.0, 646720, 646720, 'published', 0, 'unknown'), -- service_layers.csv:1296, 20 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 20, 1, 0, 462336, 462336.0, 0.0, 462336, 462336, 'published', 0, 'unknown'), -- service_layers.csv:1254, 30 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 27, 1, 0, 387744, 387744.0, 0.0, 387744, 387744, 'published', 0, 'unknown'), -- service_layers.csv:1212, 40 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 34, 1, 0, 333120, 333120.0, 0.0, 333120, 333120, 'published', 0, 'unknown'), -- service_layers.csv:1170, 50 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 41, 1, 0, 293696, 293696.0, 0.0, 293696, 293696, 'published', 0, 'unknown'), -- service_layers.csv:1128, 60 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 48, 1, 0, 276512, 276512.0, 0.0, 276512, 276512, 'published', 0, 'unknown'), -- service_layers.csv:1086, 70 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 54, 1, 0, 266368, 266368.0, 0.0, 266368, 266368, 'published', 0, 'unknown'), -- service_layers.csv:1044, 80 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 61, 1, 0, 256288, 256288.0, 0.0, 256288, 256288, 'published', 0, 'unknown'), -- service_layers.csv:1002, 90 %
    ('googlenet', 144, 'add_96x28x28', 'mps', 68, 1, 0, 253536, 253536.0, 0.0, 253536, 253536, 'published', 0, 'unknown'), -- service_layers.csv:960, 100 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 8901439, 8901439.0, 0.0, 8901439, 8901439, 'published', 0, 'unknown'), -- service_layers.csv:586, 10 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 5195968, 5195968.0, 0.0, 5195968, 5195968, 'published', 0, 'unknown'), -- service_layers.csv:524, 20 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 3328320, 3328320.0, 0.0, 3328320, 3328320, 'published', 0, 'unknown'), -- service_layers.csv:462, 30 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 2686784, 2686784.0, 0.0, 2686784, 2686784, 'published', 0, 'unknown'), -- service_layers.csv:400, 40 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 2226304, 2226304.0, 0.0, 2226304, 2226304, 'published', 0, 'unknown'), -- service_layers.csv:338, 50 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 1802816, 1802816.0, 0.0, 1802816, 1802816, 'published', 0, 'unknown'), -- service_layers.csv:276, 60 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 1626816, 1626816.0, 0.0, 1626816, 1626816, 'published', 0, 'unknown'), -- service_layers.csv:214, 70 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 1435104, 1435104.0, 0.0, 1435104, 1435104, 'published', 0, 'unknown'), -- service_layers.csv:152, 80 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 1293632, 1293632.0, 0.0, 1293632, 1293632, 'published', 0, 'unknown'), -- service_layers.csv:90, 90 %
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 1191680, 1191680.0, 0.0, 1191680, 1191680, 'published', 0, 'unknown'), -- service_layers.csv:28, 100 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 11511008, 11511008.0, 0.0, 11511008, 11511008, 'published', 0, 'unknown'), -- service_layers.csv:591, 10 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 6568000, 6568000.0, 0.0, 6568000, 6568000, 'published', 0, 'unknown'), -- service_layers.csv:529, 20 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 4244512, 4244512.0, 0.0, 4244512, 4244512, 'published', 0, 'unknown'), -- service_layers.csv:467, 30 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 3371680, 3371680.0, 0.0, 3371680, 3371680, 'published', 0, 'unknown'), -- service_layers.csv:405, 40 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 2799648, 2799648.0, 0.0, 2799648, 2799648, 'published', 0, 'unknown'), -- service_layers.csv:343, 50 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 2300384, 2300384.0, 0.0, 2300384, 2300384, 'published', 0, 'unknown'), -- service_layers.csv:281, 60 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 2093056, 2093056.0, 0.0, 2093056, 2093056, 'published', 0, 'unknown'), -- service_layers.csv:219, 70 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 1778080, 1778080.0, 0.0, 1778080, 1778080, 'published', 0, 'unknown'), -- service_layers.csv:157, 80 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 1630208, 1630208.0, 0.0, 1630208, 1630208, 'published', 0, 'unknown'), -- service_layers.csv:95, 90 %
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 1513696, 1513696.0, 0.0, 1513696, 1513696, 'published', 0, 'unknown'), -- service_layers.csv:33, 100 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 34152801, 34152801.0, 0.0, 34152801, 34152801, 'published', 0, 'unknown'), -- service_layers.csv:574, 10 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 19548865, 19548865.0, 0.0, 19548865, 19548865, 'published', 0, 'unknown'), -- service_layers.csv:512, 20 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 12536000, 12536000.0, 0.0, 12536000, 12536000, 'published', 0, 'unknown'), -- service_layers.csv:450, 30 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 9884063, 9884063.0, 0.0, 9884063, 9884063, 'published', 0, 'unknown'), -- service_layers.csv:388, 40 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 8219104, 8219104.0, 0.0, 8219104, 8219104, 'published', 0, 'unknown'), -- service_layers.csv:326, 50 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 6873216, 6873216.0, 0.0, 6873216, 6873216, 'published', 0, 'unknown'), -- service_layers.csv:264, 60 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 6038848, 6038848.0, 0.0, 6038848, 6038848, 'published', 0, 'unknown'), -- service_layers.csv:202, 70 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 5108704, 5108704.0, 0.0, 5108704, 5108704, 'published', 0, 'unknown'), -- service_layers.csv:140, 80 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 4640576, 4640576.0, 0.0, 4640576, 4640576, 'published', 0, 'unknown'), -- service_layers.csv:78, 90 %
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 4156736, 4156736.0, 0.0, 4156736, 4156736, 'published', 0, 'unknown'), -- service_layers.csv:16, 100 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 14053664, 14053664.0, 0.0, 14053664, 14053664, 'published', 0, 'unknown'), -- service_layers.csv:593, 10 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 8118880, 8118880.0, 0.0, 8118880, 8118880, 'published', 0, 'unknown'), -- service_layers.csv:531, 20 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 5225760, 5225760.0, 0.0, 5225760, 5225760, 'published', 0, 'unknown'), -- service_layers.csv:469, 30 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 4141760, 4141760.0, 0.0, 4141760, 4141760, 'published', 0, 'unknown'), -- service_layers.csv:407, 40 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 3448384, 3448384.0, 0.0, 3448384, 3448384, 'published', 0, 'unknown'), -- service_layers.csv:345, 50 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 2818592, 2818592.0, 0.0, 2818592, 2818592, 'published', 0, 'unknown'), -- service_layers.csv:283, 60 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 2504288, 2504288.0, 0.0, 2504288, 2504288, 'published', 0, 'unknown'), -- service_layers.csv:221, 70 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 2164832, 2164832.0, 0.0, 2164832, 2164832, 'published', 0, 'unknown'), -- service_layers.csv:159, 80 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 1993824, 1993824.0, 0.0, 1993824, 1993824, 'published', 0, 'unknown'), -- service_layers.csv:97, 90 %
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 1825664, 1825664.0, 0.0, 1825664, 1825664, 'published', 0, 'unknown'), -- service_layers.csv:35, 100 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 17298400, 17298400.0, 0.0, 17298400, 17298400, 'published', 0, 'unknown'), -- service_layers.csv:598, 10 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 9892031, 9892031.0, 0.0, 9892031, 9892031, 'published', 0, 'unknown'), -- service_layers.csv:536, 20 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 6360480, 6360480.0, 0.0, 6360480, 6360480, 'published', 0, 'unknown'), -- service_layers.csv:474, 30 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 5043936, 5043936.0, 0.0, 5043936, 5043936, 'published', 0, 'unknown'), -- service_layers.csv:412, 40 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 4276000, 4276000.0, 0.0, 4276000, 4276000, 'published', 0, 'unknown'), -- service_layers.csv:350, 50 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 3354048, 3354048.0, 0.0, 3354048, 3354048, 'published', 0, 'unknown'), -- service_layers.csv:288, 60 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 3025408, 3025408.0, 0.0, 3025408, 3025408, 'published', 0, 'unknown'), -- service_layers.csv:226, 70 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 2604544, 2604544.0, 0.0, 2604544, 2604544, 'published', 0, 'unknown'), -- service_layers.csv:164, 80 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 2387552, 2387552.0, 0.0, 2387552, 2387552, 'published', 0, 'unknown'), -- service_layers.csv:102, 90 %
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 2188576, 2188576.0, 0.0, 2188576, 2188576, 'published', 0, 'unknown'), -- service_layers.csv:40, 100 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 7, 1, 0, 5203872, 5203872.0, 0.0, 5203872, 5203872, 'published', 0, 'unknown'), -- service_layers.csv:604, 10 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 14, 1, 0, 3012384, 3012384.0, 0.0, 3012384, 3012384, 'published', 0, 'unknown'), -- service_layers.csv:542, 20 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 20, 1, 0, 1942240, 1942240.0, 0.0, 1942240, 1942240, 'published', 0, 'unknown'), -- service_layers.csv:480, 30 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 27, 1, 0, 1556064, 1556064.0, 0.0, 1556064, 1556064, 'published', 0, 'unknown'), -- service_layers.csv:418, 40 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 34, 1, 0, 1378368, 1378368.0, 0.0, 1378368, 1378368, 'published', 0, 'unknown'), -- service_layers.csv:356, 50 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 41, 1, 0, 1094368, 1094368.0, 0.0, 1094368, 1094368, 'published', 0, 'unknown'), -- service_layers.csv:294, 60 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 48, 1, 0, 947776, 947776.0, 0.0, 947776, 947776, 'published', 0, 'unknown'), -- service_layers.csv:232, 70 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 54, 1, 0, 833472, 833472.0, 0.0, 833472, 833472, 'published', 0, 'unknown'), -- service_layers.csv:170, 80 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 61, 1, 0, 811680, 811680.0, 0.0, 811680, 811680, 'published', 0, 'unknown'), -- service_layers.csv:108, 90 %
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'mps', 68, 1, 0, 804384, 804384.0, 0.0, 804384, 804384, 'published', 0, 'unknown'), -- service_layers.csv:46, 100 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 7, 1, 0, 1203840, 1203840.0, 0.0, 1203840, 1203840, 'published', 0, 'unknown'), -- service_layers.csv:582, 10 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 14, 1, 0, 714112, 714112.0, 0.0, 714112, 714112, 'published', 0, 'unknown'), -- service_layers.csv:520, 20 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 20, 1, 0, 513728, 513728.0, 0.0, 513728, 513728, 'published', 0, 'unknown'), -- service_layers.csv:458, 30 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 27, 1, 0, 407392, 407392.0, 0.0, 407392, 407392, 'published', 0, 'unknown'), -- service_layers.csv:396, 40 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 34, 1, 0, 366464, 366464.0, 0.0, 366464, 366464, 'published', 0, 'unknown'), -- service_layers.csv:334, 50 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 41, 1, 0, 315744, 315744.0, 0.0, 315744, 315744, 'published', 0, 'unknown'), -- service_layers.csv:272, 60 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 48, 1, 0, 272384, 272384.0, 0.0, 272384, 272384, 'published', 0, 'unknown'), -- service_layers.csv:210, 70 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 54, 1, 0, 254592, 254592.0, 0.0, 254592, 254592, 'published', 0, 'unknown'), -- service_layers.csv:148, 80 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 61, 1, 0, 252224, 252224.0, 0.0, 252224, 252224, 'published', 0, 'unknown'), -- service_layers.csv:86, 90 %
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'mps', 68, 1, 0, 257440, 257440.0, 0.0, 257440, 257440, 'published', 0, 'unknown'), -- service_layers.csv:24, 100 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 7, 1, 0, 2546720, 2546720.0, 0.0, 2546720, 2546720, 'published', 0, 'unknown'), -- service_layers.csv:571, 10 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 14, 1, 0, 1494400, 1494400.0, 0.0, 1494400, 1494400, 'published', 0, 'unknown'), -- service_layers.csv:509, 20 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 20, 1, 0, 1010176, 1010176.0, 0.0, 1010176, 1010176, 'published', 0, 'unknown'), -- service_layers.csv:447, 30 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 27, 1, 0, 794368, 794368.0, 0.0, 794368, 794368, 'published', 0, 'unknown'), -- service_layers.csv:385, 40 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 34, 1, 0, 691584, 691584.0, 0.0, 691584, 691584, 'published', 0, 'unknown'), -- service_layers.csv:323, 50 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 41, 1, 0, 575424, 575424.0, 0.0, 575424, 575424, 'published', 0, 'unknown'), -- service_layers.csv:261, 60 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 48, 1, 0, 525184, 525184.0, 0.0, 525184, 525184, 'published', 0, 'unknown'), -- service_layers.csv:199, 70 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 54, 1, 0, 465472, 465472.0, 0.0, 465472, 465472, 'published', 0, 'unknown'), -- service_layers.csv:137, 80 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 61, 1, 0, 443360, 443360.0, 0.0, 443360, 443360, 'published', 0, 'unknown'), -- service_layers.csv:75, 90 %
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'mps', 68, 1, 0, 404224, 404224.0, 0.0, 404224, 404224, 'published', 0, 'unknown'), -- service_layers.csv:13, 100 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 1345728, 1345728.0, 0.0, 1345728, 1345728, 'published', 0, 'unknown'), -- service_layers.csv:570, 10 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 777440, 777440.0, 0.0, 777440, 777440, 'published', 0, 'unknown'), -- service_layers.csv:508, 20 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 600288, 600288.0, 0.0, 600288, 600288, 'published', 0, 'unknown'), -- service_layers.csv:446, 30 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 501984, 501984.0, 0.0, 501984, 501984, 'published', 0, 'unknown'), -- service_layers.csv:384, 40 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 453728, 453728.0, 0.0, 453728, 453728, 'published', 0, 'unknown'), -- service_layers.csv:322, 50 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 327392, 327392.0, 0.0, 327392, 327392, 'published', 0, 'unknown'), -- service_layers.csv:260, 60 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 384672, 384672.0, 0.0, 384672, 384672, 'published', 0, 'unknown'), -- service_layers.csv:198, 70 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 374944, 374944.0, 0.0, 374944, 374944, 'published', 0, 'unknown'), -- service_layers.csv:136, 80 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 350752, 350752.0, 0.0, 350752, 350752, 'published', 0, 'unknown'), -- service_layers.csv:74, 90 %
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 331936, 331936.0, 0.0, 331936, 331936, 'published', 0, 'unknown'), -- service_layers.csv:12, 100 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 1434240, 1434240.0, 0.0, 1434240, 1434240, 'published', 0, 'unknown'), -- service_layers.csv:572, 10 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 917920, 917920.0, 0.0, 917920, 917920, 'published', 0, 'unknown'), -- service_layers.csv:510, 20 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 629088, 629088.0, 0.0, 629088, 629088, 'published', 0, 'unknown'), -- service_layers.csv:448, 30 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 511136, 511136.0, 0.0, 511136, 511136, 'published', 0, 'unknown'), -- service_layers.csv:386, 40 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 411264, 411264.0, 0.0, 411264, 411264, 'published', 0, 'unknown'), -- service_layers.csv:324, 50 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 410976, 410976.0, 0.0, 410976, 410976, 'published', 0, 'unknown'), -- service_layers.csv:262, 60 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 379872, 379872.0, 0.0, 379872, 379872, 'published', 0, 'unknown'), -- service_layers.csv:200, 70 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 355936, 355936.0, 0.0, 355936, 355936, 'published', 0, 'unknown'), -- service_layers.csv:138, 80 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 359136, 359136.0, 0.0, 359136, 359136, 'published', 0, 'unknown'), -- service_layers.csv:76, 90 %
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 358368, 358368.0, 0.0, 358368, 358368, 'published', 0, 'unknown'), -- service_layers.csv:14, 100 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 2331616, 2331616.0, 0.0, 2331616, 2331616, 'published', 0, 'unknown'), -- service_layers.csv:567, 10 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1405248, 1405248.0, 0.0, 1405248, 1405248, 'published', 0, 'unknown'), -- service_layers.csv:505, 20 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 921920, 921920.0, 0.0, 921920, 921920, 'published', 0, 'unknown'), -- service_layers.csv:443, 30 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 780832, 780832.0, 0.0, 780832, 780832, 'published', 0, 'unknown'), -- service_layers.csv:381, 40 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 677792, 677792.0, 0.0, 677792, 677792, 'published', 0, 'unknown'), -- service_layers.csv:319, 50 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 579552, 579552.0, 0.0, 579552, 579552, 'published', 0, 'unknown'), -- service_layers.csv:257, 60 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 531104, 531104.0, 0.0, 531104, 531104, 'published', 0, 'unknown'), -- service_layers.csv:195, 70 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 466880, 466880.0, 0.0, 466880, 466880, 'published', 0, 'unknown'), -- service_layers.csv:133, 80 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 453568, 453568.0, 0.0, 453568, 453568, 'published', 0, 'unknown'), -- service_layers.csv:71, 90 %
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 380224, 380224.0, 0.0, 380224, 380224, 'published', 0, 'unknown'), -- service_layers.csv:9, 100 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 3984800, 3984800.0, 0.0, 3984800, 3984800, 'published', 0, 'unknown'), -- service_layers.csv:568, 10 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 2289248, 2289248.0, 0.0, 2289248, 2289248, 'published', 0, 'unknown'), -- service_layers.csv:506, 20 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1543744, 1543744.0, 0.0, 1543744, 1543744, 'published', 0, 'unknown'), -- service_layers.csv:444, 30 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1244288, 1244288.0, 0.0, 1244288, 1244288, 'published', 0, 'unknown'), -- service_layers.csv:382, 40 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 1056256, 1056256.0, 0.0, 1056256, 1056256, 'published', 0, 'unknown'), -- service_layers.csv:320, 50 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 903072, 903072.0, 0.0, 903072, 903072, 'published', 0, 'unknown'), -- service_layers.csv:258, 60 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 816384, 816384.0, 0.0, 816384, 816384, 'published', 0, 'unknown'), -- service_layers.csv:196, 70 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 755104, 755104.0, 0.0, 755104, 755104, 'published', 0, 'unknown'), -- service_layers.csv:134, 80 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 733696, 733696.0, 0.0, 733696, 733696, 'published', 0, 'unknown'), -- service_layers.csv:72, 90 %
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 730912, 730912.0, 0.0, 730912, 730912, 'published', 0, 'unknown'), -- service_layers.csv:10, 100 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 7, 1, 0, 7437216, 7437216.0, 0.0, 7437216, 7437216, 'published', 0, 'unknown'), -- service_layers.csv:610, 10 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 14, 1, 0, 4316576, 4316576.0, 0.0, 4316576, 4316576, 'published', 0, 'unknown'), -- service_layers.csv:548, 20 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 20, 1, 0, 2824576, 2824576.0, 0.0, 2824576, 2824576, 'published', 0, 'unknown'), -- service_layers.csv:486, 30 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 27, 1, 0, 2214976, 2214976.0, 0.0, 2214976, 2214976, 'published', 0, 'unknown'), -- service_layers.csv:424, 40 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 34, 1, 0, 1845536, 1845536.0, 0.0, 1845536, 1845536, 'published', 0, 'unknown'), -- service_layers.csv:362, 50 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 41, 1, 0, 1557312, 1557312.0, 0.0, 1557312, 1557312, 'published', 0, 'unknown'), -- service_layers.csv:300, 60 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 48, 1, 0, 1337472, 1337472.0, 0.0, 1337472, 1337472, 'published', 0, 'unknown'), -- service_layers.csv:238, 70 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 54, 1, 0, 1171008, 1171008.0, 0.0, 1171008, 1171008, 'published', 0, 'unknown'), -- service_layers.csv:176, 80 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 61, 1, 0, 1140320, 1140320.0, 0.0, 1140320, 1140320, 'published', 0, 'unknown'), -- service_layers.csv:114, 90 %
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'mps', 68, 1, 0, 1006496, 1006496.0, 0.0, 1006496, 1006496, 'published', 0, 'unknown'), -- service_layers.csv:52, 100 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 7, 1, 0, 1743456, 1743456.0, 0.0, 1743456, 1743456, 'published', 0, 'unknown'), -- service_layers.csv:588, 10 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 14, 1, 0, 1026464, 1026464.0, 0.0, 1026464, 1026464, 'published', 0, 'unknown'), -- service_layers.csv:526, 20 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 20, 1, 0, 728576, 728576.0, 0.0, 728576, 728576, 'published', 0, 'unknown'), -- service_layers.csv:464, 30 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 27, 1, 0, 569760, 569760.0, 0.0, 569760, 569760, 'published', 0, 'unknown'), -- service_layers.csv:402, 40 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 34, 1, 0, 511488, 511488.0, 0.0, 511488, 511488, 'published', 0, 'unknown'), -- service_layers.csv:340, 50 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 41, 1, 0, 439744, 439744.0, 0.0, 439744, 439744, 'published', 0, 'unknown'), -- service_layers.csv:278, 60 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 48, 1, 0, 378816, 378816.0, 0.0, 378816, 378816, 'published', 0, 'unknown'), -- service_layers.csv:216, 70 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 54, 1, 0, 337696, 337696.0, 0.0, 337696, 337696, 'published', 0, 'unknown'), -- service_layers.csv:154, 80 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 61, 1, 0, 338592, 338592.0, 0.0, 338592, 338592, 'published', 0, 'unknown'), -- service_layers.csv:92, 90 %
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'mps', 68, 1, 0, 330688, 330688.0, 0.0, 330688, 330688, 'published', 0, 'unknown'), -- service_layers.csv:30, 100 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 5878112, 5878112.0, 0.0, 5878112, 5878112, 'published', 0, 'unknown'), -- service_layers.csv:573, 10 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 3419136, 3419136.0, 0.0, 3419136, 3419136, 'published', 0, 'unknown'), -- service_layers.csv:511, 20 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 2198656, 2198656.0, 0.0, 2198656, 2198656, 'published', 0, 'unknown'), -- service_layers.csv:449, 30 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1754944, 1754944.0, 0.0, 1754944, 1754944, 'published', 0, 'unknown'), -- service_layers.csv:387, 40 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 1528736, 1528736.0, 0.0, 1528736, 1528736, 'published', 0, 'unknown'), -- service_layers.csv:325, 50 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 1260992, 1260992.0, 0.0, 1260992, 1260992, 'published', 0, 'unknown'), -- service_layers.csv:263, 60 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 1069824, 1069824.0, 0.0, 1069824, 1069824, 'published', 0, 'unknown'), -- service_layers.csv:201, 70 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 946016, 946016.0, 0.0, 946016, 946016, 'published', 0, 'unknown'), -- service_layers.csv:139, 80 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 924480, 924480.0, 0.0, 924480, 924480, 'published', 0, 'unknown'), -- service_layers.csv:77, 90 %
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 872832, 872832.0, 0.0, 872832, 872832, 'published', 0, 'unknown'), -- service_layers.csv:15, 100 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 1823968, 1823968.0, 0.0, 1823968, 1823968, 'published', 0, 'unknown'), -- service_layers.csv:575, 10 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1118528, 1118528.0, 0.0, 1118528, 1118528, 'published', 0, 'unknown'), -- service_layers.csv:513, 20 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 711424, 711424.0, 0.0, 711424, 711424, 'published', 0, 'unknown'), -- service_layers.csv:451, 30 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 580160, 580160.0, 0.0, 580160, 580160, 'published', 0, 'unknown'), -- service_layers.csv:389, 40 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 574080, 574080.0, 0.0, 574080, 574080, 'published', 0, 'unknown'), -- service_layers.csv:327, 50 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 488000, 488000.0, 0.0, 488000, 488000, 'published', 0, 'unknown'), -- service_layers.csv:265, 60 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 451616, 451616.0, 0.0, 451616, 451616, 'published', 0, 'unknown'), -- service_layers.csv:203, 70 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 425536, 425536.0, 0.0, 425536, 425536, 'published', 0, 'unknown'), -- service_layers.csv:141, 80 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 408128, 408128.0, 0.0, 408128, 408128, 'published', 0, 'unknown'), -- service_layers.csv:79, 90 %
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 423168, 423168.0, 0.0, 423168, 423168, 'published', 0, 'unknown'), -- service_layers.csv:17, 100 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 2998080, 2998080.0, 0.0, 2998080, 2998080, 'published', 0, 'unknown'), -- service_layers.csv:577, 10 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1807520, 1807520.0, 0.0, 1807520, 1807520, 'published', 0, 'unknown'), -- service_layers.csv:515, 20 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1149376, 1149376.0, 0.0, 1149376, 1149376, 'published', 0, 'unknown'), -- service_layers.csv:453, 30 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 996512, 996512.0, 0.0, 996512, 996512, 'published', 0, 'unknown'), -- service_layers.csv:391, 40 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 859648, 859648.0, 0.0, 859648, 859648, 'published', 0, 'unknown'), -- service_layers.csv:329, 50 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 664224, 664224.0, 0.0, 664224, 664224, 'published', 0, 'unknown'), -- service_layers.csv:267, 60 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 654016, 654016.0, 0.0, 654016, 654016, 'published', 0, 'unknown'), -- service_layers.csv:205, 70 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 573856, 573856.0, 0.0, 573856, 573856, 'published', 0, 'unknown'), -- service_layers.csv:143, 80 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 550592, 550592.0, 0.0, 550592, 550592, 'published', 0, 'unknown'), -- service_layers.csv:81, 90 %
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 517440, 517440.0, 0.0, 517440, 517440, 'published', 0, 'unknown'), -- service_layers.csv:19, 100 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 7, 1, 0, 4410464, 4410464.0, 0.0, 4410464, 4410464, 'published', 0, 'unknown'), -- service_layers.csv:600, 10 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 14, 1, 0, 2568096, 2568096.0, 0.0, 2568096, 2568096, 'published', 0, 'unknown'), -- service_layers.csv:538, 20 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 20, 1, 0, 1766720, 1766720.0, 0.0, 1766720, 1766720, 'published', 0, 'unknown'), -- service_layers.csv:476, 30 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 27, 1, 0, 1364320, 1364320.0, 0.0, 1364320, 1364320, 'published', 0, 'unknown'), -- service_layers.csv:414, 40 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 34, 1, 0, 1155232, 1155232.0, 0.0, 1155232, 1155232, 'published', 0, 'unknown'), -- service_layers.csv:352, 50 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 41, 1, 0, 1012736, 1012736.0, 0.0, 1012736, 1012736, 'published', 0, 'unknown'), -- service_layers.csv:290, 60 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 48, 1, 0, 857056, 857056.0, 0.0, 857056, 857056, 'published', 0, 'unknown'), -- service_layers.csv:228, 70 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 54, 1, 0, 731392, 731392.0, 0.0, 731392, 731392, 'published', 0, 'unknown'), -- service_layers.csv:166, 80 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 61, 1, 0, 702368, 702368.0, 0.0, 702368, 702368, 'published', 0, 'unknown'), -- service_layers.csv:104, 90 %
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'mps', 68, 1, 0, 692608, 692608.0, 0.0, 692608, 692608, 'published', 0, 'unknown'), -- service_layers.csv:42, 100 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 7, 1, 0, 2299712, 2299712.0, 0.0, 2299712, 2299712, 'published', 0, 'unknown'), -- service_layers.csv:595, 10 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 14, 1, 0, 1352896, 1352896.0, 0.0, 1352896, 1352896, 'published', 0, 'unknown'), -- service_layers.csv:533, 20 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 20, 1, 0, 949344, 949344.0, 0.0, 949344, 949344, 'published', 0, 'unknown'), -- service_layers.csv:471, 30 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 27, 1, 0, 741440, 741440.0, 0.0, 741440, 741440, 'published', 0, 'unknown'), -- service_layers.csv:409, 40 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 34, 1, 0, 633568, 633568.0, 0.0, 633568, 633568, 'published', 0, 'unknown'), -- service_layers.csv:347, 50 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 41, 1, 0, 556000, 556000.0, 0.0, 556000, 556000, 'published', 0, 'unknown'), -- service_layers.csv:285, 60 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 48, 1, 0, 477408, 477408.0, 0.0, 477408, 477408, 'published', 0, 'unknown'), -- service_layers.csv:223, 70 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 54, 1, 0, 416032, 416032.0, 0.0, 416032, 416032, 'published', 0, 'unknown'), -- service_layers.csv:161, 80 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 61, 1, 0, 419968, 419968.0, 0.0, 419968, 419968, 'published', 0, 'unknown'), -- service_layers.csv:99, 90 %
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'mps', 68, 1, 0, 429120, 429120.0, 0.0, 429120, 429120, 'published', 0, 'unknown'), -- service_layers.csv:37, 100 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 7, 1, 0, 14908896, 14908896.0, 0.0, 14908896, 14908896, 'published', 0, 'unknown'), -- service_layers.csv:576, 10 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 14, 1, 0, 8592288, 8592288.0, 0.0, 8592288, 8592288, 'published', 0, 'unknown'), -- service_layers.csv:514, 20 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 20, 1, 0, 5510848, 5510848.0, 0.0, 5510848, 5510848, 'published', 0, 'unknown'), -- service_layers.csv:452, 30 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 27, 1, 0, 4377184, 4377184.0, 0.0, 4377184, 4377184, 'published', 0, 'unknown'), -- service_layers.csv:390, 40 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 34, 1, 0, 3645024, 3645024.0, 0.0, 3645024, 3645024, 'published', 0, 'unknown'), -- service_layers.csv:328, 50 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 41, 1, 0, 2946208, 2946208.0, 0.0, 2946208, 2946208, 'published', 0, 'unknown'), -- service_layers.csv:266, 60 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 48, 1, 0, 2601024, 2601024.0, 0.0, 2601024, 2601024, 'published', 0, 'unknown'), -- service_layers.csv:204, 70 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 54, 1, 0, 2262016, 2262016.0, 0.0, 2262016, 2262016, 'published', 0, 'unknown'), -- service_layers.csv:142, 80 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 61, 1, 0, 2068544, 2068544.0, 0.0, 2068544, 2068544, 'published', 0, 'unknown'), -- service_layers.csv:80, 90 %
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'mps', 68, 1, 0, 1870304, 1870304.0, 0.0, 1870304, 1870304, 'published', 0, 'unknown'), -- service_layers.csv:18, 100 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 7, 1, 0, 1177024, 1177024.0, 0.0, 1177024, 1177024, 'published', 0, 'unknown'), -- service_layers.csv:606, 10 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 14, 1, 0, 723264, 723264.0, 0.0, 723264, 723264, 'published', 0, 'unknown'), -- service_layers.csv:544, 20 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 20, 1, 0, 543648, 543648.0, 0.0, 543648, 543648, 'published', 0, 'unknown'), -- service_layers.csv:482, 30 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 27, 1, 0, 377952, 377952.0, 0.0, 377952, 377952, 'published', 0, 'unknown'), -- service_layers.csv:420, 40 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 34, 1, 0, 387904, 387904.0, 0.0, 387904, 387904, 'published', 0, 'unknown'), -- service_layers.csv:358, 50 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 41, 1, 0, 377088, 377088.0, 0.0, 377088, 377088, 'published', 0, 'unknown'), -- service_layers.csv:296, 60 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 48, 1, 0, 372512, 372512.0, 0.0, 372512, 372512, 'published', 0, 'unknown'), -- service_layers.csv:234, 70 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 54, 1, 0, 230336, 230336.0, 0.0, 230336, 230336, 'published', 0, 'unknown'), -- service_layers.csv:172, 80 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 61, 1, 0, 216064, 216064.0, 0.0, 216064, 216064, 'published', 0, 'unknown'), -- service_layers.csv:110, 90 %
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'mps', 68, 1, 0, 244864, 244864.0, 0.0, 244864, 244864, 'published', 0, 'unknown'), -- service_layers.csv:48, 100 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 7, 1, 0, 30389568, 30389568.0, 0.0, 30389568, 30389568, 'published', 0, 'unknown'), -- service_layers.csv:564, 10 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 14, 1, 0, 17403904, 17403904.0, 0.0, 17403904, 17403904, 'published', 0, 'unknown'), -- service_layers.csv:502, 20 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 20, 1, 0, 11124032, 11124032.0, 0.0, 11124032, 11124032, 'published', 0, 'unknown'), -- service_layers.csv:440, 30 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 27, 1, 0, 8813984, 8813984.0, 0.0, 8813984, 8813984, 'published', 0, 'unknown'), -- service_layers.csv:378, 40 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 34, 1, 0, 7297792, 7297792.0, 0.0, 7297792, 7297792, 'published', 0, 'unknown'), -- service_layers.csv:316, 50 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 41, 1, 0, 5952256, 5952256.0, 0.0, 5952256, 5952256, 'published', 0, 'unknown'), -- service_layers.csv:254, 60 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 48, 1, 0, 5351936, 5351936.0, 0.0, 5351936, 5351936, 'published', 0, 'unknown'), -- service_layers.csv:192, 70 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 54, 1, 0, 4527072, 4527072.0, 0.0, 4527072, 4527072, 'published', 0, 'unknown'), -- service_layers.csv:130, 80 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 61, 1, 0, 4040992, 4040992.0, 0.0, 4040992, 4040992, 'published', 0, 'unknown'), -- service_layers.csv:68, 90 %
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'mps', 68, 1, 0, 3765824, 3765824.0, 0.0, 3765824, 3765824, 'published', 0, 'unknown'), -- service_layers.csv:6, 100 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 881344, 881344.0, 0.0, 881344, 881344, 'published', 0, 'unknown'), -- service_layers.csv:581, 10 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 565024, 565024.0, 0.0, 565024, 565024, 'published', 0, 'unknown'), -- service_layers.csv:519, 20 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 454944, 454944.0, 0.0, 454944, 454944, 'published', 0, 'unknown'), -- service_layers.csv:457, 30 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 368256, 368256.0, 0.0, 368256, 368256, 'published', 0, 'unknown'), -- service_layers.csv:395, 40 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 365280, 365280.0, 0.0, 365280, 365280, 'published', 0, 'unknown'), -- service_layers.csv:333, 50 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 371296, 371296.0, 0.0, 371296, 371296, 'published', 0, 'unknown'), -- service_layers.csv:271, 60 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 312096, 312096.0, 0.0, 312096, 312096, 'published', 0, 'unknown'), -- service_layers.csv:209, 70 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 244928, 244928.0, 0.0, 244928, 244928, 'published', 0, 'unknown'), -- service_layers.csv:147, 80 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 223936, 223936.0, 0.0, 223936, 223936, 'published', 0, 'unknown'), -- service_layers.csv:85, 90 %
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 306528, 306528.0, 0.0, 306528, 306528, 'published', 0, 'unknown'), -- service_layers.csv:23, 100 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 4116928, 4116928.0, 0.0, 4116928, 4116928, 'published', 0, 'unknown'), -- service_layers.csv:578, 10 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 2416416, 2416416.0, 0.0, 2416416, 2416416, 'published', 0, 'unknown'), -- service_layers.csv:516, 20 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1617856, 1617856.0, 0.0, 1617856, 1617856, 'published', 0, 'unknown'), -- service_layers.csv:454, 30 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1287616, 1287616.0, 0.0, 1287616, 1287616, 'published', 0, 'unknown'), -- service_layers.csv:392, 40 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 1113728, 1113728.0, 0.0, 1113728, 1113728, 'published', 0, 'unknown'), -- service_layers.csv:330, 50 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 887968, 887968.0, 0.0, 887968, 887968, 'published', 0, 'unknown'), -- service_layers.csv:268, 60 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 835008, 835008.0, 0.0, 835008, 835008, 'published', 0, 'unknown'), -- service_layers.csv:206, 70 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 769248, 769248.0, 0.0, 769248, 769248, 'published', 0, 'unknown'), -- service_layers.csv:144, 80 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 702688, 702688.0, 0.0, 702688, 702688, 'published', 0, 'unknown'), -- service_layers.csv:82, 90 %
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 651072, 651072.0, 0.0, 651072, 651072, 'published', 0, 'unknown'), -- service_layers.csv:20, 100 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 1494976, 1494976.0, 0.0, 1494976, 1494976, 'published', 0, 'unknown'), -- service_layers.csv:583, 10 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 921856, 921856.0, 0.0, 921856, 921856, 'published', 0, 'unknown'), -- service_layers.csv:521, 20 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 692768, 692768.0, 0.0, 692768, 692768, 'published', 0, 'unknown'), -- service_layers.csv:459, 30 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 546912, 546912.0, 0.0, 546912, 546912, 'published', 0, 'unknown'), -- service_layers.csv:397, 40 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 498528, 498528.0, 0.0, 498528, 498528, 'published', 0, 'unknown'), -- service_layers.csv:335, 50 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 445184, 445184.0, 0.0, 445184, 445184, 'published', 0, 'unknown'), -- service_layers.csv:273, 60 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 405920, 405920.0, 0.0, 405920, 405920, 'published', 0, 'unknown'), -- service_layers.csv:211, 70 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 364416, 364416.0, 0.0, 364416, 364416, 'published', 0, 'unknown'), -- service_layers.csv:149, 80 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 317216, 317216.0, 0.0, 317216, 317216, 'published', 0, 'unknown'), -- service_layers.csv:87, 90 %
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 368384, 368384.0, 0.0, 368384, 368384, 'published', 0, 'unknown'), -- service_layers.csv:25, 100 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 2808992, 2808992.0, 0.0, 2808992, 2808992, 'published', 0, 'unknown'), -- service_layers.csv:579, 10 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1663008, 1663008.0, 0.0, 1663008, 1663008, 'published', 0, 'unknown'), -- service_layers.csv:517, 20 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1184576, 1184576.0, 0.0, 1184576, 1184576, 'published', 0, 'unknown'), -- service_layers.csv:455, 30 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 881408, 881408.0, 0.0, 881408, 881408, 'published', 0, 'unknown'), -- service_layers.csv:393, 40 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 804288, 804288.0, 0.0, 804288, 804288, 'published', 0, 'unknown'), -- service_layers.csv:331, 50 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 726880, 726880.0, 0.0, 726880, 726880, 'published', 0, 'unknown'), -- service_layers.csv:269, 60 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 622496, 622496.0, 0.0, 622496, 622496, 'published', 0, 'unknown'), -- service_layers.csv:207, 70 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 562048, 562048.0, 0.0, 562048, 562048, 'published', 0, 'unknown'), -- service_layers.csv:145, 80 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 478240, 478240.0, 0.0, 478240, 478240, 'published', 0, 'unknown'), -- service_layers.csv:83, 90 %
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 526976, 526976.0, 0.0, 526976, 526976, 'published', 0, 'unknown'), -- service_layers.csv:21, 100 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 7, 1, 0, 1737888, 1737888.0, 0.0, 1737888, 1737888, 'published', 0, 'unknown'), -- service_layers.csv:612, 10 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 14, 1, 0, 1029440, 1029440.0, 0.0, 1029440, 1029440, 'published', 0, 'unknown'), -- service_layers.csv:550, 20 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 20, 1, 0, 774720, 774720.0, 0.0, 774720, 774720, 'published', 0, 'unknown'), -- service_layers.csv:488, 30 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 27, 1, 0, 557216, 557216.0, 0.0, 557216, 557216, 'published', 0, 'unknown'), -- service_layers.csv:426, 40 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 34, 1, 0, 546496, 546496.0, 0.0, 546496, 546496, 'published', 0, 'unknown'), -- service_layers.csv:364, 50 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 41, 1, 0, 554880, 554880.0, 0.0, 554880, 554880, 'published', 0, 'unknown'), -- service_layers.csv:302, 60 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 48, 1, 0, 548000, 548000.0, 0.0, 548000, 548000, 'published', 0, 'unknown'), -- service_layers.csv:240, 70 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 54, 1, 0, 316736, 316736.0, 0.0, 316736, 316736, 'published', 0, 'unknown'), -- service_layers.csv:178, 80 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 61, 1, 0, 318880, 318880.0, 0.0, 318880, 318880, 'published', 0, 'unknown'), -- service_layers.csv:116, 90 %
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'mps', 68, 1, 0, 334048, 334048.0, 0.0, 334048, 334048, 'published', 0, 'unknown'), -- service_layers.csv:54, 100 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 2951808, 2951808.0, 0.0, 2951808, 2951808, 'published', 0, 'unknown'), -- service_layers.csv:585, 10 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1755264, 1755264.0, 0.0, 1755264, 1755264, 'published', 0, 'unknown'), -- service_layers.csv:523, 20 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1230336, 1230336.0, 0.0, 1230336, 1230336, 'published', 0, 'unknown'), -- service_layers.csv:461, 30 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 976192, 976192.0, 0.0, 976192, 976192, 'published', 0, 'unknown'), -- service_layers.csv:399, 40 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 846944, 846944.0, 0.0, 846944, 846944, 'published', 0, 'unknown'), -- service_layers.csv:337, 50 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 742720, 742720.0, 0.0, 742720, 742720, 'published', 0, 'unknown'), -- service_layers.csv:275, 60 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 661440, 661440.0, 0.0, 661440, 661440, 'published', 0, 'unknown'), -- service_layers.csv:213, 70 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 571744, 571744.0, 0.0, 571744, 571744, 'published', 0, 'unknown'), -- service_layers.csv:151, 80 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 556480, 556480.0, 0.0, 556480, 556480, 'published', 0, 'unknown'), -- service_layers.csv:89, 90 %
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 546528, 546528.0, 0.0, 546528, 546528, 'published', 0, 'unknown'), -- service_layers.csv:27, 100 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 2962432, 2962432.0, 0.0, 2962432, 2962432, 'published', 0, 'unknown'), -- service_layers.csv:590, 10 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1720960, 1720960.0, 0.0, 1720960, 1720960, 'published', 0, 'unknown'), -- service_layers.csv:528, 20 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1245248, 1245248.0, 0.0, 1245248, 1245248, 'published', 0, 'unknown'), -- service_layers.csv:466, 30 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 976352, 976352.0, 0.0, 976352, 976352, 'published', 0, 'unknown'), -- service_layers.csv:404, 40 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 851840, 851840.0, 0.0, 851840, 851840, 'published', 0, 'unknown'), -- service_layers.csv:342, 50 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 749120, 749120.0, 0.0, 749120, 749120, 'published', 0, 'unknown'), -- service_layers.csv:280, 60 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 664352, 664352.0, 0.0, 664352, 664352, 'published', 0, 'unknown'), -- service_layers.csv:218, 70 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 568256, 568256.0, 0.0, 568256, 568256, 'published', 0, 'unknown'), -- service_layers.csv:156, 80 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 552448, 552448.0, 0.0, 552448, 552448, 'published', 0, 'unknown'), -- service_layers.csv:94, 90 %
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 549760, 549760.0, 0.0, 549760, 549760, 'published', 0, 'unknown'), -- service_layers.csv:32, 100 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 4220416, 4220416.0, 0.0, 4220416, 4220416, 'published', 0, 'unknown'), -- service_layers.csv:592, 10 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 2468608, 2468608.0, 0.0, 2468608, 2468608, 'published', 0, 'unknown'), -- service_layers.csv:530, 20 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1655168, 1655168.0, 0.0, 1655168, 1655168, 'published', 0, 'unknown'), -- service_layers.csv:468, 30 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1330720, 1330720.0, 0.0, 1330720, 1330720, 'published', 0, 'unknown'), -- service_layers.csv:406, 40 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 1136416, 1136416.0, 0.0, 1136416, 1136416, 'published', 0, 'unknown'), -- service_layers.csv:344, 50 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 981792, 981792.0, 0.0, 981792, 981792, 'published', 0, 'unknown'), -- service_layers.csv:282, 60 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 870816, 870816.0, 0.0, 870816, 870816, 'published', 0, 'unknown'), -- service_layers.csv:220, 70 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 732864, 732864.0, 0.0, 732864, 732864, 'published', 0, 'unknown'), -- service_layers.csv:158, 80 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 775936, 775936.0, 0.0, 775936, 775936, 'published', 0, 'unknown'), -- service_layers.csv:96, 90 %
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 778816, 778816.0, 0.0, 778816, 778816, 'published', 0, 'unknown'), -- service_layers.csv:34, 100 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 4270880, 4270880.0, 0.0, 4270880, 4270880, 'published', 0, 'unknown'), -- service_layers.csv:584, 10 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 2503552, 2503552.0, 0.0, 2503552, 2503552, 'published', 0, 'unknown'), -- service_layers.csv:522, 20 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1674880, 1674880.0, 0.0, 1674880, 1674880, 'published', 0, 'unknown'), -- service_layers.csv:460, 30 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1348192, 1348192.0, 0.0, 1348192, 1348192, 'published', 0, 'unknown'), -- service_layers.csv:398, 40 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 1170496, 1170496.0, 0.0, 1170496, 1170496, 'published', 0, 'unknown'), -- service_layers.csv:336, 50 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 933056, 933056.0, 0.0, 933056, 933056, 'published', 0, 'unknown'), -- service_layers.csv:274, 60 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 833472, 833472.0, 0.0, 833472, 833472, 'published', 0, 'unknown'), -- service_layers.csv:212, 70 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 793248, 793248.0, 0.0, 793248, 793248, 'published', 0, 'unknown'), -- service_layers.csv:150, 80 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 782304, 782304.0, 0.0, 782304, 782304, 'published', 0, 'unknown'), -- service_layers.csv:88, 90 %
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 772224, 772224.0, 0.0, 772224, 772224, 'published', 0, 'unknown'), -- service_layers.csv:26, 100 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 896800, 896800.0, 0.0, 896800, 896800, 'published', 0, 'unknown'), -- service_layers.csv:587, 10 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 612320, 612320.0, 0.0, 612320, 612320, 'published', 0, 'unknown'), -- service_layers.csv:525, 20 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 481536, 481536.0, 0.0, 481536, 481536, 'published', 0, 'unknown'), -- service_layers.csv:463, 30 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 398272, 398272.0, 0.0, 398272, 398272, 'published', 0, 'unknown'), -- service_layers.csv:401, 40 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 383616, 383616.0, 0.0, 383616, 383616, 'published', 0, 'unknown'), -- service_layers.csv:339, 50 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 381120, 381120.0, 0.0, 381120, 381120, 'published', 0, 'unknown'), -- service_layers.csv:277, 60 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 266048, 266048.0, 0.0, 266048, 266048, 'published', 0, 'unknown'), -- service_layers.csv:215, 70 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 240768, 240768.0, 0.0, 240768, 240768, 'published', 0, 'unknown'), -- service_layers.csv:153, 80 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 286336, 286336.0, 0.0, 286336, 286336, 'published', 0, 'unknown'), -- service_layers.csv:91, 90 %
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 292608, 292608.0, 0.0, 292608, 292608, 'published', 0, 'unknown'), -- service_layers.csv:29, 100 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 996064, 996064.0, 0.0, 996064, 996064, 'published', 0, 'unknown'), -- service_layers.csv:594, 10 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 616960, 616960.0, 0.0, 616960, 616960, 'published', 0, 'unknown'), -- service_layers.csv:532, 20 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 488320, 488320.0, 0.0, 488320, 488320, 'published', 0, 'unknown'), -- service_layers.csv:470, 30 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 395968, 395968.0, 0.0, 395968, 395968, 'published', 0, 'unknown'), -- service_layers.csv:408, 40 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 379616, 379616.0, 0.0, 379616, 379616, 'published', 0, 'unknown'), -- service_layers.csv:346, 50 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 383488, 383488.0, 0.0, 383488, 383488, 'published', 0, 'unknown'), -- service_layers.csv:284, 60 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 319168, 319168.0, 0.0, 319168, 319168, 'published', 0, 'unknown'), -- service_layers.csv:222, 70 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 293120, 293120.0, 0.0, 293120, 293120, 'published', 0, 'unknown'), -- service_layers.csv:160, 80 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 285344, 285344.0, 0.0, 285344, 285344, 'published', 0, 'unknown'), -- service_layers.csv:98, 90 %
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 291872, 291872.0, 0.0, 291872, 291872, 'published', 0, 'unknown'), -- service_layers.csv:36, 100 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 1562592, 1562592.0, 0.0, 1562592, 1562592, 'published', 0, 'unknown'), -- service_layers.csv:589, 10 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 978592, 978592.0, 0.0, 978592, 978592, 'published', 0, 'unknown'), -- service_layers.csv:527, 20 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 712352, 712352.0, 0.0, 712352, 712352, 'published', 0, 'unknown'), -- service_layers.csv:465, 30 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 581696, 581696.0, 0.0, 581696, 581696, 'published', 0, 'unknown'), -- service_layers.csv:403, 40 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 461952, 461952.0, 0.0, 461952, 461952, 'published', 0, 'unknown'), -- service_layers.csv:341, 50 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 472064, 472064.0, 0.0, 472064, 472064, 'published', 0, 'unknown'), -- service_layers.csv:279, 60 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 412928, 412928.0, 0.0, 412928, 412928, 'published', 0, 'unknown'), -- service_layers.csv:217, 70 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 379616, 379616.0, 0.0, 379616, 379616, 'published', 0, 'unknown'), -- service_layers.csv:155, 80 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 383968, 383968.0, 0.0, 383968, 383968, 'published', 0, 'unknown'), -- service_layers.csv:93, 90 %
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 390912, 390912.0, 0.0, 390912, 390912, 'published', 0, 'unknown'), -- service_layers.csv:31, 100 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 3037088, 3037088.0, 0.0, 3037088, 3037088, 'published', 0, 'unknown'), -- service_layers.csv:601, 10 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1887456, 1887456.0, 0.0, 1887456, 1887456, 'published', 0, 'unknown'), -- service_layers.csv:539, 20 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1225216, 1225216.0, 0.0, 1225216, 1225216, 'published', 0, 'unknown'), -- service_layers.csv:477, 30 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 991008, 991008.0, 0.0, 991008, 991008, 'published', 0, 'unknown'), -- service_layers.csv:415, 40 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 882624, 882624.0, 0.0, 882624, 882624, 'published', 0, 'unknown'), -- service_layers.csv:353, 50 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 828768, 828768.0, 0.0, 828768, 828768, 'published', 0, 'unknown'), -- service_layers.csv:291, 60 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 615392, 615392.0, 0.0, 615392, 615392, 'published', 0, 'unknown'), -- service_layers.csv:229, 70 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 575936, 575936.0, 0.0, 575936, 575936, 'published', 0, 'unknown'), -- service_layers.csv:167, 80 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 562880, 562880.0, 0.0, 562880, 562880, 'published', 0, 'unknown'), -- service_layers.csv:105, 90 %
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 564832, 564832.0, 0.0, 564832, 564832, 'published', 0, 'unknown'), -- service_layers.csv:43, 100 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 4183232, 4183232.0, 0.0, 4183232, 4183232, 'published', 0, 'unknown'), -- service_layers.csv:597, 10 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 2466592, 2466592.0, 0.0, 2466592, 2466592, 'published', 0, 'unknown'), -- service_layers.csv:535, 20 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1649248, 1649248.0, 0.0, 1649248, 1649248, 'published', 0, 'unknown'), -- service_layers.csv:473, 30 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1329632, 1329632.0, 0.0, 1329632, 1329632, 'published', 0, 'unknown'), -- service_layers.csv:411, 40 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 1154016, 1154016.0, 0.0, 1154016, 1154016, 'published', 0, 'unknown'), -- service_layers.csv:349, 50 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 978240, 978240.0, 0.0, 978240, 978240, 'published', 0, 'unknown'), -- service_layers.csv:287, 60 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 888544, 888544.0, 0.0, 888544, 888544, 'published', 0, 'unknown'), -- service_layers.csv:225, 70 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 805312, 805312.0, 0.0, 805312, 805312, 'published', 0, 'unknown'), -- service_layers.csv:163, 80 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 802688, 802688.0, 0.0, 802688, 802688, 'published', 0, 'unknown'), -- service_layers.csv:101, 90 %
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 720352, 720352.0, 0.0, 720352, 720352, 'published', 0, 'unknown'), -- service_layers.csv:39, 100 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 5909728, 5909728.0, 0.0, 5909728, 5909728, 'published', 0, 'unknown'), -- service_layers.csv:596, 10 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 3443712, 3443712.0, 0.0, 3443712, 3443712, 'published', 0, 'unknown'), -- service_layers.csv:534, 20 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 2306752, 2306752.0, 0.0, 2306752, 2306752, 'published', 0, 'unknown'), -- service_layers.csv:472, 30 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1813568, 1813568.0, 0.0, 1813568, 1813568, 'published', 0, 'unknown'), -- service_layers.csv:410, 40 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 1526048, 1526048.0, 0.0, 1526048, 1526048, 'published', 0, 'unknown'), -- service_layers.csv:348, 50 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 1292576, 1292576.0, 0.0, 1292576, 1292576, 'published', 0, 'unknown'), -- service_layers.csv:286, 60 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 1184480, 1184480.0, 0.0, 1184480, 1184480, 'published', 0, 'unknown'), -- service_layers.csv:224, 70 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 1010784, 1010784.0, 0.0, 1010784, 1010784, 'published', 0, 'unknown'), -- service_layers.csv:162, 80 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 971200, 971200.0, 0.0, 971200, 971200, 'published', 0, 'unknown'), -- service_layers.csv:100, 90 %
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 879840, 879840.0, 0.0, 879840, 879840, 'published', 0, 'unknown'), -- service_layers.csv:38, 100 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 974848, 974848.0, 0.0, 974848, 974848, 'published', 0, 'unknown'), -- service_layers.csv:599, 10 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 620032, 620032.0, 0.0, 620032, 620032, 'published', 0, 'unknown'), -- service_layers.csv:537, 20 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 450304, 450304.0, 0.0, 450304, 450304, 'published', 0, 'unknown'), -- service_layers.csv:475, 30 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 402720, 402720.0, 0.0, 402720, 402720, 'published', 0, 'unknown'), -- service_layers.csv:413, 40 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 391520, 391520.0, 0.0, 391520, 391520, 'published', 0, 'unknown'), -- service_layers.csv:351, 50 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 329504, 329504.0, 0.0, 329504, 329504, 'published', 0, 'unknown'), -- service_layers.csv:289, 60 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 273696, 273696.0, 0.0, 273696, 273696, 'published', 0, 'unknown'), -- service_layers.csv:227, 70 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 300064, 300064.0, 0.0, 300064, 300064, 'published', 0, 'unknown'), -- service_layers.csv:165, 80 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 241088, 241088.0, 0.0, 241088, 241088, 'published', 0, 'unknown'), -- service_layers.csv:103, 90 %
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 299616, 299616.0, 0.0, 299616, 299616, 'published', 0, 'unknown'), -- service_layers.csv:41, 100 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 77578500, 77578500.0, 0.0, 77578500, 77578500, 'published', 0, 'unknown'), -- service_layers.csv:566, 10 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 43835777, 43835777.0, 0.0, 43835777, 43835777, 'published', 0, 'unknown'), -- service_layers.csv:504, 20 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 28131457, 28131457.0, 0.0, 28131457, 28131457, 'published', 0, 'unknown'), -- service_layers.csv:442, 30 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 22017504, 22017504.0, 0.0, 22017504, 22017504, 'published', 0, 'unknown'), -- service_layers.csv:380, 40 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 18298719, 18298719.0, 0.0, 18298719, 18298719, 'published', 0, 'unknown'), -- service_layers.csv:318, 50 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 15301472, 15301472.0, 0.0, 15301472, 15301472, 'published', 0, 'unknown'), -- service_layers.csv:256, 60 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 13287712, 13287712.0, 0.0, 13287712, 13287712, 'published', 0, 'unknown'), -- service_layers.csv:194, 70 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 11135520, 11135520.0, 0.0, 11135520, 11135520, 'published', 0, 'unknown'), -- service_layers.csv:132, 80 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 10195937, 10195937.0, 0.0, 10195937, 10195937, 'published', 0, 'unknown'), -- service_layers.csv:70, 90 %
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 9352672, 9352672.0, 0.0, 9352672, 9352672, 'published', 0, 'unknown'), -- service_layers.csv:8, 100 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 3626912, 3626912.0, 0.0, 3626912, 3626912, 'published', 0, 'unknown'), -- service_layers.csv:565, 10 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 2169280, 2169280.0, 0.0, 2169280, 2169280, 'published', 0, 'unknown'), -- service_layers.csv:503, 20 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1452704, 1452704.0, 0.0, 1452704, 1452704, 'published', 0, 'unknown'), -- service_layers.csv:441, 30 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1164608, 1164608.0, 0.0, 1164608, 1164608, 'published', 0, 'unknown'), -- service_layers.csv:379, 40 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 1000384, 1000384.0, 0.0, 1000384, 1000384, 'published', 0, 'unknown'), -- service_layers.csv:317, 50 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 839808, 839808.0, 0.0, 839808, 839808, 'published', 0, 'unknown'), -- service_layers.csv:255, 60 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 759616, 759616.0, 0.0, 759616, 759616, 'published', 0, 'unknown'), -- service_layers.csv:193, 70 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 681440, 681440.0, 0.0, 681440, 681440, 'published', 0, 'unknown'), -- service_layers.csv:131, 80 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 579584, 579584.0, 0.0, 579584, 579584, 'published', 0, 'unknown'), -- service_layers.csv:69, 90 %
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 612224, 612224.0, 0.0, 612224, 612224, 'published', 0, 'unknown'), -- service_layers.csv:7, 100 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 1313152, 1313152.0, 0.0, 1313152, 1313152, 'published', 0, 'unknown'), -- service_layers.csv:607, 10 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 810144, 810144.0, 0.0, 810144, 810144, 'published', 0, 'unknown'), -- service_layers.csv:545, 20 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 583968, 583968.0, 0.0, 583968, 583968, 'published', 0, 'unknown'), -- service_layers.csv:483, 30 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 483328, 483328.0, 0.0, 483328, 483328, 'published', 0, 'unknown'), -- service_layers.csv:421, 40 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 429568, 429568.0, 0.0, 429568, 429568, 'published', 0, 'unknown'), -- service_layers.csv:359, 50 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 483168, 483168.0, 0.0, 483168, 483168, 'published', 0, 'unknown'), -- service_layers.csv:297, 60 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 470464, 470464.0, 0.0, 470464, 470464, 'published', 0, 'unknown'), -- service_layers.csv:235, 70 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 368160, 368160.0, 0.0, 368160, 368160, 'published', 0, 'unknown'), -- service_layers.csv:173, 80 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 324384, 324384.0, 0.0, 324384, 324384, 'published', 0, 'unknown'), -- service_layers.csv:111, 90 %
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 316064, 316064.0, 0.0, 316064, 316064, 'published', 0, 'unknown'), -- service_layers.csv:49, 100 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 1901888, 1901888.0, 0.0, 1901888, 1901888, 'published', 0, 'unknown'), -- service_layers.csv:603, 10 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1148192, 1148192.0, 0.0, 1148192, 1148192, 'published', 0, 'unknown'), -- service_layers.csv:541, 20 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 806176, 806176.0, 0.0, 806176, 806176, 'published', 0, 'unknown'), -- service_layers.csv:479, 30 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 669376, 669376.0, 0.0, 669376, 669376, 'published', 0, 'unknown'), -- service_layers.csv:417, 40 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 577696, 577696.0, 0.0, 577696, 577696, 'published', 0, 'unknown'), -- service_layers.csv:355, 50 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 494208, 494208.0, 0.0, 494208, 494208, 'published', 0, 'unknown'), -- service_layers.csv:293, 60 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 487424, 487424.0, 0.0, 487424, 487424, 'published', 0, 'unknown'), -- service_layers.csv:231, 70 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 422752, 422752.0, 0.0, 422752, 422752, 'published', 0, 'unknown'), -- service_layers.csv:169, 80 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 428224, 428224.0, 0.0, 428224, 428224, 'published', 0, 'unknown'), -- service_layers.csv:107, 90 %
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 419488, 419488.0, 0.0, 419488, 419488, 'published', 0, 'unknown'), -- service_layers.csv:45, 100 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 1911456, 1911456.0, 0.0, 1911456, 1911456, 'published', 0, 'unknown'), -- service_layers.csv:609, 10 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1166688, 1166688.0, 0.0, 1166688, 1166688, 'published', 0, 'unknown'), -- service_layers.csv:547, 20 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 807712, 807712.0, 0.0, 807712, 807712, 'published', 0, 'unknown'), -- service_layers.csv:485, 30 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 667840, 667840.0, 0.0, 667840, 667840, 'published', 0, 'unknown'), -- service_layers.csv:423, 40 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 578048, 578048.0, 0.0, 578048, 578048, 'published', 0, 'unknown'), -- service_layers.csv:361, 50 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 498624, 498624.0, 0.0, 498624, 498624, 'published', 0, 'unknown'), -- service_layers.csv:299, 60 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 489728, 489728.0, 0.0, 489728, 489728, 'published', 0, 'unknown'), -- service_layers.csv:237, 70 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 416704, 416704.0, 0.0, 416704, 416704, 'published', 0, 'unknown'), -- service_layers.csv:175, 80 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 426816, 426816.0, 0.0, 426816, 426816, 'published', 0, 'unknown'), -- service_layers.csv:113, 90 %
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 368224, 368224.0, 0.0, 368224, 368224, 'published', 0, 'unknown'), -- service_layers.csv:51, 100 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 2504768, 2504768.0, 0.0, 2504768, 2504768, 'published', 0, 'unknown'), -- service_layers.csv:602, 10 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 1443616, 1443616.0, 0.0, 1443616, 1443616, 'published', 0, 'unknown'), -- service_layers.csv:540, 20 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1064960, 1064960.0, 0.0, 1064960, 1064960, 'published', 0, 'unknown'), -- service_layers.csv:478, 30 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 853504, 853504.0, 0.0, 853504, 853504, 'published', 0, 'unknown'), -- service_layers.csv:416, 40 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 737376, 737376.0, 0.0, 737376, 737376, 'published', 0, 'unknown'), -- service_layers.csv:354, 50 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 642336, 642336.0, 0.0, 642336, 642336, 'published', 0, 'unknown'), -- service_layers.csv:292, 60 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 577440, 577440.0, 0.0, 577440, 577440, 'published', 0, 'unknown'), -- service_layers.csv:230, 70 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 512288, 512288.0, 0.0, 512288, 512288, 'published', 0, 'unknown'), -- service_layers.csv:168, 80 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 515488, 515488.0, 0.0, 515488, 515488, 'published', 0, 'unknown'), -- service_layers.csv:106, 90 %
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 499040, 499040.0, 0.0, 499040, 499040, 'published', 0, 'unknown'), -- service_layers.csv:44, 100 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 537984, 537984.0, 0.0, 537984, 537984, 'published', 0, 'unknown'), -- service_layers.csv:605, 10 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 355424, 355424.0, 0.0, 355424, 355424, 'published', 0, 'unknown'), -- service_layers.csv:543, 20 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 337952, 337952.0, 0.0, 337952, 337952, 'published', 0, 'unknown'), -- service_layers.csv:481, 30 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 327424, 327424.0, 0.0, 327424, 327424, 'published', 0, 'unknown'), -- service_layers.csv:419, 40 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 327168, 327168.0, 0.0, 327168, 327168, 'published', 0, 'unknown'), -- service_layers.csv:357, 50 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 278496, 278496.0, 0.0, 278496, 278496, 'published', 0, 'unknown'), -- service_layers.csv:295, 60 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 318016, 318016.0, 0.0, 318016, 318016, 'published', 0, 'unknown'), -- service_layers.csv:233, 70 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 302208, 302208.0, 0.0, 302208, 302208, 'published', 0, 'unknown'), -- service_layers.csv:171, 80 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 294016, 294016.0, 0.0, 294016, 294016, 'published', 0, 'unknown'), -- service_layers.csv:109, 90 %
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 303136, 303136.0, 0.0, 303136, 303136, 'published', 0, 'unknown'), -- service_layers.csv:47, 100 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 3611072, 3611072.0, 0.0, 3611072, 3611072, 'published', 0, 'unknown'), -- service_layers.csv:608, 10 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 2195392, 2195392.0, 0.0, 2195392, 2195392, 'published', 0, 'unknown'), -- service_layers.csv:546, 20 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 1465248, 1465248.0, 0.0, 1465248, 1465248, 'published', 0, 'unknown'), -- service_layers.csv:484, 30 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 1173120, 1173120.0, 0.0, 1173120, 1173120, 'published', 0, 'unknown'), -- service_layers.csv:422, 40 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 984768, 984768.0, 0.0, 984768, 984768, 'published', 0, 'unknown'), -- service_layers.csv:360, 50 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 845568, 845568.0, 0.0, 845568, 845568, 'published', 0, 'unknown'), -- service_layers.csv:298, 60 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 749600, 749600.0, 0.0, 749600, 749600, 'published', 0, 'unknown'), -- service_layers.csv:236, 70 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 597184, 597184.0, 0.0, 597184, 597184, 'published', 0, 'unknown'), -- service_layers.csv:174, 80 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 659232, 659232.0, 0.0, 659232, 659232, 'published', 0, 'unknown'), -- service_layers.csv:112, 90 %
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 598304, 598304.0, 0.0, 598304, 598304, 'published', 0, 'unknown'), -- service_layers.csv:50, 100 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 7, 1, 0, 735520, 735520.0, 0.0, 735520, 735520, 'published', 0, 'unknown'), -- service_layers.csv:611, 10 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 14, 1, 0, 496288, 496288.0, 0.0, 496288, 496288, 'published', 0, 'unknown'), -- service_layers.csv:549, 20 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 20, 1, 0, 404864, 404864.0, 0.0, 404864, 404864, 'published', 0, 'unknown'), -- service_layers.csv:487, 30 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 27, 1, 0, 330560, 330560.0, 0.0, 330560, 330560, 'published', 0, 'unknown'), -- service_layers.csv:425, 40 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 34, 1, 0, 329856, 329856.0, 0.0, 329856, 329856, 'published', 0, 'unknown'), -- service_layers.csv:363, 50 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 41, 1, 0, 319840, 319840.0, 0.0, 319840, 319840, 'published', 0, 'unknown'), -- service_layers.csv:301, 60 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 48, 1, 0, 325152, 325152.0, 0.0, 325152, 325152, 'published', 0, 'unknown'), -- service_layers.csv:239, 70 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 54, 1, 0, 253664, 253664.0, 0.0, 253664, 253664, 'published', 0, 'unknown'), -- service_layers.csv:177, 80 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 61, 1, 0, 264448, 264448.0, 0.0, 264448, 264448, 'published', 0, 'unknown'), -- service_layers.csv:115, 90 %
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'mps', 68, 1, 0, 252032, 252032.0, 0.0, 252032, 252032, 'published', 0, 'unknown'), -- service_layers.csv:53, 100 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 7834944, 7834944.0, 0.0, 7834944, 7834944, 'published', 0, 'unknown'), -- service_layers.csv:580, 10 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 4575936, 4575936.0, 0.0, 4575936, 4575936, 'published', 0, 'unknown'), -- service_layers.csv:518, 20 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 2929280, 2929280.0, 0.0, 2929280, 2929280, 'published', 0, 'unknown'), -- service_layers.csv:456, 30 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 2368672, 2368672.0, 0.0, 2368672, 2368672, 'published', 0, 'unknown'), -- service_layers.csv:394, 40 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 1974208, 1974208.0, 0.0, 1974208, 1974208, 'published', 0, 'unknown'), -- service_layers.csv:332, 50 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 1638304, 1638304.0, 0.0, 1638304, 1638304, 'published', 0, 'unknown'), -- service_layers.csv:270, 60 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 1450912, 1450912.0, 0.0, 1450912, 1450912, 'published', 0, 'unknown'), -- service_layers.csv:208, 70 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 1281888, 1281888.0, 0.0, 1281888, 1281888, 'published', 0, 'unknown'), -- service_layers.csv:146, 80 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 1147296, 1147296.0, 0.0, 1147296, 1147296, 'published', 0, 'unknown'), -- service_layers.csv:84, 90 %
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 1065920, 1065920.0, 0.0, 1065920, 1065920, 'published', 0, 'unknown'), -- service_layers.csv:22, 100 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 18292928, 18292928.0, 0.0, 18292928, 18292928, 'published', 0, 'unknown'), -- service_layers.csv:569, 10 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 10326111, 10326111.0, 0.0, 10326111, 10326111, 'published', 0, 'unknown'), -- service_layers.csv:507, 20 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 6674944, 6674944.0, 0.0, 6674944, 6674944, 'published', 0, 'unknown'), -- service_layers.csv:445, 30 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 5366496, 5366496.0, 0.0, 5366496, 5366496, 'published', 0, 'unknown'), -- service_layers.csv:383, 40 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 4424128, 4424128.0, 0.0, 4424128, 4424128, 'published', 0, 'unknown'), -- service_layers.csv:321, 50 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 3622208, 3622208.0, 0.0, 3622208, 3622208, 'published', 0, 'unknown'), -- service_layers.csv:259, 60 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 3252256, 3252256.0, 0.0, 3252256, 3252256, 'published', 0, 'unknown'), -- service_layers.csv:197, 70 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 2825312, 2825312.0, 0.0, 2825312, 2825312, 'published', 0, 'unknown'), -- service_layers.csv:135, 80 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 2559200, 2559200.0, 0.0, 2559200, 2559200, 'published', 0, 'unknown'), -- service_layers.csv:73, 90 %
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 2379072, 2379072.0, 0.0, 2379072, 2379072, 'published', 0, 'unknown'), -- service_layers.csv:11, 100 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 7, 1, 0, 45248, 45248.0, 0.0, 45248, 45248, 'published', 0, 'unknown'), -- service_layers.csv:1410, 10 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 14, 1, 0, 44672, 44672.0, 0.0, 44672, 44672, 'published', 0, 'unknown'), -- service_layers.csv:1406, 20 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 20, 1, 0, 30880, 30880.0, 0.0, 30880, 30880, 'published', 0, 'unknown'), -- service_layers.csv:1402, 30 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 27, 1, 0, 37568, 37568.0, 0.0, 37568, 37568, 'published', 0, 'unknown'), -- service_layers.csv:1398, 40 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 34, 1, 0, 35072, 35072.0, 0.0, 35072, 35072, 'published', 0, 'unknown'), -- service_layers.csv:1394, 50 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 41, 1, 0, 35200, 35200.0, 0.0, 35200, 35200, 'published', 0, 'unknown'), -- service_layers.csv:1390, 60 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 48, 1, 0, 75776, 75776.0, 0.0, 75776, 75776, 'published', 0, 'unknown'), -- service_layers.csv:1386, 70 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 54, 1, 0, 33152, 33152.0, 0.0, 33152, 33152, 'published', 0, 'unknown'), -- service_layers.csv:1382, 80 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 61, 1, 0, 30624, 30624.0, 0.0, 30624, 30624, 'published', 0, 'unknown'), -- service_layers.csv:1378, 90 %
    ('googlenet', 144, 'softmax_1000x1x1', 'mps', 68, 1, 0, 44128, 44128.0, 0.0, 44128, 44128, 'published', 0, 'unknown'), -- service_layers.csv:1374, 100 %
    ('vgg', 27, 'add_128x112x112', 'mps', 7, 1, 0, 3776448, 3776448.0, 0.0, 3776448, 3776448, 'published', 0, 'unknown'), -- service_layers.csv:1368, 10 %
    ('vgg', 27, 'add_128x112x112', 'mps', 14, 1, 0, 2284256, 2284256.0, 0.0, 2284256, 2284256, 'published', 0, 'unknown'), -- service_layers.csv:1326, 20 %
    ('vgg', 27, 'add_128x112x112', 'mps', 20, 1, 0, 1541440, 1541440.0, 0.0, 1541440, 1541440, 'published', 0, 'unknown'), -- service_layers.csv:1284, 30 %
    ('vgg', 27, 'add_128x112x112', 'mps', 27, 1, 0, 1263776, 1263776.0, 0.0, 1263776, 1263776, 'published', 0, 'unknown'), -- service_layers.csv:1242, 40 %
    ('vgg', 27, 'add_128x112x112', 'mps', 34, 1, 0, 1061248, 1061248.0, 0.0, 1061248, 1061248, 'published', 0, 'unknown'), -- service_layers.csv:1200, 50 %
    ('vgg', 27, 'add_128x112x112', 'mps', 41, 1, 0, 896032, 896032.0, 0.0, 896032, 896032, 'published', 0, 'unknown'), -- service_layers.csv:1158, 60 %
    ('vgg', 27, 'add_128x112x112', 'mps', 48, 1, 0, 776032, 776032.0, 0.0, 776032, 776032, 'published', 0, 'unknown'), -- service_layers.csv:1116, 70 %
    ('vgg', 27, 'add_128x112x112', 'mps', 54, 1, 0, 761824, 761824.0, 0.0, 761824, 761824, 'published', 0, 'unknown'), -- service_layers.csv:1074, 80 %
    ('vgg', 27, 'add_128x112x112', 'mps', 61, 1, 0, 743616, 743616.0, 0.0, 743616, 743616, 'published', 0, 'unknown'), -- service_layers.csv:1032, 90 %
    ('vgg', 27, 'add_128x112x112', 'mps', 68, 1, 0, 734048, 734048.0, 0.0, 734048, 734048, 'published', 0, 'unknown'), -- service_layers.csv:990, 100 %
    ('vgg', 27, 'add_256x56x56', 'mps', 7, 1, 0, 1947040, 1947040.0, 0.0, 1947040, 1947040, 'published', 0, 'unknown'), -- service_layers.csv:1369, 10 %
    ('vgg', 27, 'add_256x56x56', 'mps', 14, 1, 0, 1155488, 1155488.0, 0.0, 1155488, 1155488, 'published', 0, 'unknown'), -- service_layers.csv:1327, 20 %
    ('vgg', 27, 'add_256x56x56', 'mps', 20, 1, 0, 811584, 811584.0, 0.0, 811584, 811584, 'published', 0, 'unknown'), -- service_layers.csv:1285, 30 %
    ('vgg', 27, 'add_256x56x56', 'mps', 27, 1, 0, 681856, 681856.0, 0.0, 681856, 681856, 'published', 0, 'unknown'), -- service_layers.csv:1243, 40 %
    ('vgg', 27, 'add_256x56x56', 'mps', 34, 1, 0, 582688, 582688.0, 0.0, 582688, 582688, 'published', 0, 'unknown'), -- service_layers.csv:1201, 50 %
    ('vgg', 27, 'add_256x56x56', 'mps', 41, 1, 0, 499104, 499104.0, 0.0, 499104, 499104, 'published', 0, 'unknown'), -- service_layers.csv:1159, 60 %
    ('vgg', 27, 'add_256x56x56', 'mps', 48, 1, 0, 449376, 449376.0, 0.0, 449376, 449376, 'published', 0, 'unknown'), -- service_layers.csv:1117, 70 %
    ('vgg', 27, 'add_256x56x56', 'mps', 54, 1, 0, 438016, 438016.0, 0.0, 438016, 438016, 'published', 0, 'unknown'), -- service_layers.csv:1075, 80 %
    ('vgg', 27, 'add_256x56x56', 'mps', 61, 1, 0, 410816, 410816.0, 0.0, 410816, 410816, 'published', 0, 'unknown'), -- service_layers.csv:1033, 90 %
    ('vgg', 27, 'add_256x56x56', 'mps', 68, 1, 0, 374016, 374016.0, 0.0, 374016, 374016, 'published', 0, 'unknown'), -- service_layers.csv:991, 100 %
    ('vgg', 27, 'add_512x14x14', 'mps', 7, 1, 0, 284640, 284640.0, 0.0, 284640, 284640, 'published', 0, 'unknown'), -- service_layers.csv:1371, 10 %
    ('vgg', 27, 'add_512x14x14', 'mps', 14, 1, 0, 203968, 203968.0, 0.0, 203968, 203968, 'published', 0, 'unknown'), -- service_layers.csv:1329, 20 %
    ('vgg', 27, 'add_512x14x14', 'mps', 20, 1, 0, 144608, 144608.0, 0.0, 144608, 144608, 'published', 0, 'unknown'), -- service_layers.csv:1287, 30 %
    ('vgg', 27, 'add_512x14x14', 'mps', 27, 1, 0, 131456, 131456.0, 0.0, 131456, 131456, 'published', 0, 'unknown'), -- service_layers.csv:1245, 40 %
    ('vgg', 27, 'add_512x14x14', 'mps', 34, 1, 0, 120896, 120896.0, 0.0, 120896, 120896, 'published', 0, 'unknown'), -- service_layers.csv:1203, 50 %
    ('vgg', 27, 'add_512x14x14', 'mps', 41, 1, 0, 112672, 112672.0, 0.0, 112672, 112672, 'published', 0, 'unknown'), -- service_layers.csv:1161, 60 %
    ('vgg', 27, 'add_512x14x14', 'mps', 48, 1, 0, 102464, 102464.0, 0.0, 102464, 102464, 'published', 0, 'unknown'), -- service_layers.csv:1119, 70 %
    ('vgg', 27, 'add_512x14x14', 'mps', 54, 1, 0, 99424, 99424.0, 0.0, 99424, 99424, 'published', 0, 'unknown'), -- service_layers.csv:1077, 80 %
    ('vgg', 27, 'add_512x14x14', 'mps', 61, 1, 0, 84352, 84352.0, 0.0, 84352, 84352, 'published', 0, 'unknown'), -- service_layers.csv:1035, 90 %
    ('vgg', 27, 'add_512x14x14', 'mps', 68, 1, 0, 101536, 101536.0, 0.0, 101536, 101536, 'published', 0, 'unknown'), -- service_layers.csv:993, 100 %
    ('vgg', 27, 'add_512x28x28', 'mps', 7, 1, 0, 1019488, 1019488.0, 0.0, 1019488, 1019488, 'published', 0, 'unknown'), -- service_layers.csv:1370, 10 %
    ('vgg', 27, 'add_512x28x28', 'mps', 14, 1, 0, 646848, 646848.0, 0.0, 646848, 646848, 'published', 0, 'unknown'), -- service_layers.csv:1328, 20 %
    ('vgg', 27, 'add_512x28x28', 'mps', 20, 1, 0, 451296, 451296.0, 0.0, 451296, 451296, 'published', 0, 'unknown'), -- service_layers.csv:1286, 30 %
    ('vgg', 27, 'add_512x28x28', 'mps', 27, 1, 0, 347104, 347104.0, 0.0, 347104, 347104, 'published', 0, 'unknown'), -- service_layers.csv:1244, 40 %
    ('vgg', 27, 'add_512x28x28', 'mps', 34, 1, 0, 334080, 334080.0, 0.0, 334080, 334080, 'published', 0, 'unknown'), -- service_layers.csv:1202, 50 %
    ('vgg', 27, 'add_512x28x28', 'mps', 41, 1, 0, 293696, 293696.0, 0.0, 293696, 293696, 'published', 0, 'unknown'), -- service_layers.csv:1160, 60 %
    ('vgg', 27, 'add_512x28x28', 'mps', 48, 1, 0, 279968, 279968.0, 0.0, 279968, 279968, 'published', 0, 'unknown'), -- service_layers.csv:1118, 70 %
    ('vgg', 27, 'add_512x28x28', 'mps', 54, 1, 0, 260448, 260448.0, 0.0, 260448, 260448, 'published', 0, 'unknown'), -- service_layers.csv:1076, 80 %
    ('vgg', 27, 'add_512x28x28', 'mps', 61, 1, 0, 258944, 258944.0, 0.0, 258944, 258944, 'published', 0, 'unknown'), -- service_layers.csv:1034, 90 %
    ('vgg', 27, 'add_512x28x28', 'mps', 68, 1, 0, 260000, 260000.0, 0.0, 260000, 260000, 'published', 0, 'unknown'), -- service_layers.csv:992, 100 %
    ('vgg', 27, 'add_64x224x224', 'mps', 7, 1, 0, 7645120, 7645120.0, 0.0, 7645120, 7645120, 'published', 0, 'unknown'), -- service_layers.csv:1367, 10 %
    ('vgg', 27, 'add_64x224x224', 'mps', 14, 1, 0, 4551904, 4551904.0, 0.0, 4551904, 4551904, 'published', 0, 'unknown'), -- service_layers.csv:1325, 20 %
    ('vgg', 27, 'add_64x224x224', 'mps', 20, 1, 0, 3041248, 3041248.0, 0.0, 3041248, 3041248, 'published', 0, 'unknown'), -- service_layers.csv:1283, 30 %
    ('vgg', 27, 'add_64x224x224', 'mps', 27, 1, 0, 2443360, 2443360.0, 0.0, 2443360, 2443360, 'published', 0, 'unknown'), -- service_layers.csv:1241, 40 %
    ('vgg', 27, 'add_64x224x224', 'mps', 34, 1, 0, 2034944, 2034944.0, 0.0, 2034944, 2034944, 'published', 0, 'unknown'), -- service_layers.csv:1199, 50 %
    ('vgg', 27, 'add_64x224x224', 'mps', 41, 1, 0, 1723808, 1723808.0, 0.0, 1723808, 1723808, 'published', 0, 'unknown'), -- service_layers.csv:1157, 60 %
    ('vgg', 27, 'add_64x224x224', 'mps', 48, 1, 0, 1556064, 1556064.0, 0.0, 1556064, 1556064, 'published', 0, 'unknown'), -- service_layers.csv:1115, 70 %
    ('vgg', 27, 'add_64x224x224', 'mps', 54, 1, 0, 1424960, 1424960.0, 0.0, 1424960, 1424960, 'published', 0, 'unknown'), -- service_layers.csv:1073, 80 %
    ('vgg', 27, 'add_64x224x224', 'mps', 61, 1, 0, 1395936, 1395936.0, 0.0, 1395936, 1395936, 'published', 0, 'unknown'), -- service_layers.csv:1031, 90 %
    ('vgg', 27, 'add_64x224x224', 'mps', 68, 1, 0, 1367648, 1367648.0, 0.0, 1367648, 1367648, 'published', 0, 'unknown'), -- service_layers.csv:989, 100 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 54179328, 54179328.0, 0.0, 54179328, 54179328, 'published', 0, 'unknown'), -- service_layers.csv:616, 10 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 30044512, 30044512.0, 0.0, 30044512, 30044512, 'published', 0, 'unknown'), -- service_layers.csv:554, 20 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 19074080, 19074080.0, 0.0, 19074080, 19074080, 'published', 0, 'unknown'), -- service_layers.csv:492, 30 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 15638464, 15638464.0, 0.0, 15638464, 15638464, 'published', 0, 'unknown'), -- service_layers.csv:430, 40 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 12420673, 12420673.0, 0.0, 12420673, 12420673, 'published', 0, 'unknown'), -- service_layers.csv:368, 50 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 10239552, 10239552.0, 0.0, 10239552, 10239552, 'published', 0, 'unknown'), -- service_layers.csv:306, 60 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 9071744, 9071744.0, 0.0, 9071744, 9071744, 'published', 0, 'unknown'), -- service_layers.csv:244, 70 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 7872096, 7872096.0, 0.0, 7872096, 7872096, 'published', 0, 'unknown'), -- service_layers.csv:182, 80 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 6949248, 6949248.0, 0.0, 6949248, 6949248, 'published', 0, 'unknown'), -- service_layers.csv:120, 90 %
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 6486688, 6486688.0, 0.0, 6486688, 6486688, 'published', 0, 'unknown'), -- service_layers.csv:58, 100 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 30854240, 30854240.0, 0.0, 30854240, 30854240, 'published', 0, 'unknown'), -- service_layers.csv:617, 10 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 17115393, 17115393.0, 0.0, 17115393, 17115393, 'published', 0, 'unknown'), -- service_layers.csv:555, 20 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 10960640, 10960640.0, 0.0, 10960640, 10960640, 'published', 0, 'unknown'), -- service_layers.csv:493, 30 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 8742304, 8742304.0, 0.0, 8742304, 8742304, 'published', 0, 'unknown'), -- service_layers.csv:431, 40 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 7185344, 7185344.0, 0.0, 7185344, 7185344, 'published', 0, 'unknown'), -- service_layers.csv:369, 50 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 5886080, 5886080.0, 0.0, 5886080, 5886080, 'published', 0, 'unknown'), -- service_layers.csv:307, 60 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 5394592, 5394592.0, 0.0, 5394592, 5394592, 'published', 0, 'unknown'), -- service_layers.csv:245, 70 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 4475264, 4475264.0, 0.0, 4475264, 4475264, 'published', 0, 'unknown'), -- service_layers.csv:183, 80 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 4102048, 4102048.0, 0.0, 4102048, 4102048, 'published', 0, 'unknown'), -- service_layers.csv:121, 90 %
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 3791200, 3791200.0, 0.0, 3791200, 3791200, 'published', 0, 'unknown'), -- service_layers.csv:59, 100 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 37040641, 37040641.0, 0.0, 37040641, 37040641, 'published', 0, 'unknown'), -- service_layers.csv:619, 10 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 21222496, 21222496.0, 0.0, 21222496, 21222496, 'published', 0, 'unknown'), -- service_layers.csv:557, 20 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 13757472, 13757472.0, 0.0, 13757472, 13757472, 'published', 0, 'unknown'), -- service_layers.csv:495, 30 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 10693729, 10693729.0, 0.0, 10693729, 10693729, 'published', 0, 'unknown'), -- service_layers.csv:433, 40 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 8930304, 8930304.0, 0.0, 8930304, 8930304, 'published', 0, 'unknown'), -- service_layers.csv:371, 50 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 7180288, 7180288.0, 0.0, 7180288, 7180288, 'published', 0, 'unknown'), -- service_layers.csv:309, 60 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 6318432, 6318432.0, 0.0, 6318432, 6318432, 'published', 0, 'unknown'), -- service_layers.csv:247, 70 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 5597600, 5597600.0, 0.0, 5597600, 5597600, 'published', 0, 'unknown'), -- service_layers.csv:185, 80 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 4946624, 4946624.0, 0.0, 4946624, 4946624, 'published', 0, 'unknown'), -- service_layers.csv:123, 90 %
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 4544416, 4544416.0, 0.0, 4544416, 4544416, 'published', 0, 'unknown'), -- service_layers.csv:61, 100 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 57605758, 57605758.0, 0.0, 57605758, 57605758, 'published', 0, 'unknown'), -- service_layers.csv:618, 10 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 31810240, 31810240.0, 0.0, 31810240, 31810240, 'published', 0, 'unknown'), -- service_layers.csv:556, 20 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 20292447, 20292447.0, 0.0, 20292447, 20292447, 'published', 0, 'unknown'), -- service_layers.csv:494, 30 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 16141504, 16141504.0, 0.0, 16141504, 16141504, 'published', 0, 'unknown'), -- service_layers.csv:432, 40 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 13275424, 13275424.0, 0.0, 13275424, 13275424, 'published', 0, 'unknown'), -- service_layers.csv:370, 50 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 10763264, 10763264.0, 0.0, 10763264, 10763264, 'published', 0, 'unknown'), -- service_layers.csv:308, 60 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 9706688, 9706688.0, 0.0, 9706688, 9706688, 'published', 0, 'unknown'), -- service_layers.csv:246, 70 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 8321312, 8321312.0, 0.0, 8321312, 8321312, 'published', 0, 'unknown'), -- service_layers.csv:184, 80 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 7450752, 7450752.0, 0.0, 7450752, 7450752, 'published', 0, 'unknown'), -- service_layers.csv:122, 90 %
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 6845536, 6845536.0, 0.0, 6845536, 6845536, 'published', 0, 'unknown'), -- service_layers.csv:60, 100 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 7, 1, 0, 6402880, 6402880.0, 0.0, 6402880, 6402880, 'published', 0, 'unknown'), -- service_layers.csv:613, 10 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 14, 1, 0, 3707616, 3707616.0, 0.0, 3707616, 3707616, 'published', 0, 'unknown'), -- service_layers.csv:551, 20 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 20, 1, 0, 2386016, 2386016.0, 0.0, 2386016, 2386016, 'published', 0, 'unknown'), -- service_layers.csv:489, 30 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 27, 1, 0, 1895968, 1895968.0, 0.0, 1895968, 1895968, 'published', 0, 'unknown'), -- service_layers.csv:427, 40 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 34, 1, 0, 1567040, 1567040.0, 0.0, 1567040, 1567040, 'published', 0, 'unknown'), -- service_layers.csv:365, 50 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 41, 1, 0, 1302464, 1302464.0, 0.0, 1302464, 1302464, 'published', 0, 'unknown'), -- service_layers.csv:303, 60 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 48, 1, 0, 1184960, 1184960.0, 0.0, 1184960, 1184960, 'published', 0, 'unknown'), -- service_layers.csv:241, 70 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 54, 1, 0, 992384, 992384.0, 0.0, 992384, 992384, 'published', 0, 'unknown'), -- service_layers.csv:179, 80 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 61, 1, 0, 912960, 912960.0, 0.0, 912960, 912960, 'published', 0, 'unknown'), -- service_layers.csv:117, 90 %
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'mps', 68, 1, 0, 843584, 843584.0, 0.0, 843584, 843584, 'published', 0, 'unknown'), -- service_layers.csv:55, 100 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 19532674, 19532674.0, 0.0, 19532674, 19532674, 'published', 0, 'unknown'), -- service_layers.csv:621, 10 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 11327488, 11327488.0, 0.0, 11327488, 11327488, 'published', 0, 'unknown'), -- service_layers.csv:559, 20 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 7363456, 7363456.0, 0.0, 7363456, 7363456, 'published', 0, 'unknown'), -- service_layers.csv:497, 30 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 5791136, 5791136.0, 0.0, 5791136, 5791136, 'published', 0, 'unknown'), -- service_layers.csv:435, 40 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 4797440, 4797440.0, 0.0, 4797440, 4797440, 'published', 0, 'unknown'), -- service_layers.csv:373, 50 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 3946784, 3946784.0, 0.0, 3946784, 3946784, 'published', 0, 'unknown'), -- service_layers.csv:311, 60 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 3428192, 3428192.0, 0.0, 3428192, 3428192, 'published', 0, 'unknown'), -- service_layers.csv:249, 70 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 3068576, 3068576.0, 0.0, 3068576, 3068576, 'published', 0, 'unknown'), -- service_layers.csv:187, 80 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 2929248, 2929248.0, 0.0, 2929248, 2929248, 'published', 0, 'unknown'), -- service_layers.csv:125, 90 %
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 2544736, 2544736.0, 0.0, 2544736, 2544736, 'published', 0, 'unknown'), -- service_layers.csv:63, 100 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 73696352, 73696352.0, 0.0, 73696352, 73696352, 'published', 0, 'unknown'), -- service_layers.csv:620, 10 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 42182305, 42182305.0, 0.0, 42182305, 42182305, 'published', 0, 'unknown'), -- service_layers.csv:558, 20 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 27339553, 27339553.0, 0.0, 27339553, 27339553, 'published', 0, 'unknown'), -- service_layers.csv:496, 30 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 21175264, 21175264.0, 0.0, 21175264, 21175264, 'published', 0, 'unknown'), -- service_layers.csv:434, 40 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 17669121, 17669121.0, 0.0, 17669121, 17669121, 'published', 0, 'unknown'), -- service_layers.csv:372, 50 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 14179200, 14179200.0, 0.0, 14179200, 14179200, 'published', 0, 'unknown'), -- service_layers.csv:310, 60 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 12418560, 12418560.0, 0.0, 12418560, 12418560, 'published', 0, 'unknown'), -- service_layers.csv:248, 70 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 11021280, 11021280.0, 0.0, 11021280, 11021280, 'published', 0, 'unknown'), -- service_layers.csv:186, 80 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 9736319, 9736319.0, 0.0, 9736319, 9736319, 'published', 0, 'unknown'), -- service_layers.csv:124, 90 %
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 8923552, 8923552.0, 0.0, 8923552, 8923552, 'published', 0, 'unknown'), -- service_layers.csv:62, 100 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 30775744, 30775744.0, 0.0, 30775744, 30775744, 'published', 0, 'unknown'), -- service_layers.csv:615, 10 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 17227742, 17227742.0, 0.0, 17227742, 17227742, 'published', 0, 'unknown'), -- service_layers.csv:553, 20 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 10951872, 10951872.0, 0.0, 10951872, 10951872, 'published', 0, 'unknown'), -- service_layers.csv:491, 30 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 8893440, 8893440.0, 0.0, 8893440, 8893440, 'published', 0, 'unknown'), -- service_layers.csv:429, 40 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 7194560, 7194560.0, 0.0, 7194560, 7194560, 'published', 0, 'unknown'), -- service_layers.csv:367, 50 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 5906656, 5906656.0, 0.0, 5906656, 5906656, 'published', 0, 'unknown'), -- service_layers.csv:305, 60 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 5305920, 5305920.0, 0.0, 5305920, 5305920, 'published', 0, 'unknown'), -- service_layers.csv:243, 70 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 4469856, 4469856.0, 0.0, 4469856, 4469856, 'published', 0, 'unknown'), -- service_layers.csv:181, 80 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 4124000, 4124000.0, 0.0, 4124000, 4124000, 'published', 0, 'unknown'), -- service_layers.csv:119, 90 %
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 3723488, 3723488.0, 0.0, 3723488, 3723488, 'published', 0, 'unknown'), -- service_layers.csv:57, 100 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 7, 1, 0, 63339168, 63339168.0, 0.0, 63339168, 63339168, 'published', 0, 'unknown'), -- service_layers.csv:614, 10 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 14, 1, 0, 35498656, 35498656.0, 0.0, 35498656, 35498656, 'published', 0, 'unknown'), -- service_layers.csv:552, 20 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 20, 1, 0, 22804928, 22804928.0, 0.0, 22804928, 22804928, 'published', 0, 'unknown'), -- service_layers.csv:490, 30 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 27, 1, 0, 17893889, 17893889.0, 0.0, 17893889, 17893889, 'published', 0, 'unknown'), -- service_layers.csv:428, 40 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 34, 1, 0, 14846016, 14846016.0, 0.0, 14846016, 14846016, 'published', 0, 'unknown'), -- service_layers.csv:366, 50 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 41, 1, 0, 12187296, 12187296.0, 0.0, 12187296, 12187296, 'published', 0, 'unknown'), -- service_layers.csv:304, 60 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 48, 1, 0, 10717376, 10717376.0, 0.0, 10717376, 10717376, 'published', 0, 'unknown'), -- service_layers.csv:242, 70 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 54, 1, 0, 9324768, 9324768.0, 0.0, 9324768, 9324768, 'published', 0, 'unknown'), -- service_layers.csv:180, 80 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 61, 1, 0, 8475328, 8475328.0, 0.0, 8475328, 8475328, 'published', 0, 'unknown'), -- service_layers.csv:118, 90 %
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'mps', 68, 1, 0, 7803488, 7803488.0, 0.0, 7803488, 7803488, 'published', 0, 'unknown'), -- service_layers.csv:56, 100 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 7, 1, 0, 36576, 36576.0, 0.0, 36576, 36576, 'published', 0, 'unknown'), -- service_layers.csv:1411, 10 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 14, 1, 0, 36448, 36448.0, 0.0, 36448, 36448, 'published', 0, 'unknown'), -- service_layers.csv:1407, 20 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 20, 1, 0, 27232, 27232.0, 0.0, 27232, 27232, 'published', 0, 'unknown'), -- service_layers.csv:1403, 30 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 27, 1, 0, 31520, 31520.0, 0.0, 31520, 31520, 'published', 0, 'unknown'), -- service_layers.csv:1399, 40 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 34, 1, 0, 32800, 32800.0, 0.0, 32800, 32800, 'published', 0, 'unknown'), -- service_layers.csv:1395, 50 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 41, 1, 0, 27936, 27936.0, 0.0, 27936, 27936, 'published', 0, 'unknown'), -- service_layers.csv:1391, 60 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 48, 1, 0, 29952, 29952.0, 0.0, 29952, 29952, 'published', 0, 'unknown'), -- service_layers.csv:1387, 70 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 54, 1, 0, 31424, 31424.0, 0.0, 31424, 31424, 'published', 0, 'unknown'), -- service_layers.csv:1383, 80 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 61, 1, 0, 29248, 29248.0, 0.0, 29248, 29248, 'published', 0, 'unknown'), -- service_layers.csv:1379, 90 %
    ('vgg', 27, 'softmax_1000x1x1', 'mps', 68, 1, 0, 30688, 30688.0, 0.0, 30688, 30688, 'published', 0, 'unknown'); -- service_layers.csv:1375, 100 %

CREATE TABLE kernel_counters (
    application            TEXT NOT NULL,
    size                   INTEGER NOT NULL,
    kernel                 TEXT NOT NULL,
    l2                     TEXT NOT NULL,
    duration_ns            INTEGER,
    instructions           REAL,
    ipc                    REAL,
    dram_read_bytes        REAL,
    dram_write_bytes       REAL,
    l2_bytes               REAL,
    l2_hit_fraction        REAL,
    l1_hit_fraction        REAL,
    tensor_active_fraction REAL,
    fma_active_fraction    REAL,
    occupancy_fraction     REAL,
    PRIMARY KEY (application, size, kernel, l2)
);
INSERT INTO kernel_counters (application, size, kernel, l2, duration_ns, dram_read_bytes) VALUES
    ('dig', 32768, 'act_500x1x1', 'unknown', 346560, 172216061.0), -- service_layers.csv:652: 496.93 GB/s
    ('dig', 32768, 'add_20x24x24', 'unknown', 5666880, 2868858000.0), -- service_layers.csv:952: 506.25 GB/s
    ('dig', 32768, 'add_50x8x8', 'unknown', 1648416, 832433596.0), -- service_layers.csv:953: 504.99 GB/s
    ('dig', 32768, 'conv_1x28x28_k20_r5x5_p0_s1_a1', 'unknown', 5336064, 1486214642.0), -- service_layers.csv:2: 278.523 GB/s
    ('dig', 32768, 'conv_20x12x12_k50_r5x5_p0_s1_a1', 'unknown', 12420607, 746666680.0), -- service_layers.csv:3: 60.1152 GB/s
    ('dig', 32768, 'pool_20x24x24_r2x2_p0_s2', 'unknown', 3573600, 1839689280.0), -- service_layers.csv:622: 514.8 GB/s
    ('dig', 32768, 'pool_50x8x8_r2x2_p0_s2', 'unknown', 1129344, 578845267.0), -- service_layers.csv:623: 512.55 GB/s
    ('dig', 32768, 'softmax_10x1x1', 'unknown', 413184, 1289134.0), -- service_layers.csv:1372: 3.12 GB/s
    ('face', 32, 'add_16x63x63', 'unknown', 86656, 34353905.0), -- service_layers.csv:955: 396.44 GB/s
    ('face', 32, 'add_32x142x142', 'unknown', 395712, 195849740.0), -- service_layers.csv:954: 494.93 GB/s
    ('face', 32, 'conv_32x71x71_k16_r9x9_p0_s1_a0', 'unknown', 4128224, 25306013.0), -- service_layers.csv:5: 6.13 GB/s
    ('face', 32, 'conv_3x152x152_k32_r11x11_p0_s1_a0', 'unknown', 2819840, 82029146.0), -- service_layers.csv:4: 29.09 GB/s
    ('face', 32, 'pool_32x142x142_r3x3_p0_s2', 'unknown', 328672, 126883826.0), -- service_layers.csv:624: 386.05 GB/s
    ('face', 32, 'softmax_83x1x1', 'unknown', 30912, 60588.0), -- service_layers.csv:1373: 1.96 GB/s
    ('googlenet', 144, 'add_112x14x14', 'unknown', 90848, 39365347.0), -- service_layers.csv:972: 433.31 GB/s
    ('googlenet', 144, 'add_128x14x14', 'unknown', 108448, 47830990.0), -- service_layers.csv:975: 441.05 GB/s
    ('googlenet', 144, 'add_128x28x28', 'unknown', 307008, 150507602.0), -- service_layers.csv:961: 490.24 GB/s
    ('googlenet', 144, 'add_128x7x7', 'unknown', 62016, 16577497.0), -- service_layers.csv:985: 267.31 GB/s
    ('googlenet', 144, 'add_144x14x14', 'unknown', 119584, 53883355.0), -- service_layers.csv:977: 450.59 GB/s
    ('googlenet', 144, 'add_160x14x14', 'unknown', 124800, 56936256.0), -- service_layers.csv:971: 456.22 GB/s
    ('googlenet', 144, 'add_160x7x7', 'unknown', 68768, 21371031.0), -- service_layers.csv:982: 310.77 GB/s
    ('googlenet', 144, 'add_16x14x14', 'unknown', 44096, 8309891.0), -- service_layers.csv:968: 188.45 GB/s
    ('googlenet', 144, 'add_16x28x28', 'unknown', 77824, 29742776.0), -- service_layers.csv:962: 382.18 GB/s
    ('googlenet', 144, 'add_192x14x14', 'unknown', 172704, 80217554.0), -- service_layers.csv:965: 464.48 GB/s
    ('googlenet', 144, 'add_192x28x28', 'unknown', 449792, 222790973.0), -- service_layers.csv:964: 495.32 GB/s
    ('googlenet', 144, 'add_192x57x57', 'unknown', 1393120, 701324470.0), -- service_layers.csv:958: 503.42 GB/s
    ('googlenet', 144, 'add_192x7x7', 'unknown', 67360, 23316664.0), -- service_layers.csv:987: 346.15 GB/s
    ('googlenet', 144, 'add_208x14x14', 'unknown', 182656, 85185279.0), -- service_layers.csv:967: 466.37 GB/s
    ('googlenet', 144, 'add_224x14x14', 'unknown', 189440, 89228134.0), -- service_layers.csv:973: 471.01 GB/s
    ('googlenet', 144, 'add_24x14x14', 'unknown', 65792, 14468319.0), -- service_layers.csv:974: 219.91 GB/s
    ('googlenet', 144, 'add_256x14x14', 'unknown', 199872, 94243645.0), -- service_layers.csv:976: 471.52 GB/s
    ('googlenet', 144, 'add_256x7x7', 'unknown', 79456, 30265585.0), -- service_layers.csv:981: 380.91 GB/s
    ('googlenet', 144, 'add_288x14x14', 'unknown', 207584, 99202318.0), -- service_layers.csv:978: 477.89 GB/s
    ('googlenet', 144, 'add_320x14x14', 'unknown', 226048, 108432965.0), -- service_layers.csv:980: 479.69 GB/s
    ('googlenet', 144, 'add_320x7x7', 'unknown', 76672, 31150300.0), -- service_layers.csv:983: 406.28 GB/s
    ('googlenet', 144, 'add_32x14x14', 'unknown', 62720, 17349606.0), -- service_layers.csv:979: 276.62 GB/s
    ('googlenet', 144, 'add_32x28x28', 'unknown', 115040, 50448491.0), -- service_layers.csv:963: 438.53 GB/s
    ('googlenet', 144, 'add_32x7x7', 'unknown', 31136, 4220173.0), -- service_layers.csv:984: 135.54 GB/s
    ('googlenet', 144, 'add_384x7x7', 'unknown', 89664, 37939528.0), -- service_layers.csv:986: 423.13 GB/s
    ('googlenet', 144, 'add_48x14x14', 'unknown', 58080, 19983586.0), -- service_layers.csv:969: 344.07 GB/s
    ('googlenet', 144, 'add_48x7x7', 'unknown', 64224, 10338137.0), -- service_layers.csv:988: 160.97 GB/s
    ('googlenet', 144, 'add_64x114x114', 'unknown', 1858336, 935913760.0), -- service_layers.csv:956: 503.63 GB/s
    ('googlenet', 144, 'add_64x14x14', 'unknown', 66496, 25421421.0), -- service_layers.csv:970: 382.3 GB/s
    ('googlenet', 144, 'add_64x28x28', 'unknown', 194848, 92036453.0), -- service_layers.csv:959: 472.35 GB/s
    ('googlenet', 144, 'add_64x57x57', 'unknown', 546464, 272330334.0), -- service_layers.csv:957: 498.35 GB/s
    ('googlenet', 144, 'add_96x14x14', 'unknown', 91456, 38719727.0), -- service_layers.csv:966: 423.37 GB/s
    ('googlenet', 144, 'add_96x28x28', 'unknown', 253536, 122503524.0), -- service_layers.csv:960: 483.18 GB/s
    ('googlenet', 144, 'conv_112x14x14_k224_r3x3_p1_s1_a6', 'unknown', 1191680, 43347633.0), -- service_layers.csv:28: 36.3752 GB/s
    ('googlenet', 144, 'conv_128x14x14_k256_r3x3_p1_s1_a6', 'unknown', 1513696, 50049804.0), -- service_layers.csv:33: 33.0646 GB/s
    ('googlenet', 144, 'conv_128x28x28_k192_r3x3_p1_s1_a6', 'unknown', 4156736, 237499689.0), -- service_layers.csv:16: 57.1361 GB/s
    ('googlenet', 144, 'conv_144x14x14_k288_r3x3_p1_s1_a6', 'unknown', 1825664, 56423039.0), -- service_layers.csv:35: 30.9055 GB/s
    ('googlenet', 144, 'conv_160x14x14_k320_r3x3_p1_s1_a6', 'unknown', 2188576, 65256192.0), -- service_layers.csv:40: 29.8167 GB/s
    ('googlenet', 144, 'conv_160x7x7_k320_r3x3_p1_s1_a1', 'unknown', 804384, 22147713.0), -- service_layers.csv:46: 27.5338 GB/s
    ('googlenet', 144, 'conv_16x14x14_k48_r5x5_p2_s1_a1', 'unknown', 257440, 5802478.0), -- service_layers.csv:24: 22.5391 GB/s
    ('googlenet', 144, 'conv_16x28x28_k32_r5x5_p2_s1_a1', 'unknown', 404224, 20689559.0), -- service_layers.csv:13: 51.1834 GB/s
    ('googlenet', 144, 'conv_192x28x28_k16_r1x1_p0_s1_a1', 'unknown', 331936, 143109055.0), -- service_layers.csv:12: 431.134 GB/s
    ('googlenet', 144, 'conv_192x28x28_k32_r1x1_p0_s1_a1', 'unknown', 358368, 163758883.0), -- service_layers.csv:14: 456.957 GB/s
    ('googlenet', 144, 'conv_192x28x28_k64_r1x1_p0_s1_a1', 'unknown', 380224, 128966849.0), -- service_layers.csv:9: 339.187 GB/s
    ('googlenet', 144, 'conv_192x28x28_k96_r1x1_p0_s1_a1', 'unknown', 730912, 345593365.0), -- service_layers.csv:10: 472.825 GB/s
    ('googlenet', 144, 'conv_192x7x7_k384_r3x3_p1_s1_a1', 'unknown', 1006496, 32759977.0), -- service_layers.csv:52: 32.5485 GB/s
    ('googlenet', 144, 'conv_24x14x14_k64_r5x5_p2_s1_a1', 'unknown', 330688, 8175942.0), -- service_layers.csv:30: 24.724 GB/s
    ('googlenet', 144, 'conv_256x28x28_k128_r1x1_p0_s1_a1', 'unknown', 872832, 311357136.0), -- service_layers.csv:15: 356.721 GB/s
    ('googlenet', 144, 'conv_256x28x28_k32_r1x1_p0_s1_a1', 'unknown', 423168, 199958680.0), -- service_layers.csv:17: 472.528 GB/s
    ('googlenet', 144, 'conv_256x28x28_k64_r1x1_p0_s1_a1', 'unknown', 517440, 170782137.0), -- service_layers.csv:19: 330.052 GB/s
    ('googlenet', 144, 'conv_32x14x14_k128_r5x5_p2_s1_a1', 'unknown', 692608, 17199312.0), -- service_layers.csv:42: 24.8327 GB/s
    ('googlenet', 144, 'conv_32x14x14_k64_r5x5_p2_s1_a1', 'unknown', 429120, 9134096.0), -- service_layers.csv:37: 21.2856 GB/s
    ('googlenet', 144, 'conv_32x28x28_k96_r5x5_p2_s1_a1', 'unknown', 1870304, 78722959.0), -- service_layers.csv:18: 42.091 GB/s
    ('googlenet', 144, 'conv_32x7x7_k128_r5x5_p2_s1_a1', 'unknown', 244864, 2915172.0), -- service_layers.csv:48: 11.9053 GB/s
    ('googlenet', 144, 'conv_3x227x227_k64_r7x7_p3_s2_a1', 'unknown', 3765824, 531994796.0), -- service_layers.csv:6: 141.269 GB/s
    ('googlenet', 144, 'conv_480x14x14_k16_r1x1_p0_s1_a1', 'unknown', 306528, 112755936.0), -- service_layers.csv:23: 367.849 GB/s
    ('googlenet', 144, 'conv_480x14x14_k192_r1x1_p0_s1_a1', 'unknown', 651072, 218024545.0), -- service_layers.csv:20: 334.87 GB/s
    ('googlenet', 144, 'conv_480x14x14_k64_r1x1_p0_s1_a1', 'unknown', 368384, 92038646.0), -- service_layers.csv:25: 249.844 GB/s
    ('googlenet', 144, 'conv_480x14x14_k96_r1x1_p0_s1_a1', 'unknown', 526976, 79271604.0), -- service_layers.csv:21: 150.427 GB/s
    ('googlenet', 144, 'conv_48x7x7_k128_r5x5_p2_s1_a1', 'unknown', 334048, 3496057.0), -- service_layers.csv:54: 10.4657 GB/s
    ('googlenet', 144, 'conv_512x14x14_k112_r1x1_p0_s1_a1', 'unknown', 546528, 85501908.0), -- service_layers.csv:27: 156.446 GB/s
    ('googlenet', 144, 'conv_512x14x14_k128_r1x1_p0_s1_a1', 'unknown', 549760, 87502912.0), -- service_layers.csv:32: 159.166 GB/s
    ('googlenet', 144, 'conv_512x14x14_k144_r1x1_p0_s1_a1', 'unknown', 778816, 338423982.0), -- service_layers.csv:34: 434.537 GB/s
    ('googlenet', 144, 'conv_512x14x14_k160_r1x1_p0_s1_a1', 'unknown', 772224, 334627296.0), -- service_layers.csv:26: 433.329 GB/s
    ('googlenet', 144, 'conv_512x14x14_k24_r1x1_p0_s1_a1', 'unknown', 292608, 106937533.0), -- service_layers.csv:29: 365.463 GB/s
    ('googlenet', 144, 'conv_512x14x14_k32_r1x1_p0_s1_a1', 'unknown', 291872, 105515793.0), -- service_layers.csv:36: 361.514 GB/s
    ('googlenet', 144, 'conv_512x14x14_k64_r1x1_p0_s1_a1', 'unknown', 390912, 98332054.0), -- service_layers.csv:31: 251.545 GB/s
    ('googlenet', 144, 'conv_528x14x14_k128_r1x1_p0_s1_a1', 'unknown', 564832, 90789020.0), -- service_layers.csv:43: 160.736 GB/s
    ('googlenet', 144, 'conv_528x14x14_k160_r1x1_p0_s1_a1', 'unknown', 720352, 315966543.0), -- service_layers.csv:39: 438.628 GB/s
    ('googlenet', 144, 'conv_528x14x14_k256_r1x1_p0_s1_a1', 'unknown', 879840, 163813740.0), -- service_layers.csv:38: 186.186 GB/s
    ('googlenet', 144, 'conv_528x14x14_k32_r1x1_p0_s1_a1', 'unknown', 299616, 111113303.0), -- service_layers.csv:41: 370.852 GB/s
    ('googlenet', 144, 'conv_64x57x57_k192_r3x3_p1_s1_a6', 'unknown', 9352672, 797563947.0), -- service_layers.csv:8: 85.2766 GB/s
    ('googlenet', 144, 'conv_64x57x57_k64_r1x1_p0_s1_a1', 'unknown', 612224, 276852811.0), -- service_layers.csv:7: 452.208 GB/s
    ('googlenet', 144, 'conv_832x7x7_k128_r1x1_p0_s1_a1', 'unknown', 316064, 37223050.0), -- service_layers.csv:49: 117.771 GB/s
    ('googlenet', 144, 'conv_832x7x7_k160_r1x1_p0_s1_a1', 'unknown', 419488, 81706984.0), -- service_layers.csv:45: 194.778 GB/s
    ('googlenet', 144, 'conv_832x7x7_k192_r1x1_p0_s1_a1', 'unknown', 368224, 71825652.0), -- service_layers.csv:51: 195.06 GB/s
    ('googlenet', 144, 'conv_832x7x7_k256_r1x1_p0_s1_a1', 'unknown', 499040, 89394753.0), -- service_layers.csv:44: 179.133 GB/s
    ('googlenet', 144, 'conv_832x7x7_k32_r1x1_p0_s1_a1', 'unknown', 303136, 39297794.0), -- service_layers.csv:47: 129.638 GB/s
    ('googlenet', 144, 'conv_832x7x7_k384_r1x1_p0_s1_a1', 'unknown', 598304, 119077170.0), -- service_layers.csv:50: 199.025 GB/s
    ('googlenet', 144, 'conv_832x7x7_k48_r1x1_p0_s1_a1', 'unknown', 252032, 44225165.0), -- service_layers.csv:53: 175.474 GB/s
    ('googlenet', 144, 'conv_96x14x14_k208_r3x3_p1_s1_a6', 'unknown', 1065920, 39323965.0), -- service_layers.csv:22: 36.892 GB/s
    ('googlenet', 144, 'conv_96x28x28_k128_r3x3_p1_s1_a6', 'unknown', 2379072, 179898210.0), -- service_layers.csv:11: 75.617 GB/s
    ('googlenet', 144, 'softmax_1000x1x1', 'unknown', 44128, 3071309.0), -- service_layers.csv:1374: 69.6 GB/s
    ('vgg', 27, 'add_128x112x112', 'unknown', 734048, 367332300.0), -- service_layers.csv:990: 500.42 GB/s
    ('vgg', 27, 'add_256x56x56', 'unknown', 374016, 185291267.0), -- service_layers.csv:991: 495.41 GB/s
    ('vgg', 27, 'add_512x14x14', 'unknown', 101536, 42801485.0), -- service_layers.csv:993: 421.54 GB/s
    ('vgg', 27, 'add_512x28x28', 'unknown', 260000, 125554000.0), -- service_layers.csv:992: 482.9 GB/s
    ('vgg', 27, 'add_64x224x224', 'unknown', 1367648, 690785328.0), -- service_layers.csv:989: 505.09 GB/s
    ('vgg', 27, 'conv_128x112x112_k128_r3x3_p1_s1_a6', 'unknown', 6486688, 701138427.0), -- service_layers.csv:58: 108.089 GB/s
    ('vgg', 27, 'conv_128x56x56_k256_r3x3_p1_s1_a6', 'unknown', 3791200, 235940642.0), -- service_layers.csv:59: 62.2338 GB/s
    ('vgg', 27, 'conv_256x28x28_k512_r3x3_p1_s1_a6', 'unknown', 4544416, 141552914.0), -- service_layers.csv:61: 31.1488 GB/s
    ('vgg', 27, 'conv_256x56x56_k256_r3x3_p1_s1_a6', 'unknown', 6845536, 726187596.0), -- service_layers.csv:60: 106.082 GB/s
    ('vgg', 27, 'conv_3x224x224_k64_r3x3_p1_s1_a1', 'unknown', 843584, 360208317.0), -- service_layers.csv:55: 426.998 GB/s
    ('vgg', 27, 'conv_512x14x14_k512_r3x3_p1_s1_a6', 'unknown', 2544736, 67788526.0), -- service_layers.csv:63: 26.6387 GB/s
    ('vgg', 27, 'conv_512x28x28_k512_r3x3_p1_s1_a6', 'unknown', 8923552, 245945643.0), -- service_layers.csv:62: 27.5614 GB/s
    ('vgg', 27, 'conv_64x112x112_k128_r3x3_p1_s1_a6', 'unknown', 3723488, 427020403.0), -- service_layers.csv:57: 114.683 GB/s
    ('vgg', 27, 'conv_64x224x224_k64_r3x3_p1_s1_a6', 'unknown', 7803488, 1428809639.0), -- service_layers.csv:56: 183.099 GB/s
    ('vgg', 27, 'softmax_1000x1x1', 'unknown', 30688, 448045.0); -- service_layers.csv:1375: 14.6 GB/s

COMMIT;
