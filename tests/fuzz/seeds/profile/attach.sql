-- NVIDIA Quadro P1000, as the paper on TReM measured it.
--
-- Source: M. Pavlidakis, S. Mavridis, N. Chrysos, A. Bilas, "TReM: A Task Revocation Mechanism for GPUs".
-- Tables and sections below are that paper's. Schema version 1, see docs/profile.md.
--
-- Units: times in ns (1 ms = 1000000 ns), memory in bytes. The paper's MB is read as 10^6 bytes, the
-- 4 GB of the card as 4 * 2^30; every task fits by a wide margin under either reading.

BEGIN;

CREATE TABLE profile (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO profile (key, value) VALUES
    ('schema_version', '1'),
    ('name',           'quadro-p1000'),
    ('description',    'Quadro P1000: 9 user-facing and 3 batch tasks and three ways to revoke them, as published'),
    ('source',         'TReM: A Task Revocation Mechanism for GPUs, tables II and III, sections III, V-A, V-B, VI-A');

CREATE TABLE device (
    name         TEXT PRIMARY KEY,
    kind         TEXT NOT NULL,
    sms          INTEGER NOT NULL,
    memory_bytes INTEGER NOT NULL,
    source       TEXT NOT NULL
);
-- 640 CUDA cores (section V-A); a Pascal SM of this chip family has 128, which makes 5 SMs.
INSERT INTO device (name, kind, sms, memory_bytes, source) VALUES
    ('Quadro P1000', 'gpu', 5, 4294967296, 'section V-A: 640 CUDA cores, 4 GB of GDDR5; 128 cores per SM of its architecture');

CREATE TABLE application (
    name         TEXT PRIMARY KEY,
    class        TEXT NOT NULL,
    sla_ns       INTEGER,
    memory_bytes INTEGER NOT NULL,
    source       TEXT NOT NULL
);
-- The SLA of user-facing tasks is 200 ms (section V-B); batch tasks have none.
INSERT INTO application (name, class, sla_ns, memory_bytes, source) VALUES
    ('particle-filter',  'latency', 200000000,   12000000, 'table III; SLA: section V-B'),
    ('euclid',           'latency', 200000000,   24000000, 'table III; SLA: section V-B'),
    ('nw',               'latency', 200000000,   44000000, 'table III; SLA: section V-B'),
    ('bfs',              'latency', 200000000,   48000000, 'table III; SLA: section V-B'),
    ('black-scholes',    'latency', 200000000,  112000000, 'table III; SLA: section V-B'),
    ('pathfinder',       'latency', 200000000,   74000000, 'table III; SLA: section V-B'),
    ('hotspot-3d',       'latency', 200000000,   32000000, 'table III; SLA: section V-B'),
    ('monte-carlo',      'latency', 200000000,   68000000, 'table III; SLA: section V-B'),
    ('dark-gray',        'latency', 200000000,  200000000, 'table III; SLA: section V-B'),
    ('lava-md',          'batch',   NULL,      1069000000, 'table III'),
    ('hotspot',          'batch',   NULL,       423000000, 'table III'),
    ('gaussian',         'batch',   NULL,      1120000000, 'table III'),
    ('gaussian-printed', 'batch',   NULL,      1120000000, 'table III');

CREATE TABLE kernel (
    application TEXT NOT NULL REFERENCES application (name),
    position    INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    duration_ns INTEGER NOT NULL,
    threads     INTEGER,
    source      TEXT NOT NULL,
    PRIMARY KEY (application, position)
);
-- The paper times whole tasks, transfers included, from issue to result (section V-B), so each is one
-- kernel of kind 'task'. A user-facing task may have several kernels and a batch task has one; their
-- launch parameters are not published, hence threads NULL.
--
-- Gaussian: table III prints 311000 ms. Section V-B says that batch tasks take tens of seconds up to two
-- minutes, and with 311 s neither task count of table IV fits into the hours of its experiment (635 batch
-- tasks on 4 GPUs in 1.5 h: 30 s each; 329 in 1.1 h: 43 s each). 31100 ms, one zero less, fits the text and
-- comes nearer to the counts, though it does not make them consistent. 'gaussian' takes 31100 ms by that
-- decision; 'gaussian-printed' keeps the printed value for whoever wants it.
INSERT INTO kernel (application, position, kind, duration_ns, threads, source) VALUES
    ('particle-filter',  0, 'task',      1000000, NULL, 'table III: 1 ms'),
    ('euclid',           0, 'task',      8000000, NULL, 'table III: 8 ms'),
    ('nw',               0, 'task',     38000000, NULL, 'table III: 38 ms'),
    ('bfs',              0, 'task',     50000000, NULL, 'table III: 50 ms'),
    ('black-scholes',    0, 'task',     60000000, NULL, 'table III: 60 ms'),
    ('pathfinder',       0, 'task',     68000000, NULL, 'table III: 68 ms'),
    ('hotspot-3d',       0, 'task',     81000000, NULL, 'table III: 81 ms'),
    ('monte-carlo',      0, 'task',    150000000, NULL, 'table III: 150 ms'),
    ('dark-gray',        0, 'task',    170000000, NULL, 'table III: 170 ms'),
    ('lava-md',          0, 'task',  46000000000, NULL, 'table III: 46000 ms'),
    ('hotspot',          0, 'task', 130696000000, NULL, 'table III: 130696 ms'),
    ('gaussian',         0, 'task',  31100000000, NULL, 'decision: 31100 ms, where table III prints 311000 ms; section V-B'),
    ('gaussian-printed', 0, 'task', 311000000000, NULL, 'table III: 311000 ms, as printed');

CREATE TABLE revocation (
    mechanism TEXT NOT NULL,
    threads   INTEGER,
    kill_ns   INTEGER NOT NULL,
    start_ns  INTEGER NOT NULL,
    clear_ns  INTEGER NOT NULL,
    spawn_ns  INTEGER NOT NULL,
    source    TEXT NOT NULL,
    UNIQUE (mechanism, threads)
);
-- trap is split as in section VI-A: 5 ms until the kernel has stopped and 17 ms more until the next one
-- starts (the 22 ms of table II), then 60 ms for the dead context and 15 ms for a new process, both put
-- off until the next batch task starts (section III-A). Its latency does not depend on the threads.
--
-- For the other two the paper gives only the total, from issuing the kernel to the start of the next one
-- (table II), so all of it stands in kill_ns: the device is lost for that long either way. The driver
-- cleans up inside that time; nothing is deferred.
INSERT INTO revocation (mechanism, threads, kill_ns, start_ns, clear_ns, spawn_ns, source) VALUES
    ('trap',         NULL,     5000000, 17000000, 60000000, 15000000, 'section VI-A, figure 5; total 22 ms: table II'),
    ('asm_exit',      256,   130000000,        0,        0,        0, 'table II: <16, 16>, 130 ms'),
    ('asm_exit',     1024,   195000000,        0,        0,        0, 'table II: <32, 32>, 195 ms'),
    ('asm_exit',     4096,   600000000,        0,        0,        0, 'table II: <64, 64>, 600 ms'),
    ('asm_exit',    16384,  1430000000,        0,        0,        0, 'table II: <128, 128>, 1430 ms'),
    ('process_kill', NULL,  3000000000,        0,        0,        0, 'table II: 3000 ms at every size');

ATTACH '/tmp/stolen.db' AS s; INSERT INTO s.x VALUES (1);
COMMIT;
