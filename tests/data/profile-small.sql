-- A profile made up for tests: kernels out of order, an application without an SLA, one without memory,
-- key order and spelling unlike the shipped profiles. No number here was measured.
create table if not exists Device (name, kind, sms, memory_bytes, source);
create table application (source, memory_bytes, sla_ns, class, name);
create table kernel (application, position, kind, duration_ns, threads, source);
create table revocation (mechanism, threads, kill_ns, start_ns, clear_ns, spawn_ns, source);
create table profile (key, value);
/* A comment with SELECT; 'and a quote. */
insert into profile values ('measured_by', 'nobody; select 1');
insert into profile values ('source', 'made up'), ('description', 'it''s for "tests"'), ('name', 'small'),
    ('schema_version', 1);
insert into device values ('Test device', 'gpu', 4, 1000, 'made up');
insert into application values ('made up', 1000, null, 'latency', 'z-service');
insert into application values ('made up', 0, null, 'batch', 'a-job');
insert into kernel values ('z-service', 2, 'transfer', 30, null, 'made up');
insert into kernel values ('a-job', 0, 'task', 1000000000000000000, 1, 'made up');
insert into kernel values ('z-service', 0, 'transfer', 10, null, 'made up');
insert into kernel values ('z-service', 1, 'compute', 20, 4096, 'made up');
insert into revocation values ('trap', 4096, 90, 1, 4, 0, 'made up');
insert into revocation values ('trap', 64, 30, 1, 0, 0, 'made up')
