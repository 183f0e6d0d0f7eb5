#!/usr/bin/env bash
# Runs once, on an empty data folder: one role for Dockyard, which owns its database, and one for Temporal, which
# makes its own two databases.
set -euo pipefail
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "${POSTGRES_DB:-$POSTGRES_USER}" \
  -v dockyard_password="$DOCKYARD_ROLE_PASSWORD" -v temporal_password="$TEMPORAL_ROLE_PASSWORD" <<'SQL'
CREATE ROLE dockyard LOGIN PASSWORD :'dockyard_password';
CREATE DATABASE dockyard OWNER dockyard;
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';
SQL
