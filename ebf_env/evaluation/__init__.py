"""Running methods and backends over suites, recording what they did, and scoring and reporting it."""
