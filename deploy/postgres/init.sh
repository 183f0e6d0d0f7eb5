#!/usr/bin/env bash
# Runs once, on an empty data folder: one role for Dockyard, which owns its database, and one for Temporal, which
# makes its own two databases.
set -euo pipefail
: "${DOCKYARD_ROLE_PASSWORD:?}" "${TEMPORAL_ROLE_PASSWORD:?}"
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "${POSTGRES_DB:-$POSTGRES_USER}" \
  -v dockyard_password="$DOCKYARD_ROLE_PASSWORD" -v temporal_password="$TEMPORAL_ROLE_PASSWORD" <<'SQL'
CREATE ROLE dockyard LOGIN PASSWORD :'dockyard_password';
CREATE DATABASE dockyard OWNER dockyard;
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';
-- Whoever sent a failed statement logs it; PostgreSQL would log the values of the refused row and the parameters, too.
-- What the server's own processes warn of stays in its log.
ALTER ROLE dockyard SET log_min_messages = log;
ALTER ROLE dockyard SET log_parameter_max_length = 0;
ALTER ROLE dockyard SET log_parameter_max_length_on_error = 0;
ALTER ROLE temporal SET log_min_messages = log;
ALTER ROLE temporal SET log_parameter_max_length = 0;
ALTER ROLE temporal SET log_parameter_max_length_on_error = 0;
SQL
