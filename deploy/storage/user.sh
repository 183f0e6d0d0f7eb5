#!/bin/sh
# Gives the service a user of the store that may do what it needs within its own bucket and nothing else: no other bucket, no users, no settings
# of the gateway. May run again, also with a new secret. Expects ADMIN_… of the gateway's root, STORE_USER, STORE_SECRET and STORE_BUCKET.
set -eu
: "${STORE_USER:?}" "${STORE_SECRET:?}" "${STORE_BUCKET:?}"
# Waits for nothing: the gateway is healthy before this runs.
has() { awk 'NR > 2 { print $1 }' | grep -qxF "$1"; }
if versitygw admin list-users | has "$STORE_USER"; then
  versitygw admin update-user --access "$STORE_USER" --secret "$STORE_SECRET" --role user
else
  versitygw admin create-user --access "$STORE_USER" --secret "$STORE_SECRET" --role user
fi
if versitygw admin list-buckets | has "$STORE_BUCKET"; then
  versitygw admin change-bucket-owner --owner "$STORE_USER" --bucket "$STORE_BUCKET"
else
  versitygw admin create-bucket --owner "$STORE_USER" --bucket "$STORE_BUCKET"
fi
