#!/bin/sh
# The Command of Publish.
set -eu
value=$(jq -c .value)
printf '%s' "$value" | jq -r .text >"$(printf '%s' "$value" | jq -r .to)"
printf '%s' "$value" | jq -r '"written after \(.round) of at most \(.max_rounds) revisions"' >&2
echo '[]'
