# Markdown of docs/ into markdown whose headings are a manual page's sections and whose tables are lists. Of a row the
# first cell is a term, with the second in brackets if that is a column of types, and what else there is goes below it.
# `name` is the page's, `see_also` the pages that it refers to, with spaces between.

function upper(text,    parts, count, i, out) {
    count = split(text, parts, "`")
    for (i = 1; i <= count; i++)
        out = out (i > 1 ? "`" : "") (i % 2 ? toupper(parts[i]) : parts[i])
    return out
}

function reference(page,    at) {
    at = index(page, "(")
    return "**" substr(page, 1, at - 1) "**" substr(page, at)
}

# Links to documents that are manual pages, too.
function link(text) {
    gsub(/\[[^]]*\]\(config\.md[^)]*\)/, reference("barnum-config(5)"), text)
    gsub(/\[[^]]*\]\(troupe-protocol\.md[^)]*\)/, reference("troupe-protocol(7)"), text)
    return text
}

function trim(text) {
    gsub(/^ +| +$/, "", text)
    return text
}

function split_row(line, cells,    count, i) {
    gsub(/\\\|/, "\001", line)
    sub(/^ *\|/, "", line)
    sub(/\| *$/, "", line)
    count = split(line, cells, "|")
    for (i = 1; i <= count; i++) {
        cells[i] = trim(cells[i])
        gsub(/\001/, "|", cells[i])
    }
    return count
}

function row(line,    cells, count, term, text, i) {
    count = split_row(line, cells)
    term = cells[1]
    text = (count > 2 && heads[1] == "" ? heads[2] ": " : "") cells[2]
    if (count == 3 && heads[2] ~ /^(value|type)$/) {
        term = term " (" cells[2] ")"
        text = cells[3]
    } else {
        for (i = 3; i <= count; i++)
            text = text " (" heads[i] ": " cells[i] ")"
    }
    return term "\n:   " text "\n"
}

function heading(line) {
    if (line ~ /^# /) return "# NAME\n\n" name " - " substr(line, 3) "\n\n# DESCRIPTION"
    if (line ~ /^## /) return "# " upper(substr(line, 4))
    return substr(line, 2)
}

{ is_row = !fenced && /^ *\|/ }
/^ *```/ { fenced = !fenced }

is_row && ++rows == 1 { split_row($0, heads); print "" }
is_row { if (rows > 2) print link(row($0)); next }
{ rows = 0 }
!fenced && /^#/ { print heading($0); next }
!fenced && !/^ *```/ { print link($0); next }
{ print }

END {
    count = split(see_also, pages, " ")
    if (count) print "\n# SEE ALSO\n"
    for (i = 1; i <= count; i++)
        print reference(pages[i]) (i < count ? "," : "")
}
