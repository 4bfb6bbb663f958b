#!/bin/sh
# The Command of Publish: writes the summary, whole or not at all.
set -eu
value=$(jq -c .value)
to=$(printf '%s' "$value" | jq -r .to)
printf '%s' "$value" | jq -r '"# Summary\n\n\(.summary)"' >"$to.new"
mv "$to.new" "$to"
echo "written to $to" >&2
echo '[]'
