#!/bin/sh
# The Command of Report: the findings by file and line, to review.md and into the log.
set -eu
out=$(jq -r .value.out)
find "$out/findings" -name '*.json' -exec cat {} + |
    jq -rs 'sort_by([.file, .line])[] | "- \(.file):\(.line): \(.remark)"' >"$out/review.md"
cat "$out/review.md" >&2
echo '[]'
