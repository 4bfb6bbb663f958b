#!/bin/sh
# The Command of Report: the findings by file and line, to review.txt and into the log.
set -eu
out=$(jq -r .value.out)
find "$out/findings" -name '*.json' -exec cat {} + |
    jq -rs 'unique_by([.file, .line, .remark])[] | "\(.file):\(.line): \(.remark)\n    \(.text)"' >"$out/review.txt"
cat "$out/review.txt" >&2
echo '[]'
