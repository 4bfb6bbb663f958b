// Data as it comes from outside, at its oddest: bytes that are not UTF-8, all of Unicode, values that are
// nested as deeply as is allowed, numbers that no type of C++ holds. For the tests that whatever is written
// is read.
#pragma once

#include "json/json.hpp"
#include "random.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace workflow_test {

inline void append_utf8(std::string& out, std::uint32_t code) {
    auto add = [&out](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) return add(code);
    if (code < 0x800) return add(0xc0U | code >> 6), add(0x80U | (code & 0x3fU));
    if (code < 0x10000)
        return add(0xe0U | code >> 12), add(0x80U | (code >> 6 & 0x3fU)), add(0x80U | (code & 0x3fU));
    add(0xf0U | code >> 18);
    add(0x80U | (code >> 12 & 0x3fU));
    add(0x80U | (code >> 6 & 0x3fU));
    add(0x80U | (code & 0x3fU));
}

class OddData {
  public:
    explicit OddData(std::uint32_t seed) : random_(seed) {}

    std::uint32_t below(std::size_t limit) { return random_.below(limit); }
    bool one_in(std::uint32_t n) { return random_.one_in(n); }

    // UTF-8; at most about `most` bytes.
    std::string text(std::size_t most = 300) {
        std::string out;
        std::size_t size = one_in(4) ? most : below(40);
        while (out.size() + 4 <= size)
            append_utf8(out, code_point());
        return out;
    }

    // Like text(), but there is something in it.
    std::string name(std::size_t most = 300) { return "n" + text(most); }

    // Any bytes, half of the times UTF-8.
    std::string bytes(std::size_t most = 300) {
        if (one_in(2)) return text(most);
        std::string out;
        for (std::size_t size = one_in(4) ? most : below(40); size > 0; --size)
            out += static_cast<char>(one_in(2) ? 0xff : below(256));
        return out;
    }

    // Any number from 0 to `most`, as often a large one as a small one.
    std::uint64_t number(std::uint64_t most = std::numeric_limits<std::int64_t>::max()) {
        if (one_in(4)) return most;
        std::uint64_t bits = std::uint64_t{random_.engine()} << 32 | random_.engine();
        bits >>= below(64);
        return most == std::numeric_limits<std::uint64_t>::max() ? bits : bits % (most + 1);
    }

    int small_number() { return static_cast<int>(number(std::numeric_limits<int>::max())); }

    // JSON text as the readers keep it: without space between its tokens.
    std::string value(std::size_t depth = json::max_depth) {
        if (depth > 1 && one_in(8)) return nested(1 + below(depth));
        if (depth > 1 && one_in(3)) return object(depth);
        if (depth > 1 && one_in(3)) return array(depth);
        return one_in(3) ? number_text() : one_in(3) ? std::string("null") : string_text();
    }

    std::string object(std::size_t depth = json::max_depth) {
        std::string out = "{";
        for (std::uint32_t left = below(4); left > 0; --left)
            out += (out.size() > 1 ? "," : "") + string_text() + ":" + value(depth - 1);
        return out + "}";
    }

    std::string array(std::size_t depth = json::max_depth) {
        std::string out = "[";
        for (std::uint32_t left = below(4); left > 0; --left)
            out += (out.size() > 1 ? "," : "") + value(depth - 1);
        return out + "]";
    }

  private:
    std::uint32_t code_point() {
        static constexpr std::array<std::uint32_t, 24> odd{
            0,    1,      8,      '\n',   '\r',   0x1b,   '"',    '\\',   '/',    0x7f,    0x80,    0x9b,
            0xad, 0x2028, 0x2029, 0x202e, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x1f418, 0x10ffff};
        if (one_in(2)) return random_.of(odd);
        std::uint32_t code = one_in(2) ? below(0x80) : below(0x110000);
        return code >= 0xd800 && code < 0xe000 ? 0x2028 : code;
    }

    std::string nested(std::size_t levels) {
        std::string open;
        std::string close;
        for (; levels > 1; --levels) {
            bool is_array = one_in(2);
            open += is_array ? "[" : "{\"\":";
            close += is_array ? ']' : '}';
        }
        return open + "{}" + std::string(close.rbegin(), close.rend());
    }

    std::string number_text() {
        static constexpr std::array numbers{
            "0", "-0", "1.0", "1e400", "-1E-400", "0.1e+3", "9007199254740993", "18446744073709551616"};
        return one_in(8) ? "1" + std::string(1 + below(2000), '7') : random_.of(numbers);
    }

    std::string string_text() {
        static constexpr std::array escapes{R"("\ud83d\udc18")", R"("\u0000\u2028\/")", R"("__proto__")",
                                            R"("kind")", R"("checksum")"};
        return one_in(3) ? random_.of(escapes) : json::quote(text(60));
    }

    Random random_;
};

}  // namespace workflow_test
