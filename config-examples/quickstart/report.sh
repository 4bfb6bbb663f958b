#!/usr/bin/env bash
# The Command of Report: prints what was recorded as a table, to stderr, which barnum shows, and to review.txt. Files
# with remarks come first; of very many files only the first rows are shown.
set -euo pipefail
. ./results-dir.sh
most_rows=25

# Columns of tab-separated cells: the first and the last to the left, the others to the right.
align() {
    awk -F '\t' '
        { for (i = 1; i <= NF; ++i) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
        END {
            for (row = 1; row <= NR; ++row) {
                printf "%-" width[1] "s", cell[row, 1]
                for (i = 2; i < NF; ++i) printf "  %" width[i] "s", cell[row, i]
                print "  " cell[row, NF]
            }
        }'
}

recorded=$(find "$results/files" -name '*.json' -exec cat {} + | jq -cs 'map(.value)')
{
    jq -r --argjson most "$most_rows" '
        ["FILE", "LINES", "LONGEST FUNCTION", "NESTING", "WIDTH", "OPEN", "REMARKS"],
        (sort_by((.remarks | -length), -.measured.lines)[:$most][] | .measured as $m |
            [.name, $m.lines, $m.longest_function, $m.deepest_nesting, $m.longest_line, $m.open_questions,
             .remarks[0] // "fine"],
            (.remarks[1:][] | [range(6) | ""] + [.])) | map(tostring | gsub("\t"; " ")) | join("\t")' <<<"$recorded" |
        align
    jq -r --argjson most "$most_rows" '
        def counted(noun): "\(.) \(noun)\(if . == 1 then "" else "s" end)";
        map(select(.remarks != [])) as $remarked |
        (length - $most | select(. > 0) | "… and \(counted("more file"))"),
        "\(length | counted("file")), \(map(.measured.lines) | add // 0 | counted("line")): " +
        "\($remarked | length) with remarks, \(length - ($remarked | length)) fine"' <<<"$recorded"
} >"$results/review.txt"
cat "$results/review.txt" >&2
echo '[]'
