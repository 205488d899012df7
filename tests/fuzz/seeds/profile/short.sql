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
-- la