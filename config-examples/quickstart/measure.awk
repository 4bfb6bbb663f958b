# Measures one C++ file on stdin; prints a JSON object of measurements and of the places where they were taken.
# Counts braces and guesses what each one opens: right for ordinary code, no parser. Run it with LC_ALL=C.

BEGIN { comment = raw_end = continued = 0; depth = functions = blocks = parens = 0; text = ""; text_line = 0 }

{
    note_width($0)
    remark = ""
    if (raw_end == 0 && !comment && (continued || $0 ~ /^[ \t]*#/)) {
        continued = ($0 ~ /\\$/)
    } else {
        read_code($0 " ")
    }
    if (remark ~ /(^|[^A-Za-z_])(TODO|FIXME|XXX|HACK)([^A-Za-z_]|$)/ && open_questions++ == 0) {
        open_line = NR
        open_text = remark
    }
}

END {
    printf "{\"measured\":{\"lines\":%d,\"longest_function\":%d,\"deepest_nesting\":%d,", NR, longest, deepest
    printf "\"longest_line\":%d,\"open_questions\":%d},", widest, open_questions
    printf "\"at\":{\"longest_function\":%d,\"longest_function_name\":\"%s\",", longest_at, longest_name
    printf "\"deepest_nesting\":%d,\"longest_line\":%d,", deepest_at, widest_at
    printf "\"open_question\":%d,\"open_question_text\":\"%s\"}}\n", open_line, json_text(open_text)
}

# In characters: the continuation bytes of UTF-8 don't count.
function note_width(line) {
    gsub(/[\200-\277]/, "", line)
    if (length(line) > widest) { widest = length(line); widest_at = NR }
}

# Leaves out comments and literals, and hands on what remains character by character.
function read_code(line,    at, c, two) {
    for (at = 1; at <= length(line); ++at) {
        c = substr(line, at, 1)
        two = substr(line, at, 2)
        if (raw_end != 0) {
            if (substr(line, at, length(raw_end)) == raw_end) { at += length(raw_end) - 1; raw_end = 0 }
        } else if (comment) {
            if (two == "*/") { comment = 0; ++at } else remark = remark c
        } else if (two == "//") {
            remark = remark substr(line, at + 2)
            return
        } else if (two == "/*") {
            comment = 1
            ++at
        } else if (c == "\"" && previous == "R") {
            raw_end = substr(line, at + 1)
            sub(/\(.*/, "", raw_end)
            raw_end = ")" raw_end "\""
        } else if (c == "\"" || (c == "'" && !in_number(substr(line, 1, at - 1)))) {
            at = end_of_literal(line, at, c)
            previous = c
        } else {
            read_character(c)
            if (c !~ /[ \t]/) previous = c
        }
    }
}

# Whether a quote after this text is a digit separator.
function in_number(before) { return before ~ /(^|[^A-Za-z0-9_])[0-9][0-9A-Fa-fXxb']*$/ }

function end_of_literal(line, at, quote,    c) {
    for (++at; at <= length(line); ++at) {
        c = substr(line, at, 1)
        if (c == "\\") ++at
        else if (c == quote) return at
    }
    return at
}

# `text` is the declaration or statement up to here, `kinds` the open braces: n(amespace) or type, f(unction),
# b(lock), i(nitializer).
function read_character(c) {
    if (c == "{") return open_brace()
    if (c == "}") return close_brace()
    if (c == "(") ++parens
    if (c == ")" && parens > 0) --parens
    if (c == ";" && parens == 0) return clear_text()
    if (text == "" && c ~ /[ \t]/) return
    if (text == "") text_line = NR
    text = text c
}

function clear_text() { text = ""; parens = 0 }

function open_brace(    kind) {
    kind = functions > 0 ? kind_inside() : kind_outside()
    kinds[++depth] = kind
    if (kind == "i") return
    if (kind == "f") {
        ++functions
        blocks = 1
        begun = text_line
        name = name_in(text)
    } else if (kind == "b") {
        ++blocks
    }
    if (functions > 0 && blocks > deepest) { deepest = blocks; deepest_at = NR }
    clear_text()
}

function close_brace(    kind) {
    if (depth == 0) return
    kind = kinds[depth--]
    if (kind == "i") { text = text "}"; return }
    if (kind == "b") --blocks
    if (kind == "f") {
        --functions
        if (NR - begun + 1 > longest) { longest = NR - begun + 1; longest_at = begun; longest_name = name }
    }
    clear_text()
}

function kind_inside() {
    if (previous ~ /[){};]/ || previous == "" || text == "") return "b"
    return text ~ /(^|[^A-Za-z_])(else|do|try|mutable|noexcept)[ \t]*$/ || text ~ /^[ \t]*(case |default)/ ? "b" : "i"
}

function kind_outside() {
    if (text ~ /(^|[^A-Za-z_])namespace([^A-Za-z_]|$)/) return "n"
    if (parens > 0) return "i"
    if (text !~ /\)/) return text ~ /=[ \t]*$/ || text ~ /[A-Za-z0-9_>][ \t]*$/ && text !~ /(class|struct|union|enum|extern)/ ? "i" : "n"
    # The braces of a member in a constructor's initializer list.
    if (text ~ /\)[ \ta-z]*:[^:]/ && previous ~ /[A-Za-z0-9_>]/) return "i"
    return "f"
}

# The identifier before the first parenthesis.
function name_in(declaration) {
    if (!match(declaration, /[A-Za-z_~][A-Za-z0-9_:~]*[ \t]*\(/)) return "a function"
    return substr(declaration, RSTART, RLENGTH - 1) "()"
}

function json_text(s,    at, c, escaped) {
    gsub(/[\001-\037]/, " ", s)
    sub(/^ +/, "", s)
    sub(/ +$/, "", s)
    for (at = 1; at <= length(s); ++at) {
        c = substr(s, at, 1)
        escaped = escaped (c == "\\" || c == "\"" ? "\\" : "") c
    }
    return escaped
}
