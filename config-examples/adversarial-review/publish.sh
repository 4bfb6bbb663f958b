#!/bin/sh
# The Command of Publish: writes the message, whole or not at all.
set -eu
value=$(jq -c .value)
to=$(printf '%s' "$value" | jq -r .to)
printf '%s' "$value" | jq -r .message >"$to.new"
mv "$to.new" "$to"
printf '%s' "$value" |
    jq -r '"\(if .accepted then "accepted" else "not accepted" end) after \(.round) revisions: \(.to)"' >&2
echo '[]'
