#include "nats/parser.hpp"

#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "nats/error.hpp"
#include "nats/read_number.hpp"

#include <array>
#include <utility>

namespace nats {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// The characters before the first blank. They are found by hand, because find_first_of() makes a call for
// each character.
std::string_view first_word(std::string_view text) {
    std::size_t size = 0;
    while (size < text.size() && !is_blank(text[size]))
        ++size;
    return text.substr(0, size);
}

// For messages: the beginning, without characters that a terminal would obey.
std::string excerpt(std::string_view line) {
    constexpr std::size_t longest = 60;
    std::string text(line.substr(0, longest));
    for (char& c : text)
        if (c < ' ' || c == '\x7f') c = '?';
    if (line.size() > longest) text += "…";
    return text;
}

base::Error not_understood(std::string_view line) {
    return error(Errc::protocol, base::concat("the server sends what is not NATS: ", excerpt(line)));
}

base::Error too_long(std::string_view what, std::size_t limit) {
    return error(Errc::protocol, base::concat("the server sends ", what, " of more than ", limit, " bytes"));
}

// The line's words; none if there are more than fit.
struct Words {
    std::array<std::string_view, 6> words;
    std::size_t count = 0;
};

Words split(std::string_view line) {
    Words found;
    while (!(line = base::trimmed(line)).empty()) {
        if (found.count == found.words.size()) return {};
        std::string_view word = first_word(line);
        found.words[found.count++] = word;
        line.remove_prefix(word.size());
    }
    return found;
}

// The case of an operation's name does not matter.
bool is_named(std::string_view word, std::string_view name) {
    if (word.size() != name.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        char c = word[i] >= 'a' && word[i] <= 'z' ? static_cast<char>(word[i] - 'a' + 'A') : word[i];
        if (c != name[i]) return false;
    }
    return true;
}

std::string_view without_quotes(std::string_view text) {
    if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'')
        return text.substr(1, text.size() - 2);
    return text;
}

}  // namespace

void Parser::append(std::string_view bytes) {
    if (begin_ >= buffer_.size() / 2) {
        buffer_.erase(0, begin_);
        begin_ = 0;
    }
    buffer_ += bytes;
}

base::Result<std::optional<Operation>> Parser::next() {
    if (!begun_) {
        auto line = take_line();
        if (line.has_error()) return line.error();
        if (!*line) return std::optional<Operation>();
        auto operation = of_line(**line);
        if (operation.has_error() || *operation) return operation;
    }
    return finish_message();
}

base::Result<std::optional<std::string_view>> Parser::take_line() {
    std::string_view text = rest();
    std::size_t end = text.find('\n', searched_);
    if (std::min(end, text.size()) > limits_.line) return too_long("a line", limits_.line);
    if (end == text.npos) {
        searched_ = text.size();
        return std::optional<std::string_view>();
    }
    if (end == 0 || text[end - 1] != '\r') return not_understood(text.substr(0, end));
    begin_ += end + 1;
    searched_ = 0;
    return std::optional(text.substr(0, end - 1));
}

// Nothing after the first line of a message.
base::Result<std::optional<Operation>> Parser::of_line(std::string_view line) {
    std::string_view name = first_word(line);
    bool has_headers = is_named(name, "HMSG");
    if (has_headers || is_named(name, "MSG")) {
        auto begun = begin_message(line, has_headers);
        if (begun.has_error()) return begun.error();
        return std::optional<Operation>();
    }
    std::string_view rest = base::trimmed(line.substr(name.size()));
    if (is_named(name, "INFO")) return std::optional<Operation>(Info{std::string(rest)});
    if (is_named(name, "-ERR")) return std::optional<Operation>(Complaint{std::string(without_quotes(rest))});
    if (!rest.empty()) return not_understood(line);
    if (is_named(name, "PING")) return std::optional<Operation>(Ping{});
    if (is_named(name, "PONG")) return std::optional<Operation>(Pong{});
    if (is_named(name, "+OK")) return std::optional<Operation>(Ok{});
    return not_understood(line);
}

// "MSG subject id [reply] total", "HMSG subject id [reply] headers total"
base::Result<void> Parser::begin_message(std::string_view line, bool has_headers) {
    Words words = split(line);
    std::size_t least = has_headers ? 5 : 4;
    bool has_reply = words.count == least + 1;
    if (words.count != least && !has_reply) return not_understood(line);
    Begun begun{};
    begun.message.subject = words.words[1];
    if (has_reply) begun.message.reply = words.words[3];
    bool is_right = read_number(words.words[2], begun.message.subscription) &&
                    read_number(words.words[words.count - 1], begun.total) &&
                    (!has_headers || read_number(words.words[words.count - 2], begun.headers)) &&
                    begun.headers <= begun.total;
    if (!is_right) return not_understood(line);
    if (begun.total > limits_.message) return too_long("a message", limits_.message);
    begun_ = std::move(begun);
    return {};
}

base::Result<std::optional<Operation>> Parser::finish_message() {
    std::string_view text = rest();
    if (text.size() < begun_->total + line_end.size()) return std::optional<Operation>();
    if (text.substr(begun_->total, line_end.size()) != line_end)
        return error(Errc::protocol, "the server sends a message that does not end where it must");
    Message message = std::move(begun_->message);
    message.headers = text.substr(0, begun_->headers);
    message.payload = text.substr(begun_->headers, begun_->total - begun_->headers);
    begin_ += begun_->total + line_end.size();
    begun_.reset();
    return std::optional<Operation>(std::move(message));
}

}  // namespace nats
