#include "json/utf8.hpp"
#include "json_schema/sample_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace json_schema {

namespace {

constexpr std::size_t longest_match = 1'000'000;

using Range = std::pair<std::uint32_t, std::uint32_t>;
using Ranges = std::vector<Range>;

const Ranges digits{{'0', '9'}};
const Ranges word{{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}};
const Ranges space{{' ', ' '}, {'\t', '\r'}};

bool contains(const Ranges& ranges, std::uint32_t point) {
    return std::ranges::any_of(ranges, [&](Range r) { return point >= r.first && point <= r.second; });
}

// Some characters outside of the ranges, letters first.
Ranges outside(const Ranges& ranges) {
    Ranges left;
    for (auto [from, to] :
         {Range{'a', 'z'}, Range{'A', 'Z'}, Range{'0', '9'}, Range{' ', '~'}, Range{0xa1, 0x2ff}})
        for (std::uint32_t point = from; point <= to; ++point)
            if (!contains(ranges, point)) left.emplace_back(point, point);
    return left;
}

// Parses the expression and writes a match in one pass. The operand of a quantifier is parsed again for each
// repetition.
class MatchWriter {
  public:
    MatchWriter(std::string_view pattern, std::size_t variation, std::size_t extra)
        : pattern_(pattern), choices_(variation == 0 ? 0 : variation + Choices::systematic), extra_(extra) {}

    std::optional<std::string> run() {
        std::string text = alternatives();
        if (!failed_ && at_ == pattern_.size()) return text;
        return std::nullopt;
    }

  private:
    bool more() const { return !failed_ && at_ < pattern_.size(); }
    bool next_is(char c) const { return more() && pattern_[at_] == c; }
    bool skip(std::string_view text) {
        bool found = more() && pattern_.substr(at_).starts_with(text);
        if (found) at_ += text.size();
        return found;
    }

    std::string fail() {
        failed_ = true;
        return "";
    }

    std::string alternatives() {
        std::vector<std::string> all{sequence()};
        while (skip("|"))
            all.push_back(sequence());
        return all[choices_.pick(all.size())];
    }

    std::string sequence() {
        std::string text;
        while (more() && !next_is('|') && !next_is(')')) {
            text += repeated();
            if (text.size() > longest_match) fail();
        }
        return text;
    }

    std::string repeated() {
        std::size_t start = at_;
        std::string text = atom();
        auto [least, most] = quantifier();
        std::size_t end = at_;
        std::size_t count = least + std::min(extra_, most - least);
        if (count == 0) text.clear();
        for (std::size_t i = 1; i < count && more_fits(text); ++i) {
            at_ = start;
            text += atom();
        }
        at_ = end;
        return text;
    }

    bool more_fits(const std::string& text) {
        if (text.size() > longest_match) fail();
        return !failed_;
    }

    // A lazy quantifier is treated like a greedy one.
    std::pair<std::size_t, std::size_t> quantifier() {
        std::pair<std::size_t, std::size_t> bounds{1, 1};
        if (skip("*"))
            bounds = {0, SIZE_MAX};
        else if (skip("+"))
            bounds = {1, SIZE_MAX};
        else if (skip("?"))
            bounds = {0, 1};
        else if (next_is('{'))
            bounds = braces();
        else
            return bounds;
        skip("?");
        return bounds;
    }

    std::pair<std::size_t, std::size_t> braces() {
        skip("{");
        std::size_t least = count();
        std::size_t most = least;
        if (skip(",")) most = next_is('}') ? SIZE_MAX : count();
        if (!skip("}") || most < least) fail();
        return {least, std::max(least, most)};
    }

    std::size_t count() {
        std::size_t number = 0;
        auto parsed = std::from_chars(pattern_.data() + at_, pattern_.data() + pattern_.size(), number);
        if (parsed.ec != std::errc()) fail();
        at_ = static_cast<std::size_t>(parsed.ptr - pattern_.data());
        return number;
    }

    std::string atom() {
        if (!more()) return fail();
        if (skip("^") || skip("$")) return "";
        if (skip("(")) return group();
        if (skip("[")) return one_of(bracket());
        if (skip(".")) return one_of({{'a', 'z'}});
        if (skip("\\")) return one_of(escape());
        std::uint32_t point = literal();
        return one_of({{point, point}});
    }

    std::string group() {
        if (next_is('?') && !skip("?:")) return fail();
        std::string text = alternatives();
        return skip(")") ? text : fail();
    }

    std::uint32_t literal() {
        auto [point, length] = json::utf8::first_code_point(pattern_.substr(at_));
        at_ += std::max<std::size_t>(length, 1);
        return point;
    }

    std::string one_of(const Ranges& ranges) {
        if (failed_ || ranges.empty()) return fail();
        auto [from, to] = ranges[choices_.pick(ranges.size())];
        std::size_t width = to > from ? to - from + 1 : 1;
        std::string text;
        json::utf8::append(text, from + static_cast<std::uint32_t>(choices_.pick(width)));
        return text;
    }

    // The position is after the backslash.
    Ranges escape() {
        if (!more()) return fail(), Ranges{};
        if (skip("d")) return digits;
        if (skip("w")) return word;
        if (skip("s")) return space;
        if (skip("D")) return outside(digits);
        if (skip("W")) return outside(word);
        if (skip("S")) return {{'a', 'z'}};
        if (skip("x")) return hexadecimal(2);
        if (skip("u")) return hexadecimal(4);
        constexpr std::pair<char, char> controls[] = {
            {'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'f', '\f'}, {'v', '\v'}};
        for (auto [letter, control] : controls)
            if (skip({&letter, 1})) return {{control, control}};
        std::uint32_t point = literal();
        if (contains(word, point)) fail();  // \1, \b, \p, …
        return {{point, point}};
    }

    Ranges hexadecimal(std::size_t length) {
        std::uint32_t point = 0;
        std::string_view text = pattern_.substr(at_, length);
        auto parsed = std::from_chars(text.data(), text.data() + text.size(), point, 16);
        if (text.size() < length || parsed.ptr != text.data() + length) fail();
        at_ += text.size();
        return {{point, point}};
    }

    // The position is after the bracket.
    Ranges bracket() {
        bool negated = skip("^");
        Ranges all;
        for (bool first = true; more() && (first || !next_is(']')); first = false) {
            Ranges part = member();
            if (part.size() == 1 && part[0].first == part[0].second && next_is('-') &&
                pattern_.substr(at_, 2) != "-]") {
                skip("-");
                Ranges end = member();
                if (end.empty() || end[0].second < part[0].first) return fail(), Ranges{};
                part[0].second = end[0].second;
            }
            all.insert(all.end(), part.begin(), part.end());
        }
        if (!skip("]")) fail();
        return negated ? outside(all) : all;
    }

    Ranges member() {
        if (skip("\\")) return escape();
        if (!more()) return fail(), Ranges{};
        std::uint32_t point = literal();
        return {{point, point}};
    }

    std::string_view pattern_;
    Choices choices_;
    std::size_t extra_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

}  // namespace

std::optional<std::string> sample_match(std::string_view pattern, std::size_t variation, std::size_t extra) {
    return MatchWriter(pattern, variation, extra).run();
}

}  // namespace json_schema
