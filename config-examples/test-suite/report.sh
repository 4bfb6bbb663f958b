#!/bin/sh
# The Command of Report: a line for each result, and how many there are.
set -eu
task=$(cat)
printf '%s' "$task" | jq -r '
    (.value.results | map(.value) | sort_by(.name)) as $results
    | ($results[] | "\(if .passed then "passed" else "FAILED" end) \(.name)"),
      "\($results | map(select(.passed)) | length) of \(($results | length) + .value.dropped) passed"
' >"$(printf '%s' "$task" | jq -r .value.value.to)"
echo '[]'
