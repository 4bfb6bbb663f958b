#!/bin/sh
# The Command of Split: a Review for each file of the patch, with its part of the patch.
set -eu
value=$(jq -c .value)
patch=$(printf '%s' "$value" | jq -r .patch)
out=$(printf '%s' "$value" | jq -r .out)
[ -r "$patch" ] || { echo "there is no patch $patch" >&2 && exit 1; }
mkdir -p "$out/findings"
rm -f "$out"/findings/*.json
jq -Rsc --arg out "$out" '
    [splits("(^|\n)(?=--- [^\n]*\n\\+\\+\\+ )") | select(startswith("--- "))] |
    map({ kind: "Review",
          value: { file: capture("\n\\+\\+\\+ (b/)?(?<file>[^\t\n]*)").file, diff: ., $out } })' "$patch"
