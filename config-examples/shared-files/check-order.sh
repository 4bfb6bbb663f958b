#!/bin/sh
# The post hook of File: fails, so that the task is tried again, if the file has lost the entry or its order. It still
# holds the file's key.
set -eu
result=$(cat)
if [ "$(printf '%s' "$result" | jq -r .kind)" = Success ]; then
    file=$(printf '%s' "$result" | jq -r .input.file)
    term=$(printf '%s' "$result" | jq -r .input.term)
    grep -q "^$term: " "$file" || { echo "$term is not in $file" >&2; exit 1; }
    sort -c "$file"
fi
printf '%s' "$result"
