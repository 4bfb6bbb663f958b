#include "cli/typed_word.hpp"

#include <algorithm>
#include <utility>

namespace cli {

namespace {

constexpr std::string_view name_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

class WordReader {
  public:
    WordReader(std::string_view word, bool has_quotes, const Variable& variable)
        : rest_(word), has_quotes_(has_quotes), variable_(variable) {}

    std::string read() {
        std::string home = rest_ == "~" || rest_.starts_with("~/") ? variable_("HOME") : "";
        if (!home.empty()) {
            out_ = home;
            rest_.remove_prefix(1);
        }
        while (!rest_.empty())
            take_one();
        return std::move(out_);
    }

  private:
    void take_one() {
        char c = rest_.front();
        if (quote_ != '\'' && c == '$' && take_variable()) return;
        rest_.remove_prefix(1);
        if (has_quotes_ && is_quote(c)) {
            quote_ = quote_ == c ? '\0' : c;
        } else if (has_quotes_ && c == '\\' && escapes()) {
            out_ += rest_.front();
            rest_.remove_prefix(1);
        } else {
            out_ += c;
        }
    }

    bool is_quote(char c) const { return quote_ == '\0' ? c == '\'' || c == '"' : c == quote_; }

    // Whether the backslash before `rest_` takes the next character's meaning away.
    bool escapes() const {
        if (rest_.empty() || quote_ == '\'') return false;
        return quote_ == '\0' || std::string_view("\\\"$`").find(rest_.front()) != std::string_view::npos;
    }

    bool take_variable() {
        bool braced = rest_.starts_with("${");
        std::size_t begin = braced ? 2 : 1;
        std::size_t end = std::min(rest_.find_first_not_of(name_characters, begin), rest_.size());
        std::string value = variable_(std::string(rest_.substr(begin, end - begin)));
        if (value.empty() || (braced && !rest_.substr(end).starts_with('}'))) return false;
        out_ += value;
        rest_.remove_prefix(end + (braced ? 1 : 0));
        return true;
    }

    std::string_view rest_;
    bool has_quotes_;
    const Variable& variable_;
    std::string out_;
    char quote_ = '\0';
};

}  // namespace

std::string typed_word(std::string_view word, const Variable& variable) {
    return WordReader(word, true, variable).read();
}

std::string expanded_word(std::string_view word, const Variable& variable) {
    return WordReader(word, false, variable).read();
}

}  // namespace cli
