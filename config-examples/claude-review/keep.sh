#!/bin/sh
# The Command of Keep: one file for each finding, as many of these run at once.
set -eu
value=$(jq -c .value)
out=$(printf '%s' "$value" | jq -r .out)
printf '%s\n' "$value" >"$out/findings/$BARNUM_TASK_ID.json"
echo '[]'
