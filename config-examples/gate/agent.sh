#!/bin/sh
# The demonstration agent for Write: begins with a program that does nothing. After an attempt that failed, it adds what
# the error shows to be missing to the program of that attempt.
exec jq -c '
    (.previous_attempts // [] | last) as $last |
    (if $last then $last.response | fromjson[0].value.program else "." end) as $program |
    ($last.error // "" | capture("the title (?<title>\".*\") must become (?<slug>\".*\"), not (?<got>\".*\")")
        // null) as $case |
    (if $case == null then ""
     elif $case.got != ($case.got | ascii_downcase) then " | ascii_downcase"
     else " | gsub(\"[^a-z0-9]+\"; \"-\")" end) as $more |
    [{ kind: "Keep", value: { program: ($program + $more), to: .task.value.to } }]'
