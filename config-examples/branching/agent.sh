#!/bin/sh
# The demonstration agent for Triage: goes by the words of the message.
exec jq -c '.task.value | (.text | ascii_downcase) as $text |
    if $text | test("crash|fails|error|lost") then
        { kind: "FileBug", value: { from, text, severity: (if $text | test("lost") then 1 else 2 end) } }
    elif $text | test("\\?") then { kind: "Answer", value: { to: .from, question: .text } }
    else { kind: "Discard", value: { reason: "neither a bug nor a question: \(.text)" } } end | [.]'
