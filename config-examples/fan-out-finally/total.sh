#!/bin/sh
# The Command of Total: puts the results together, and says what is missing.
set -eu
value=$(jq -c .value)
folder=$(printf '%s' "$value" | jq -r .folder)
out=$(printf '%s' "$value" | jq -r .out)
for file in "$folder"/*.txt; do
    [ -e "$file" ] || continue
    name=${file##*/}
    cat "$out/parts/$name.json" 2>/dev/null || jq -nc --arg name "$name" '{ name: $name, failed: true }'
done | jq -s 'map(select(.words)) as $counted |
    { files: length, words: ($counted | map(.words) | add // 0), longest: ($counted | map(.longest) | max_by(length)),
      failed: map(select(.failed).name) }' >"$out/total.json"
cat "$out/total.json" >&2
echo '[]'
