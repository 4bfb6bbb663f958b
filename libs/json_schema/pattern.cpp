#include "json_schema/pattern.hpp"

#include "base/text.hpp"
#include "json/utf8.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <charconv>
#include <cstdint>
#include <optional>
#include <pcre2.h>

namespace json_schema {

namespace {

constexpr std::uint32_t most_steps = 50'000'000;
constexpr std::size_t most_memory = std::size_t{512} << 20;
constexpr std::size_t first_memory = std::size_t{64} << 10;

template<auto Free>
struct Deleter {
    template<class T>
    void operator()(T* what) const {
        Free(what);
    }
};
using Code = std::unique_ptr<pcre2_code, Deleter<pcre2_code_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Deleter<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Deleter<pcre2_match_data_free>>;
using Stack = std::unique_ptr<pcre2_jit_stack, Deleter<pcre2_jit_stack_free>>;

PCRE2_SPTR units(std::string_view text) {
    return reinterpret_cast<PCRE2_SPTR>(text.data());
}

// The value of the \uXXXX at the start of `text`.
std::optional<std::uint32_t> escaped_unit(std::string_view text) {
    if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
    std::uint32_t value = 0;
    auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, value, 16);
    if (error != std::errc() || end != text.data() + 6) return std::nullopt;
    return value;
}

// The code point of the surrogate pair at the start of `text`, for example \uD83D\uDE00.
std::optional<std::uint32_t> escaped_pair(std::string_view text) {
    auto high = escaped_unit(text);
    if (!high || *high < 0xD800 || *high > 0xDBFF) return std::nullopt;
    auto low = escaped_unit(text.substr(6));
    if (!low || *low < 0xDC00 || *low > 0xDFFF) return std::nullopt;
    return 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00);
}

// Translates the two differences: in ECMAScript a dot excludes four line terminators, of which PCRE2 has
// others; and only ECMAScript combines two \u escapes to one code point.
std::string in_pcre(std::string_view expression) {
    constexpr std::string_view dot = "[^\\n\\r\\u2028\\u2029]";
    std::string out;
    bool in_class = false;
    while (!expression.empty()) {
        std::size_t taken = expression[0] == '\\' && expression.size() > 1 ? 2 : 1;
        if (auto pair = escaped_pair(expression)) {
            taken = 12;
            json::utf8::append(out, *pair);
        } else if (expression[0] == '.' && !in_class) {
            out.append(dot);
        } else {
            out.append(expression.substr(0, taken));
        }
        if (expression[0] == '[') in_class = true;
        if (expression[0] == ']') in_class = false;
        expression.remove_prefix(taken);
    }
    return out;
}

Code compile_code(std::string_view expression, int& error, PCRE2_SIZE& offset) {
    constexpr std::uint32_t options = PCRE2_UTF | PCRE2_ALT_BSUX | PCRE2_DOLLAR_ENDONLY |
                                      PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF |
                                      PCRE2_NEVER_BACKSLASH_C;
    Code code(pcre2_compile(units(expression), expression.size(), options, &error, &offset, nullptr));
    // Fails where executable memory is forbidden. Matching is then slower and has tighter limits.
    if (code) pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
    return code;
}

MatchContext with_limits() {
    MatchContext context(pcre2_match_context_create(nullptr));
    pcre2_set_match_limit(context.get(), most_steps);
    pcre2_set_heap_limit(context.get(), most_memory >> 10);
    return context;
}

int search(const pcre2_code* code, std::string_view text, pcre2_match_context* context) {
    MatchData data(pcre2_match_data_create(1, nullptr));
    return pcre2_match(code, units(text), text.size(), 0, 0, data.get(), context);
}

// Most matches fit into a part of this thread's stack.
int search_with_stack(const pcre2_code* code, std::string_view text) {
    MatchContext context = with_limits();
    Stack stack(pcre2_jit_stack_create(first_memory, most_memory, nullptr));
    if (!stack) return PCRE2_ERROR_JIT_STACKLIMIT;
    pcre2_jit_stack_assign(context.get(), nullptr, stack.get());
    return search(code, text, context.get());
}

}  // namespace

struct Pattern::Compiled {
    Code code;
    MatchContext limits;
};

base::Result<Pattern> Pattern::compile(std::string_view expression) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    Code code = compile_code(in_pcre(expression), error, offset);
    if (code) return Pattern(std::make_shared<const Compiled>(Compiled{std::move(code), with_limits()}));
    char why[256] = "";
    pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(why), sizeof why);
    return base::invalid(base::concat("not a valid regular expression: ", std::string_view(why)));
}

base::Result<bool> Pattern::found_in(std::string_view text) const {
    int found = search(compiled_->code.get(), text, compiled_->limits.get());
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) found = search_with_stack(compiled_->code.get(), text);
    if (found >= 0) return true;
    if (found == PCRE2_ERROR_NOMATCH) return false;
    return base::invalid("matching the pattern takes too long");
}

}  // namespace json_schema
