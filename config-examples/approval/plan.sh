#!/bin/sh
# The Command of Plan: proposes all texts of the folder.
set -eu
value=$(jq -c .value)
cd "$(printf '%s' "$value" | jq -r .from)"
printf '%s' "$value" | jq -c '[{ kind: "Approve", value: (. + { files: $ARGS.positional }) }]' --args -- *.txt
