#include "json/blocks.hpp"
#include "json/in_place.hpp"
#include "json/json.hpp"
#include "json/utf8.hpp"

#include <algorithm>

namespace json {

namespace {

constexpr std::size_t line_width = 80;

class PrettyWriter {
  public:
    explicit PrettyWriter(std::string& out) : out_(out) {}

    // `column`: the column of the value's start in its line; `tail`: the number of characters that must still
    // fit after the value.
    void write(View value, std::size_t indent, std::size_t column, std::size_t tail) {
        bool is_container = value.is(Kind::array) || value.is(Kind::object);
        if (!is_container) {
            out_.append(value.text());
        } else if (!write_on_one_line(value, column, tail)) {
            write_on_lines(value, indent);
        }
    }

  private:
    struct Item {
        std::string key;  // with its colon; empty in an array
        View value;
    };

    static std::vector<Item> items(View container) {
        std::vector<Item> found;
        if (container.is(Kind::array)) {
            for (View element : container.elements())
                found.push_back({"", element});
        } else {
            for (const Member& member : container.members()) {
                found.push_back({std::string(member.key.text()) + ": ", member.value});
            }
        }
        return found;
    }

    static bool is_scalar(const Item& item) {
        return !item.value.is(Kind::array) && !item.value.is(Kind::object);
    }

    bool write_on_one_line(View container, std::size_t column, std::size_t tail) {
        auto all = items(container);
        bool is_object = container.is(Kind::object);
        if (!std::all_of(all.begin(), all.end(), is_scalar)) return false;
        std::string line;
        for (const Item& item : all) {
            if (!line.empty()) line += ", ";
            line.append(item.key).append(item.value.text());
        }
        std::string_view pad = is_object && !all.empty() ? " " : "";
        std::size_t width = column + 2 + 2 * pad.size() + utf8::code_points(line) + tail;
        if (width > line_width && !all.empty()) return false;
        out_.push_back(is_object ? '{' : '[');
        out_.append(pad).append(line).append(pad);
        out_.push_back(is_object ? '}' : ']');
        return true;
    }

    void write_on_lines(View container, std::size_t indent) {
        auto all = items(container);
        out_.push_back(container.text().front());
        for (const Item& item : all) {
            bool last = &item == &all.back();
            out_.append("\n").append(indent + 2, ' ').append(item.key);
            write(item.value, indent + 2, indent + 2 + utf8::code_points(item.key), last ? 0 : 1);
            if (!last) out_.push_back(',');
        }
        out_.append("\n").append(indent, ' ');
        out_.push_back(container.text().back());
    }

    std::string& out_;
};

void append_escaped(std::string& out, unsigned char c) {
    switch (c) {
        case '"':
            out.append("\\\"");
            return;
        case '\\':
            out.append("\\\\");
            return;
        case '\b':
            out.append("\\b");
            return;
        case '\f':
            out.append("\\f");
            return;
        case '\n':
            out.append("\\n");
            return;
        case '\r':
            out.append("\\r");
            return;
        case '\t':
            out.append("\\t");
            return;
        default:
            break;
    }
    constexpr std::string_view digits = "0123456789abcdef";
    out.append("\\u00");
    out.push_back(digits[c >> 4U]);
    out.push_back(digits[c & 15U]);
}

void append_valid_utf8(std::string& out, std::string_view text) {
    while (!text.empty()) {
        std::size_t valid = invalid_utf8(text).value_or(text.size());
        out.append(text.substr(0, valid));
        if (valid == text.size()) return;
        utf8::append(out, 0xFFFD);
        text.remove_prefix(valid + 1);
    }
}

}  // namespace

// The loop has no branches, so that the compiler can vectorize it.
std::size_t quoted_size(std::string_view text) {
    std::size_t short_escapes = 0, long_escapes = 0;
    for (char each : text) {
        auto c = static_cast<unsigned char>(each);
        bool is_short =
            c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t';
        short_escapes += is_short ? 1 : 0;
        long_escapes += c < 0x20 && !is_short ? 1 : 0;
    }
    return text.size() + 2 + short_escapes + 5 * long_escapes;
}

std::string compact(View value) {
    return compact_in_place(std::string(value.text()));
}

std::string pretty(View value) {
    std::string out;
    PrettyWriter(out).write(value, 0, 0, 0);
    return out;
}

void append_quoted(std::string& out, std::string_view text) {
    std::size_t plain = blocks::find_offset<blocks::quote_backslash_or_control>(text, 0);
    std::size_t size = plain == text.size() ? plain + 2 : quoted_size(text);
    out.reserve(out.size() + size + 1);  // plus one for a closing brace
    out.push_back('"');
    while (true) {
        append_valid_utf8(out, text.substr(0, plain));
        if (plain == text.size()) break;
        append_escaped(out, static_cast<unsigned char>(text[plain]));
        text.remove_prefix(plain + 1);
        plain = blocks::find_offset<blocks::quote_backslash_or_control>(text, 0);
    }
    out.push_back('"');
}

std::string quote(std::string_view text) {
    std::string out;
    append_quoted(out, text);
    return out;
}

std::string quoted_list(const std::vector<std::string>& texts) {
    std::string out = "[";
    for (const std::string& text : texts) {
        if (out.size() > 1) out += ',';
        append_quoted(out, text);
    }
    return out + "]";
}

}  // namespace json
