#!/bin/sh
# The Command of Split: a task for each term, with the file for its first letter.
set -eu
value=$(jq -c .value)
to=$(printf '%s' "$value" | jq -r .to)
mkdir -p "$to"
jq -c --arg to "$to" \
    'map({ kind: "File", value: { file: "\($to)/\(.term[:1]).txt", term, meaning } })' \
    "$(printf '%s' "$value" | jq -r .terms)"
