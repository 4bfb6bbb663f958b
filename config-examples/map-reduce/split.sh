#!/bin/sh
# The Command of Split: announces a Summarize for each text of the folder.
set -eu
value=$(jq -c .value)
folder=$(printf '%s' "$value" | jq -r .folder)
for file in "$folder"/*.txt; do
    [ -e "$file" ] || continue
    jq -nc --rawfile text "$file" --arg name "${file##*/}" '{ kind: "Summarize", value: { name: $name, text: $text } }'
done | jq -cs .
