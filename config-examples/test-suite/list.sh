#!/bin/sh
# The Command of List: announces a Test for each script of the folder.
set -eu
folder=$(jq -r .value.folder)
for file in "$folder"/*.sh; do
    [ -e "$file" ] || continue
    jq -nc --rawfile script "$file" --arg name "${file##*/}" '{ kind: "Test", value: { name: $name, script: $script } }'
done | jq -cs .
