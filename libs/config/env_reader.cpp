#include "config/env_reader.hpp"

#include "base/text.hpp"
#include "config/list_reader.hpp"

#include <string_view>

namespace config {

namespace {

using json::Kind;
using json::View;

constexpr std::string_view own_prefix = "BARNUM_";
// The kernel's limit for NAME=VALUE and a NUL (MAX_ARG_STRLEN).
constexpr std::size_t most_of_a_variable = 128 * 1024;

bool has_nul(std::string_view text) {
    return text.find('\0') != std::string_view::npos;
}

void check_variable(const json::Member& member, ProblemList& problems) {
    std::string name = member.key.string();
    if (name.starts_with(own_prefix))
        problems.add(member.key, base::concat("the variables ", own_prefix, "… are Barnum's own; give ",
                                              member.key.text(), " another name"));
    if (has_nul(name)) problems.add(member.key, "the name of a variable has a NUL character");
    if (!member.value.is(Kind::string)) return;
    std::string value = member.value.string();
    if (has_nul(value)) problems.add(member.value, "a variable has a NUL character");
    if (name.size() + value.size() + 2 > most_of_a_variable)
        problems.add(member.value,
                     "a variable is longer than the 128 KiB that a command can be given; put it into a file");
}

}  // namespace

std::map<std::string, std::string> read_env(View value, ProblemList& problems) {
    for (const json::Member& member : value.members())
        check_variable(member, problems);
    std::map<std::string, std::string> env;
    for (const std::string& variable : read_variables(value, "env", problems)) {
        std::size_t end = variable.find('=');
        env.emplace(variable.substr(0, end), variable.substr(end + 1));
    }
    return env;
}

}  // namespace config
