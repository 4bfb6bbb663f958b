#!/bin/sh
# The Command of Store: writes the document, whole or not at all.
set -eu
value=$(jq -c .value)
to=$(printf '%s' "$value" | jq -r .to)
printf '%s' "$value" | jq .document >"$to.new"
mv "$to.new" "$to"
echo '[]'
