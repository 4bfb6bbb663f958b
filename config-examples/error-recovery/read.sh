#!/bin/sh
# The Command of Read.
set -eu
value=$(jq -c .value)
file=$(printf '%s' "$value" | jq -r .file)
printf '%s' "$value" | jq -c --rawfile text "$file" '[{ kind: "Parse", value: { text: $text, to, repairs: 0 } }]'
