#include "json/accept.hpp"

#include "base/character.hpp"
#include "json/blocks.hpp"
#include "json/scanner.hpp"

#include <cstdint>
#include <vector>

namespace json {

namespace {

constexpr bool is_simple_escape(char c) {
    switch (c) {
        case '"':
        case '\\':
        case '/':
        case 'b':
        case 'f':
        case 'n':
        case 'r':
        case 't':
            return true;
        default:
            return false;
    }
}

constexpr int hex_digit(char c) {
    if (base::is_digit(c)) return c - '0';
    int letter = c | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

// A recursive-descent parser of the JSON grammar over bytes; UTF-8 is validated separately. Each function
// gets the start of a production and returns its end, or nullptr if the text does not match.
class Reader {
  public:
    Reader(const char* end, std::size_t depth) : end_(end), depth_(depth) {}

    const char* value(const char* at);

    // value() of an object, with the members of the object itself.
    const char* object(const char* at, std::vector<Member>& members);

    static View view(const char* begin, const char* past) { return View({begin, past}); }

    const char* space(const char* at) const {
        while (is_space(byte(at)))
            ++at;
        return at;
    }

  private:
    // '\0' at the end of the text; no production begins with it.
    char byte(const char* at) const { return at < end_ ? *at : '\0'; }

    template<const char* (Reader::*item)(const char*)>
    const char* items(const char* at, char closing);
    const char* member(const char* at);
    const char* noted_member(const char* at);
    const char* colon(const char* at) const;
    const char* string(const char* at) const;
    const char* escape(const char* at) const;
    const char* code_units(const char* at) const;
    std::optional<std::uint32_t> code_unit(const char* at) const;
    const char* number(const char* at) const;
    const char* digits(const char* at) const;
    const char* word(const char* at, std::string_view word) const;

    const char* end_;
    std::size_t depth_;  // levels of nesting that are still allowed
    std::vector<Member>* members_ = nullptr;
};

const char* Reader::value(const char* at) {
    switch (byte(at)) {
        case '"':
            return string(at);
        case '{':
            return items<&Reader::member>(at, '}');
        case '[':
            return items<&Reader::value>(at, ']');
        case 't':
            return word(at, "true");
        case 'f':
            return word(at, "false");
        case 'n':
            return word(at, "null");
        default:
            return number(at);
    }
}

template<const char* (Reader::*item)(const char*)>
const char* Reader::items(const char* at, char closing) {
    if (depth_ == 0) return nullptr;
    --depth_;
    at = space(at + 1);
    if (byte(at) != closing) {
        while (true) {
            at = (this->*item)(at);
            if (at == nullptr) return nullptr;
            at = space(at);
            if (byte(at) != ',') break;
            at = space(at + 1);
        }
        if (byte(at) != closing) return nullptr;
    }
    ++depth_;
    return at + 1;
}

const char* Reader::member(const char* at) {
    if (byte(at) != '"') return nullptr;
    at = colon(string(at));
    return at == nullptr ? nullptr : value(space(at + 1));
}

const char* Reader::noted_member(const char* at) {
    if (byte(at) != '"') return nullptr;
    const char* past_key = string(at);
    const char* found = colon(past_key);
    if (found == nullptr) return nullptr;
    const char* begin = space(found + 1);
    const char* past = value(begin);
    if (past != nullptr) members_->push_back({view(at, past_key), view(begin, past)});
    return past;
}

const char* Reader::colon(const char* at) const {
    if (at == nullptr) return nullptr;
    at = space(at);
    return byte(at) == ':' ? at : nullptr;
}

const char* Reader::object(const char* at, std::vector<Member>& members) {
    if (byte(at) != '{') return nullptr;
    members_ = &members;
    return items<&Reader::noted_member>(at, '}');
}

const char* Reader::string(const char* at) const {
    ++at;
    while (at != nullptr) {
        at = blocks::find<blocks::quote_backslash_or_control>(at, end_);
        if (byte(at) == '"') return at + 1;
        at = byte(at) == '\\' ? escape(at) : nullptr;
    }
    return nullptr;
}

const char* Reader::escape(const char* at) const {
    char c = byte(at + 1);
    if (c == 'u') return code_units(at + 2);
    return is_simple_escape(c) ? at + 2 : nullptr;
}

// Parses the hex digits after \u, and the second escape of a surrogate pair.
const char* Reader::code_units(const char* at) const {
    auto unit = code_unit(at);
    if (!unit) return nullptr;
    at += 4;
    if (*unit < 0xD800 || *unit > 0xDFFF) return at;
    if (*unit > 0xDBFF || byte(at) != '\\' || byte(at + 1) != 'u') return nullptr;
    auto second = code_unit(at + 2);
    return second && *second >= 0xDC00 && *second <= 0xDFFF ? at + 6 : nullptr;
}

std::optional<std::uint32_t> Reader::code_unit(const char* at) const {
    std::uint32_t unit = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = hex_digit(byte(at + i));
        if (digit < 0) return std::nullopt;
        unit = unit << 4 | static_cast<std::uint32_t>(digit);
    }
    return unit;
}

const char* Reader::number(const char* at) const {
    if (byte(at) == '-') ++at;
    at = byte(at) == '0' ? at + 1 : digits(at);
    if (at != nullptr && byte(at) == '.') at = digits(at + 1);
    if (at == nullptr || (byte(at) != 'e' && byte(at) != 'E')) return at;
    ++at;
    if (byte(at) == '+' || byte(at) == '-') ++at;
    return digits(at);
}

const char* Reader::digits(const char* at) const {
    if (!base::is_digit(byte(at))) return nullptr;
    while (base::is_digit(byte(at)))
        ++at;
    return at;
}

const char* Reader::word(const char* at, std::string_view word) const {
    return std::string_view(at, end_).starts_with(word) ? at + word.size() : nullptr;
}

namespace {

// Whether the value that ends at `past` is all of the text but white space.
bool is_whole(const Reader& reader, const char* past, std::string_view text) {
    return past != nullptr && reader.space(past) == text.data() + text.size() && !invalid_utf8(text);
}

}  // namespace

std::optional<View> accept(std::string_view text, std::size_t depth) {
    Reader reader(text.data() + text.size(), depth);
    const char* begin = reader.space(text.data());
    const char* past = reader.value(begin);
    if (!is_whole(reader, past, text)) return std::nullopt;
    return Reader::view(begin, past);
}

std::optional<std::vector<Member>> accept_object(std::string_view text, std::size_t depth) {
    Reader reader(text.data() + text.size(), depth);
    std::vector<Member> members;
    const char* past = reader.object(reader.space(text.data()), members);
    if (!is_whole(reader, past, text)) return std::nullopt;
    return members;
}

}  // namespace json
