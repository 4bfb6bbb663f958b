#!/bin/sh
# The Command of Split: a Review for each file of the patch and each point of view, with the lines that were added.
set -eu
value=$(jq -c .value)
patch=$(printf '%s' "$value" | jq -r .patch)
out=$(printf '%s' "$value" | jq -r .out)
[ -r "$patch" ] || { echo "there is no patch $patch" >&2 && exit 1; }
mkdir -p "$out/findings"
rm -f "$out"/findings/*.json
awk '
    /^\+\+\+ / { file = $2; sub(/^b\//, "", file); next }
    /^@@ / { split($3, start, /[+,]/); line = start[2]; next }
    /^\+/ { print file "\t" line++ "\t" substr($0, 2) }
    /^ / { ++line }' "$patch" |
    jq -Rnc --argjson value "$value" '
        [inputs | capture("(?<file>[^\t]*)\t(?<line>[0-9]+)\t(?<text>.*)") | .line |= tonumber] | group_by(.file) |
        [.[] | { kind: "Review",
                 value: { file: .[0].file, added: map({ line, text }),
                          view: ("safety", "leftovers"), out: $value.out } }]'
