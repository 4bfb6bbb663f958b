#!/bin/sh
# The Command of Scan: empties the place for the results, and announces a Count for each text of the folder.
set -eu
value=$(jq -c .value)
folder=$(printf '%s' "$value" | jq -r .folder)
out=$(printf '%s' "$value" | jq -r .out)
mkdir -p "$out/parts"
rm -f "$out"/parts/*.json
tasks=$(for file in "$folder"/*.txt; do
    [ -e "$file" ] || continue
    printf '%s' "$value" | jq -c --rawfile text "$file" --arg name "${file##*/}" \
        '{ kind: "Count", value: { name: $name, text: $text, out } }'
done)
printf '%s' "$tasks" | jq -cs .
