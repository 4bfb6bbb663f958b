#!/bin/sh
# The demonstration agent for Count.
exec jq -c '.task.value | [.text | scan("[[:alpha:]]+")] as $words |
    [{ kind: "Keep", value: { name, words: ($words | length), longest: ($words | max_by(length) // ""), out } }]'
