#!/bin/sh
# The Command of Keep: one file for each result, as many of these run at once.
set -eu
value=$(jq -c .value)
out=$(printf '%s' "$value" | jq -r .out)
printf '%s\n' "$value" >"$out/parts/$(printf '%s' "$value" | jq -r .name).json"
echo '[]'
