#!/bin/sh
# The post hook of Write: the program must pass each case. The first that it does not pass is what the next attempt is
# told. A failure of the agent is passed on as it is.
set -eu
result=$(cat)
if [ "$(printf '%s' "$result" | jq -r .kind)" = Success ]; then
    program=$(printf '%s' "$result" | jq -er '.next[0].value.program') || {
        echo "one Keep was wanted" >&2
        exit 1
    }
    cases=$(printf '%s' "$result" | jq -r .input.cases)
    while IFS= read -r case; do
        title=$(printf '%s' "$case" | jq .title)
        wanted=$(printf '%s' "$case" | jq .slug)
        got=$(printf '%s' "$title" | jq -c "$program" 2>&1) || true
        if [ "$got" != "$wanted" ]; then
            printf 'the title %s must become %s, not %s\n' "$title" "$wanted" "$got" >&2
            exit 1
        fi
    done <"$cases"
fi
printf '%s' "$result"
