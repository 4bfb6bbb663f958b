#include "json/json.hpp"
#include "json/members.hpp"
#include "json/scanner.hpp"
#include "json/utf8.hpp"

#include <charconv>
#include <cstdlib>
#include <unordered_set>

namespace json {

namespace {

std::uint32_t hex4(std::string_view digits) {
    std::uint32_t code = 0;
    std::from_chars(digits.data(), digits.data() + 4, code, 16);
    return code;
}

// Decodes the escape at the start of `rest` (its backslash); returns its length.
std::size_t decode_escape(std::string_view rest, std::string& out) {
    switch (char c = rest[1]) {
        case 'b':
            out.push_back('\b');
            return 2;
        case 'f':
            out.push_back('\f');
            return 2;
        case 'n':
            out.push_back('\n');
            return 2;
        case 'r':
            out.push_back('\r');
            return 2;
        case 't':
            out.push_back('\t');
            return 2;
        case 'u':
            break;
        default:
            out.push_back(c);
            return 2;
    }
    std::uint32_t code = hex4(rest.substr(2));
    bool leads_pair = code >= 0xD800 && code < 0xDC00;
    if (leads_pair) code = 0x10000 + ((code - 0xD800) << 10) + (hex4(rest.substr(8)) - 0xDC00);
    utf8::append(out, code);
    return leads_pair ? 12 : 6;
}

void decode(std::string_view body, std::string& out) {
    out.clear();
    out.reserve(
        body.size());  // an upper limit; growing in steps would need twice the memory for a large string
    while (true) {
        std::size_t backslash = body.find('\\');
        out.append(body.substr(0, backslash));
        if (backslash == std::string_view::npos) return;
        body.remove_prefix(backslash);
        body.remove_prefix(decode_escape(body, out));
    }
}

}  // namespace

View View::of(std::string_view checked) {
    return Scanner(checked).value();
}

Kind View::kind() const {
    switch (text_.empty() ? 'n' : text_.front()) {
        case '{':
            return Kind::object;
        case '[':
            return Kind::array;
        case '"':
            return Kind::string;
        case 't':
        case 'f':
            return Kind::boolean;
        case 'n':
            return Kind::null;
        default:
            return Kind::number;
    }
}

bool View::boolean() const {
    return text_ == "true";
}

std::string View::string() const {
    std::string out;
    decode(text_.substr(1, text_.size() - 2), out);
    return out;
}

std::string_view View::string(std::string& room) const {
    std::string_view body = text_.substr(1, text_.size() - 2);
    if (body.find('\\') == std::string_view::npos) return body;
    decode(body, room);
    return room;
}

bool View::is_string(std::string_view wanted) const {
    if (text_.size() < 2 || text_.front() != '"') return false;
    std::string_view body = text_.substr(1, text_.size() - 2);
    // An escape is longer than what it stands for.
    if (body.size() < wanted.size()) return false;
    bool has_escape = body.find('\\') != std::string_view::npos;
    if (!has_escape) return body == wanted;
    std::string room;
    decode(body, room);
    return room == wanted;
}

std::vector<View> View::elements() const {
    std::vector<View> found;
    Scanner scanner(text_, 1);
    while (scanner.peek() != ']') {
        found.push_back(scanner.value());
        scanner.skip(',');
    }
    return found;
}

std::vector<Member> View::members() const {
    std::vector<Member> found;
    for_each_member(*this, [&](const Member& member) {
        found.push_back(member);
        return true;
    });
    return found;
}

std::optional<View> View::find(std::string_view name) const {
    std::optional<View> found;
    if (!is(Kind::object)) return found;
    for_each_member(*this, [&](const Member& member) {
        if (member.key.is_string(name)) found = member.value;
        return !found;
    });
    return found;
}

std::optional<std::int64_t> View::integer() const {
    std::int64_t value = 0;
    const char* end = text_.data() + text_.size();
    auto parsed = std::from_chars(text_.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return value;
}

double View::number() const {
    double value = 0;
    auto parsed = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    // from_chars does not distinguish overflow from underflow; strtod does.
    if (parsed.ec == std::errc::result_out_of_range) value = std::strtod(std::string(text_).c_str(), nullptr);
    return value;
}

std::optional<std::string> duplicate_name(View object) {
    std::unordered_set<std::string> seen;
    std::optional<std::string> twice;
    for_each_member(object, [&](const Member& member) {
        std::string name = member.key.string();
        if (!seen.insert(name).second) twice = std::move(name);
        return !twice;
    });
    return twice;
}

}  // namespace json
