-- Intel Xeon E5-2650 v4, 12 cores and 16 ways of shared cache: SYNTHETIC.
--
-- Source: Wang, thesis, chapter 5 (EMU). The thesis prints what its machine is and how it was used (table 5-2, sections
-- 5.3.1, 5.3.2, 5.4.3, 5.5.1); what its figures 5-4 (cache and bandwidth of each program) and 5-9 (speedup on 12 cores)
-- show is not printed as numbers anywhere. Every number below says where it comes from:
--
--   paper     printed in the thesis
--   derived   follows from what is printed, as the source says
--   assumed   chosen for this profile, from what is commonly known of such programs; never fitted to a result of the
--             thesis. A claim of the thesis counts as reproduced on this profile only if it holds with each of these
--             numbers taken half and half again (configs/emu/study.py robust); docs/validation/emu.md says which do.
--
-- Schema version 2, see docs/profile.md. Units: times in ns; MB and GB are 10^6 and 10^9 bytes.

BEGIN;

CREATE TABLE profile (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO profile (key, value) VALUES
    ('schema_version', '2'),
    ('name',           'xeon-e5-2650v4'),
    ('description',    'SYNTHETIC: Xeon E5-2650 v4 with 7 services of Sirius and 8 batch applications of PARSEC; most numbers are assumed'),
    ('source',         'Wang, thesis, chapter 5, table 5-2 and sections 5.3, 5.4.3, 5.5.1; the rest assumed, number by number');

CREATE TABLE device (
    name         TEXT PRIMARY KEY,
    kind         TEXT NOT NULL,
    sms          INTEGER NOT NULL,
    memory_bytes INTEGER NOT NULL,
    source       TEXT NOT NULL
);
-- The memory of the machine is not printed, and nothing here asks for it.
INSERT INTO device (name, kind, sms, memory_bytes, source) VALUES
    ('Intel Xeon E5-2650 v4', 'cpu', 12, 64000000000, 'cores: paper, table 5-2, hyper-threading off; memory: assumed, not used');

CREATE TABLE application (
    name         TEXT PRIMARY KEY,
    class        TEXT NOT NULL,
    sla_ns       INTEGER,
    memory_bytes INTEGER NOT NULL,
    source       TEXT NOT NULL
);
INSERT INTO application (name, class, sla_ns, memory_bytes, source) VALUES
    ('asr', 'latency', 150000000, 0, 'dnn-asr of Sirius: speech recognition by a deep network; SLA: paper, section 5.3.2; memory: assumed, not used'),
    ('crf', 'latency', 150000000, 0, 'CRF of Sirius; SLA: paper, section 5.3.2; memory: assumed, not used'),
    ('fd', 'latency', 150000000, 0, 'feature description of Sirius; SLA: paper, section 5.3.2; memory: assumed, not used'),
    ('fe', 'latency', 150000000, 0, 'feature extraction of Sirius; SLA: paper, section 5.3.2; memory: assumed, not used'),
    ('gmm', 'latency', 150000000, 0, 'GMM of Sirius; SLA: paper, section 5.3.2; memory: assumed, not used'),
    ('regex', 'latency', 150000000, 0, 'regex of Sirius; SLA: paper, section 5.3.2; memory: assumed, not used'),
    ('stem', 'latency', 150000000, 0, 'stemmer of Sirius; SLA: paper, section 5.3.2; memory: assumed, not used'),
    ('bs', 'batch', NULL, 0, 'blackscholes of PARSEC; memory: assumed, not used'),
    ('bt', 'batch', NULL, 0, 'bodytrack of PARSEC; memory: assumed, not used'),
    ('can', 'batch', NULL, 0, 'canneal of PARSEC; memory: assumed, not used'),
    ('fa', 'batch', NULL, 0, 'fluidanimate of PARSEC; memory: assumed, not used'),
    ('fs', 'batch', NULL, 0, 'facesim of PARSEC; memory: assumed, not used'),
    ('rt', 'batch', NULL, 0, 'raytrace of PARSEC; memory: assumed, not used'),
    ('sc', 'batch', NULL, 0, 'streamcluster of PARSEC; memory: assumed, not used'),
    ('x264', 'batch', NULL, 0, 'x264 of PARSEC; memory: assumed, not used');

CREATE TABLE kernel (
    application TEXT NOT NULL REFERENCES application (name),
    position    INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    duration_ns INTEGER NOT NULL,
    threads     INTEGER,
    source      TEXT NOT NULL,
    PRIMARY KEY (application, position)
);
-- A service: one request of mean size, alone on the whole machine. The 99th percentile of its sizes is 4.6 times the
-- mean, which is half to two thirds of the target of 150 ms: services are provisioned with room.
-- A batch application: a piece of its work that is long beside a request and short beside a run.
INSERT INTO kernel (application, position, kind, duration_ns, threads, source) VALUES
    ('asr', 0, 'task', 20000000, NULL, 'assumed'),
    ('crf', 0, 'task', 18000000, NULL, 'assumed'),
    ('fd', 0, 'task', 14000000, NULL, 'assumed'),
    ('fe', 0, 'task', 16000000, NULL, 'assumed'),
    ('gmm', 0, 'task', 20000000, NULL, 'assumed'),
    ('regex', 0, 'task', 14000000, NULL, 'assumed'),
    ('stem', 0, 'task', 12000000, NULL, 'assumed'),
    ('bs', 0, 'task', 100000000, NULL, 'assumed'),
    ('bt', 0, 'task', 100000000, NULL, 'assumed'),
    ('can', 0, 'task', 100000000, NULL, 'assumed'),
    ('fa', 0, 'task', 100000000, NULL, 'assumed'),
    ('fs', 0, 'task', 100000000, NULL, 'assumed'),
    ('rt', 0, 'task', 100000000, NULL, 'assumed'),
    ('sc', 0, 'task', 100000000, NULL, 'assumed'),
    ('x264', 0, 'task', 100000000, NULL, 'assumed');

CREATE TABLE revocation (
    mechanism TEXT NOT NULL,
    threads   INTEGER,
    kill_ns   INTEGER NOT NULL,
    start_ns  INTEGER NOT NULL,
    clear_ns  INTEGER NOT NULL,
    spawn_ns  INTEGER NOT NULL,
    source    TEXT NOT NULL
);

CREATE TABLE cpu (
    key    TEXT PRIMARY KEY,
    value  REAL NOT NULL,
    origin TEXT NOT NULL,
    source TEXT NOT NULL
);
INSERT INTO cpu (key, value, origin, source) VALUES
    ('ways',          16,   'paper',   'table 5-2'),
    ('cache_mb',      30,   'paper',   'table 5-2, section 5.3.2'),
    ('bandwidth_gbs', 54,   'paper',   'section 5.3.2: the peak that a parallel memory test measured'),
    ('clock_mhz',     2200, 'paper',   'table 5-2: 2.20 GHz'),
    ('switch_us',     5,    'assumed', 'section 5.4.3 prints that the direct cost of a context switch is a few microseconds'),
    ('warm_us',       3000, 'assumed', 'section 5.4.3 prints that refilling the L2 cache takes some milliseconds');

CREATE TABLE cpu_application (
    application TEXT NOT NULL,
    key         TEXT NOT NULL,
    value       REAL NOT NULL,
    origin      TEXT NOT NULL,
    source      TEXT NOT NULL,
    PRIMARY KEY (application, key)
);
-- cache_shared and miss_growth are the same for all: nothing tells the programs apart in them.
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('asr', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('asr', 'speedup', 9, 'assumed', 'figure 5-9 shows it without numbers'),
    ('asr', 'stall_share', 0.25, 'assumed', 'no figure shows it'),
    ('asr', 'bandwidth_gbs', 14, 'assumed', 'figure 5-4 shows it without numbers'),
    ('asr', 'cache_mb', 20, 'assumed', 'figure 5-4 shows it without numbers'),
    ('asr', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('asr', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('asr', 'ipc', 9, 'assumed', 'no figure shows it; of all threads together; only ratios matter'),
    ('asr', 'size_exponent', 1.3, 'assumed', 'no figure shows it'),
    ('asr', 'size_spread', 10, 'paper', 'sections 5.1 and 5.3.3: the longest may be 10 times the mean'),
    ('asr', 'noise', 0.05, 'assumed', 'no figure shows it');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('crf', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('crf', 'speedup', 8, 'assumed', 'figure 5-9 shows it without numbers'),
    ('crf', 'stall_share', 0.15, 'assumed', 'no figure shows it'),
    ('crf', 'bandwidth_gbs', 6, 'assumed', 'figure 5-4 shows it without numbers'),
    ('crf', 'cache_mb', 8, 'assumed', 'figure 5-4 shows it without numbers'),
    ('crf', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('crf', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('crf', 'ipc', 8, 'assumed', 'no figure shows it; of all threads together; only ratios matter'),
    ('crf', 'size_exponent', 1.2, 'assumed', 'no figure shows it'),
    ('crf', 'size_spread', 10, 'paper', 'sections 5.1 and 5.3.3: the longest may be 10 times the mean'),
    ('crf', 'noise', 0.05, 'assumed', 'no figure shows it');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('fd', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('fd', 'speedup', 10, 'assumed', 'figure 5-9 shows it without numbers'),
    ('fd', 'stall_share', 0.2, 'assumed', 'no figure shows it'),
    ('fd', 'bandwidth_gbs', 10, 'assumed', 'figure 5-4 shows it without numbers'),
    ('fd', 'cache_mb', 14, 'assumed', 'figure 5-4 shows it without numbers'),
    ('fd', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('fd', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('fd', 'ipc', 11, 'assumed', 'no figure shows it; of all threads together; only ratios matter'),
    ('fd', 'size_exponent', 1, 'assumed', 'no figure shows it'),
    ('fd', 'size_spread', 10, 'paper', 'sections 5.1 and 5.3.3: the longest may be 10 times the mean'),
    ('fd', 'noise', 0.05, 'assumed', 'no figure shows it');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('fe', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('fe', 'speedup', 10, 'assumed', 'figure 5-9 shows it without numbers'),
    ('fe', 'stall_share', 0.2, 'assumed', 'no figure shows it'),
    ('fe', 'bandwidth_gbs', 12, 'assumed', 'figure 5-4 shows it without numbers'),
    ('fe', 'cache_mb', 16, 'assumed', 'figure 5-4 shows it without numbers'),
    ('fe', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('fe', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('fe', 'ipc', 11, 'assumed', 'no figure shows it; of all threads together; only ratios matter'),
    ('fe', 'size_exponent', 1, 'assumed', 'no figure shows it'),
    ('fe', 'size_spread', 10, 'paper', 'sections 5.1 and 5.3.3: the longest may be 10 times the mean'),
    ('fe', 'noise', 0.05, 'assumed', 'no figure shows it');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('gmm', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('gmm', 'speedup', 9, 'assumed', 'figure 5-9 shows it without numbers'),
    ('gmm', 'stall_share', 0.35, 'assumed', 'no figure shows it'),
    ('gmm', 'bandwidth_gbs', 26, 'assumed', 'figure 5-4 shows it without numbers; with fs the sum is above the 54 GB/s, as section 5.3.2 prints'),
    ('gmm', 'cache_mb', 24, 'assumed', 'figure 5-4 shows it without numbers; with fs the sum is above the 30 MB, as section 5.3.2 prints'),
    ('gmm', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('gmm', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('gmm', 'ipc', 7, 'assumed', 'no figure shows it; of all threads together; only ratios matter'),
    ('gmm', 'size_exponent', 1, 'assumed', 'no figure shows it'),
    ('gmm', 'size_spread', 10, 'paper', 'sections 5.1 and 5.3.3: the longest may be 10 times the mean'),
    ('gmm', 'noise', 0.05, 'assumed', 'no figure shows it');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('regex', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('regex', 'speedup', 10.5, 'assumed', 'figure 5-9 shows it without numbers'),
    ('regex', 'stall_share', 0.08, 'assumed', 'no figure shows it'),
    ('regex', 'bandwidth_gbs', 3, 'assumed', 'figure 5-4 shows it without numbers'),
    ('regex', 'cache_mb', 4, 'assumed', 'figure 5-4 shows it without numbers'),
    ('regex', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('regex', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('regex', 'ipc', 14, 'assumed', 'no figure shows it; of all threads together; only ratios matter'),
    ('regex', 'size_exponent', 1, 'assumed', 'no figure shows it'),
    ('regex', 'size_spread', 10, 'paper', 'sections 5.1 and 5.3.3: the longest may be 10 times the mean'),
    ('regex', 'noise', 0.05, 'assumed', 'no figure shows it');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('stem', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('stem', 'speedup', 10.5, 'assumed', 'figure 5-9 shows it without numbers'),
    ('stem', 'stall_share', 0.1, 'assumed', 'no figure shows it'),
    ('stem', 'bandwidth_gbs', 4, 'assumed', 'figure 5-4 shows it without numbers'),
    ('stem', 'cache_mb', 5, 'assumed', 'figure 5-4 shows it without numbers'),
    ('stem', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('stem', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('stem', 'ipc', 13, 'assumed', 'no figure shows it; of all threads together; only ratios matter'),
    ('stem', 'size_exponent', 1, 'assumed', 'no figure shows it'),
    ('stem', 'size_spread', 10, 'paper', 'sections 5.1 and 5.3.3: the longest may be 10 times the mean'),
    ('stem', 'noise', 0.05, 'assumed', 'no figure shows it');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('bs', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('bs', 'speedup', 10.5, 'assumed', 'figure 5-9 shows it without numbers'),
    ('bs', 'stall_share', 0.05, 'assumed', 'no figure shows it'),
    ('bs', 'bandwidth_gbs', 4, 'assumed', 'figure 5-4 shows it without numbers'),
    ('bs', 'cache_mb', 2, 'assumed', 'figure 5-4 shows it without numbers'),
    ('bs', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('bs', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('bs', 'ipc', 13, 'assumed', 'no figure shows it; of all threads together; only ratios matter');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('bt', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('bt', 'speedup', 8, 'assumed', 'figure 5-9 shows it without numbers'),
    ('bt', 'stall_share', 0.1, 'assumed', 'no figure shows it'),
    ('bt', 'bandwidth_gbs', 4, 'assumed', 'figure 5-4 shows it without numbers'),
    ('bt', 'cache_mb', 8, 'assumed', 'figure 5-4 shows it without numbers'),
    ('bt', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('bt', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('bt', 'ipc', 10, 'assumed', 'no figure shows it; of all threads together; only ratios matter');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('can', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('can', 'speedup', 7.5, 'assumed', 'figure 5-9 shows it without numbers'),
    ('can', 'stall_share', 0.4, 'assumed', 'no figure shows it'),
    ('can', 'bandwidth_gbs', 8, 'assumed', 'figure 5-4 shows it without numbers; section 5.5.3 prints that it is not much'),
    ('can', 'cache_mb', 28, 'assumed', 'figure 5-4 shows it without numbers'),
    ('can', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('can', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('can', 'ipc', 4, 'assumed', 'no figure shows it; of all threads together; only ratios matter');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('fa', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('fa', 'speedup', 9, 'assumed', 'figure 5-9 shows it without numbers'),
    ('fa', 'stall_share', 0.25, 'assumed', 'no figure shows it'),
    ('fa', 'bandwidth_gbs', 14, 'assumed', 'figure 5-4 shows it without numbers'),
    ('fa', 'cache_mb', 16, 'assumed', 'figure 5-4 shows it without numbers'),
    ('fa', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('fa', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('fa', 'ipc', 8, 'assumed', 'no figure shows it; of all threads together; only ratios matter');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('fs', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('fs', 'speedup', 7, 'assumed', 'figure 5-9 shows it without numbers'),
    ('fs', 'stall_share', 0.4, 'assumed', 'no figure shows it'),
    ('fs', 'bandwidth_gbs', 34, 'assumed', 'figure 5-4 shows it without numbers; with gmm the sum is above the 54 GB/s, as section 5.3.2 prints'),
    ('fs', 'cache_mb', 26, 'assumed', 'figure 5-4 shows it without numbers; with gmm the sum is above the 30 MB, as section 5.3.2 prints'),
    ('fs', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('fs', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('fs', 'ipc', 5, 'assumed', 'no figure shows it; of all threads together; only ratios matter');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('rt', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('rt', 'speedup', 9.5, 'assumed', 'figure 5-9 shows it without numbers'),
    ('rt', 'stall_share', 0.15, 'assumed', 'no figure shows it'),
    ('rt', 'bandwidth_gbs', 6, 'assumed', 'figure 5-4 shows it without numbers'),
    ('rt', 'cache_mb', 10, 'assumed', 'figure 5-4 shows it without numbers'),
    ('rt', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('rt', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('rt', 'ipc', 11, 'assumed', 'no figure shows it; of all threads together; only ratios matter');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('sc', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('sc', 'speedup', 9, 'assumed', 'figure 5-9 shows it without numbers'),
    ('sc', 'stall_share', 0.35, 'assumed', 'no figure shows it'),
    ('sc', 'bandwidth_gbs', 9, 'assumed', 'figure 5-4 shows it without numbers; section 5.5.3 prints that it is not much'),
    ('sc', 'cache_mb', 16, 'assumed', 'figure 5-4 shows it without numbers'),
    ('sc', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('sc', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('sc', 'ipc', 6, 'assumed', 'no figure shows it; of all threads together; only ratios matter');
INSERT INTO cpu_application (application, key, value, origin, source) VALUES
    ('x264', 'threads', 12, 'paper', 'section 5.3.1: 12 threads each'),
    ('x264', 'speedup', 6.5, 'assumed', 'figure 5-9 shows it without numbers'),
    ('x264', 'stall_share', 0.2, 'assumed', 'no figure shows it'),
    ('x264', 'bandwidth_gbs', 10, 'assumed', 'figure 5-4 shows it without numbers'),
    ('x264', 'cache_mb', 12, 'assumed', 'figure 5-4 shows it without numbers'),
    ('x264', 'cache_shared', 0.5, 'assumed', 'section 5.5.4 prints that more threads need more cache, not how much'),
    ('x264', 'miss_growth', 2, 'assumed', 'no figure shows it'),
    ('x264', 'ipc', 9, 'assumed', 'no figure shows it; of all threads together; only ratios matter');

COMMIT;
