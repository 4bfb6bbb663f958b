#!/usr/bin/env bash
# The demonstration agent: a task on stdin, an array of next tasks on stdout. It really looks at the file, without a
# language model: measure.awk counts, and the limits of measure.md decide.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

content=$(cat)
{ read -r kind && read -r path; } < <(jq -r '.task.kind, .task.value.path' <<<"$content")
# Measurements, and the places where they were taken.
seen=$(LC_ALL=C awk -f measure.awk <"$path")

measure() {
    jq -c --argjson seen "$seen" '
        .task.value as $file | $seen.measured as $m |
        [ if $m.lines > 250 then "long file" else empty end,
          if $m.longest_function > 40 then "long function" else empty end,
          if $m.deepest_nesting > 4 then "deep nesting" else empty end,
          if $m.longest_line > 110 then "long line" else empty end,
          if $m.open_questions > 0 then "open question" else empty end ] as $reasons |
        if $reasons == [] then { kind: "Record", value: { name: $file.name, measured: $m, remarks: [] } }
        else { kind: "CloserLook", value: ($file + { measured: $m, reasons: $reasons }) } end | [.]' <<<"$content"
}

look_closer() {
    jq -c --argjson seen "$seen" '
        .task.value as $file | $file.measured as $m | $seen.at as $at |
        { "long file": "\($m.lines) lines for one subject",
          "long function": "line \($at.longest_function): \($at.longest_function_name) has \($m.longest_function) lines",
          "deep nesting": "line \($at.deepest_nesting): \($m.deepest_nesting) braces deep",
          "long line": "line \($at.longest_line): \($m.longest_line) characters",
          "open question": "line \($at.open_question): \($at.open_question_text)" } as $remarks |
        { name: $file.name, measured: $m, remarks: [$file.reasons[] | $remarks[.] // .] } |
        [{ kind: "Record", value: . }]' <<<"$content"
}

case $kind in
    Measure) measure ;;
    CloserLook) look_closer ;;
    *)
        echo "agent.sh knows no task of kind $kind" >&2
        exit 1
        ;;
esac
