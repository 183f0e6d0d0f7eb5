#!/usr/bin/env bash
# Registers the typed search attributes of our workflows; those that exist already are left as they are.
# Expects TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.
set -euo pipefail
temporal operator search-attribute create \
  --name AccountId --type Keyword \
  --name JobType --type Keyword \
  --name Simulator --type Keyword \
  --name JobStatus --type Keyword \
  --name Provider --type Keyword \
  --name RecoveryCount --type Int
