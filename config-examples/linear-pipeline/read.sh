#!/bin/sh
# The Command of Read: puts the file's text into the next task, so that an agent needs no access to the file.
set -eu
value=$(jq -c .value)
file=$(printf '%s' "$value" | jq -r .file)
printf '%s' "$value" | jq -c --rawfile text "$file" '[{ kind: "Summarize", value: { text: $text, to } }]'
