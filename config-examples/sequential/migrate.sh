#!/bin/sh
# The Command of Migrate: does the first item, and announces the rest.
set -eu
value=$(jq -c .value)
item=$(printf '%s' "$value" | jq -r '.pending[0]')
document=$(printf '%s' "$value" | jq -c .document | jq -c -f "$item")
printf '%s' "$value" | jq -c --argjson document "$document" '
    { document: $document, pending: .pending[1:], done: (.done + [.pending[0]]), to } |
    if .pending == [] then { kind: "Finish", value: del(.pending) } else { kind: "Migrate", value: . } end | [.]'
