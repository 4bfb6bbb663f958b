#include "cli/roff.hpp"

namespace cli::roff {

namespace {

// What roff would take for an escape or a request, or would print as another character.
std::string_view escape(char c, bool begins_line) {
    switch (c) {
        case '\\':
            return "\\(rs";
        case '-':
            return "\\-";
        case '\'':
            return "\\(aq";
        case '`':
            return "\\(ga";
        case '^':
            return "\\(ha";
        case '~':
            return "\\(ti";
        case '"':
            return "\\(dq";
        case '.':
            return begins_line ? "\\&." : "";
        default:
            return "";
    }
}

void append_literal(std::string& out, std::string_view text) {
    for (char c : text) {
        std::string_view escaped = escape(c, out.empty() || out.back() == '\n');
        if (escaped.empty())
            out.push_back(c);
        else
            out.append(escaped);
    }
}

void append_bold(std::string& out, std::string_view text) {
    out.append("\\fB");
    append_literal(out, text);
    out.append("\\fR");
}

}  // namespace

std::string literal(std::string_view text) {
    std::string out;
    append_literal(out, text);
    return out;
}

std::string bold(std::string_view text) {
    std::string out;
    append_bold(out, text);
    return out;
}

std::string italic(std::string_view text) {
    std::string out = "\\fI";
    append_literal(out, text);
    return out + "\\fR";
}

std::string prose(std::string_view text) {
    std::string out;
    while (true) {
        auto begin = text.find('`');
        auto end = begin == text.npos ? text.npos : text.find('`', begin + 1);
        append_literal(out, end == text.npos ? text : text.substr(0, begin));
        if (end == text.npos) return out;
        append_bold(out, text.substr(begin + 1, end - begin - 1));
        text.remove_prefix(end + 1);
    }
}

}  // namespace cli::roff
