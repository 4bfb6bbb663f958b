#!/bin/sh
# The demonstration agent for Review and Verify: looks for a few words, and doubts what it finds in comments.
exec jq -c '
    { safety: { "\\beval\\b": "eval runs whatever its text contains.",
                "rm -rf .*\\$": "An empty variable removes too much." },
      leftovers: { "set -x|echo .?DEBUG": "Debug output is left over." } } as $rules |
    .task.value as $value |
    if .task.kind == "Review" then
        [$value.added[] as $line | $rules[$value.view] | to_entries[] |
         select(.key as $rule | $line.text | test($rule)) |
         { kind: "Verify", value: ($value + $line + { remark: .value } | del(.added)) }]
    elif $value.text | test("^\\s*#") then []
    else [{ kind: "Keep", value: $value }] end'
