#!/bin/sh
# The pre hook: a value on stdin, the value for the action on stdout. It only adds.
set -eu
value=$(cat)
file=$(printf '%s' "$value" | jq -r .file)
printf '%s' "$value" | jq -c --rawfile text "$file" '. + { text: $text }'
