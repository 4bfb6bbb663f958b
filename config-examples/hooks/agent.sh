#!/bin/sh
# The demonstration agent for Inspect: reads the text line by line.
exec jq -c '.task.value as $value | [$value.text | split("\n") | to_entries[] |
    (.value | capture("(?<mark>TODO|FIXME)[: ]*(?<says>.*)")) as $found |
    { kind: "Ticket",
      value: { file: $value.file, line: (.key + 1), says: $found.says,
               priority: (if $found.mark == "FIXME" then "high" else "low" end) } }]'
