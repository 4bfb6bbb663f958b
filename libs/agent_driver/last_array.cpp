#include "agent_driver/last_array.hpp"

#include "json/json.hpp"

namespace agent_driver {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::optional<std::string_view> empty = "[]";

bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The box of a list, "- [ ] to do", and the brackets of a name, "int list[]", are none.
bool is_empty_array(std::string_view text, std::size_t at) {
    return text.substr(at, 2) == "[]" && (at == 0 || !is_name_byte(text[at - 1]));
}

// Prose is full of brackets. The next byte tells those that can open a task or an array of tasks.
bool opens_value(std::string_view text, std::size_t at) {
    std::size_t next = text.find_first_not_of(" \n\r\t", at + 1);
    if (next == npos) return false;
    if (text[at] == '[') return text[next] == '{' || is_empty_array(text, at);
    return text[at] == '{' && (text[next] == '"' || text[next] == '}');
}

std::size_t string_end(std::string_view text, std::size_t open) {
    for (std::size_t at = open + 1; at < text.size(); ++at) {
        if (text[at] == '"') return at + 1;
        if (text[at] == '\\') ++at;
    }
    return npos;
}

// The offset past the bracket that closes the one at `open`; npos if there is none.
std::size_t value_end(std::string_view text, std::size_t open) {
    std::string closers;
    for (std::size_t at = open; at < text.size(); ++at) {
        char c = text[at];
        if (c == '"') {
            at = string_end(text, at);
            if (at == npos) return npos;
            --at;
        } else if (c == '[' || c == '{') {
            closers += c == '[' ? ']' : '}';
        } else if (c == ']' || c == '}') {
            if (closers.back() != c) return npos;
            closers.pop_back();
            if (closers.empty()) return at + 1;
        }
    }
    return npos;
}

// The array of tasks that `value`, a text in brackets, is or holds.
std::optional<std::string_view> tasks_in(std::string_view value) {
    auto view = json::checked(value);
    if (!view) return std::nullopt;
    if (view->is(json::Kind::array)) return value;
    auto tasks = view->find("tasks");
    if (!tasks || !tasks->is(json::Kind::array)) return std::nullopt;
    return tasks->text();
}

}  // namespace

std::optional<std::string_view> last_array(std::string_view text) {
    std::optional<std::string_view> found;
    for (std::size_t at = text.find_first_of("[{"); at != npos; at = text.find_first_of("[{", at)) {
        if (!opens_value(text, at)) {
            ++at;
            continue;
        }
        std::size_t end = value_end(text, at);
        if (end == npos) return std::nullopt;
        auto tasks = tasks_in(text.substr(at, end - at));
        if (!found || found == empty || tasks != empty) found = tasks;
        at = end;
    }
    return found;
}

std::string answer_text(std::string_view words) {
    return std::string(last_array(words).value_or(words));
}

}  // namespace agent_driver
