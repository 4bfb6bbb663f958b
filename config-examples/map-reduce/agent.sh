#!/bin/sh
# The demonstration agent: its summary of a text is the text's longest word, and its report lists the summaries.
exec jq -c '.task | .value as $value |
    if .kind == "Summarize" then
        ($value.text | [scan("[[:alpha:]]+")] | max_by(length)) as $summary |
        [{ kind: "Summary", value: { name: $value.name, summary: $summary } }]
    else
        ($value.summaries | map("\(.name) is about \(.summary)") | join(", ")) as $list |
        (if $value.missing == [] then "" else "; not summarized: \($value.missing | join(", "))" end) as $missing |
        [{ kind: "Save", value: { to: $value.to, report: "\($value.summaries | length) texts: \($list)\($missing)" } }]
    end'
