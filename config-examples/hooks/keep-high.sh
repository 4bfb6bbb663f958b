#!/bin/sh
# The post hook: a result on stdin, the result that counts on stdout. Notes each one in $JOURNAL.
set -eu
result=$(cat)
if [ -n "${JOURNAL:-}" ]; then
    printf '%s' "$result" | jq -c --arg attempt "$BARNUM_ATTEMPT" --arg step "$BARNUM_STEP" '
        { step: $step, attempt: ($attempt | tonumber), file: .input.file, kind, found: (.next // [] | length), error }
        | del(.[] | nulls)' >>"$JOURNAL"
fi
printf '%s' "$result" | jq -c '
    if .kind == "Success" then .next |= map(select(.value.priority == "high")) else . end'
