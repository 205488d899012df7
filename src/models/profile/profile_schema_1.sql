-- Version 1 of a profile's tables: enough for devices that run one kernel at a time.
-- docs/profile.md says what each column means, in which unit and range. A line that begins with
-- blanks goes on with the one before it, and no comment stands inside of a statement: profiles have
-- each statement on one line, see profile_schema.c.

CREATE TABLE profile(key TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE device(name TEXT NOT NULL, kind TEXT NOT NULL, sms INTEGER NOT NULL,
    memory_bytes INTEGER NOT NULL, source TEXT NOT NULL);

CREATE TABLE application(name TEXT PRIMARY KEY, class TEXT NOT NULL, sla_ns INTEGER,
    memory_bytes INTEGER NOT NULL, source TEXT NOT NULL);

CREATE TABLE kernel(application TEXT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL,
    duration_ns INTEGER NOT NULL, threads INTEGER, source TEXT NOT NULL,
    PRIMARY KEY(application, position));

CREATE TABLE revocation(mechanism TEXT NOT NULL, threads INTEGER, kill_ns INTEGER NOT NULL,
    start_ns INTEGER NOT NULL, clear_ns INTEGER NOT NULL, spawn_ns INTEGER NOT NULL,
    source TEXT NOT NULL);
