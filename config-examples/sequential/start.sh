#!/bin/sh
# The Command of Start: the whole list goes into the first task, in the order of the names.
set -eu
value=$(jq -c .value)
document=$(printf '%s' "$value" | jq -r .document)
printf '%s\n' "$value" | jq -c --slurpfile document "$document" \
    '[{ kind: "Migrate", value: { document: $document[0], pending: $ARGS.positional, done: [], to } }]' \
    --args migrations/*.jq
