-- The view that a database of schema 7 has without its last two columns.

DROP VIEW IF EXISTS headline;

CREATE VIEW headline AS
SELECT e.id AS experiment, e.name, e.policy, e.seed, e.devices, e.clairvoyant,
  e.interval_kind,
  (SELECT count(*) FROM run r WHERE r.experiment = e.id) AS replications,
  max(CASE WHEN s.name = 'sla_met' AND s.class = 'latency' THEN s.value END) AS sla_met,
  max(CASE WHEN s.name = 'sla_met' AND s.class = 'latency' THEN s.low END) AS sla_met_low,
  max(CASE WHEN s.name = 'sla_met' AND s.class = 'latency' THEN s.high END) AS sla_met_high,
  max(CASE WHEN s.name = 'utilisation' AND s.app IS NULL AND s.class IS NULL THEN s.value END) AS utilisation,
  max(CASE WHEN s.name = 'utilisation' AND s.app IS NULL AND s.class IS NULL THEN s.low END) AS utilisation_low,
  max(CASE WHEN s.name = 'utilisation' AND s.app IS NULL AND s.class IS NULL THEN s.high END) AS utilisation_high,
  max(CASE WHEN s.name = 'useful' AND s.app IS NULL AND s.class IS NULL THEN s.value END) AS useful,
  max(CASE WHEN s.name = 'useful' AND s.app IS NULL AND s.class IS NULL THEN s.low END) AS useful_low,
  max(CASE WHEN s.name = 'useful' AND s.app IS NULL AND s.class IS NULL THEN s.high END) AS useful_high,
  max(CASE WHEN s.name = 'lost_over_useful' AND s.app IS NULL AND s.class IS NULL THEN s.value END) AS lost_over_useful,
  max(CASE WHEN s.name = 'lost_over_useful' AND s.app IS NULL AND s.class IS NULL THEN s.low END) AS lost_over_useful_low,
  max(CASE WHEN s.name = 'lost_over_useful' AND s.app IS NULL AND s.class IS NULL THEN s.high END) AS lost_over_useful_high,
  max(CASE WHEN s.name = 'revocations' AND s.app IS NULL AND s.class IS NULL THEN s.value END) AS revocations,
  max(CASE WHEN s.name = 'revocations' AND s.app IS NULL AND s.class IS NULL THEN s.low END) AS revocations_low,
  max(CASE WHEN s.name = 'revocations' AND s.app IS NULL AND s.class IS NULL THEN s.high END) AS revocations_high,
  max(CASE WHEN s.name = 'unfinished' AND s.app IS NULL AND s.class IS NULL THEN s.value END) AS unfinished,
  coalesce(max(CASE WHEN s.name = 'overloaded' THEN s.value END), 0) AS overloaded
FROM experiment e LEFT JOIN summary s ON s.experiment = e.id
GROUP BY e.id;
