#include "launch/json_argument.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "config/load.hpp"
#include "io/directory.hpp"
#include "json/json.hpp"

#include <string_view>
#include <utility>

namespace launch {

namespace {

bool looks_like_json(std::string_view text) {
    auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos &&
           std::string_view("{[\"/").find(text[first]) != std::string_view::npos;
}

}  // namespace

base::Result<JsonArgument> json_argument(const std::string& argument, const std::string& option) {
    JsonArgument given{std::string(config::inline_name), argument};
    if (!json::check(argument, json::Dialect::jsonc)) return given;
    auto text = io::read_regular_file(argument, base::most_message_bytes, io::TrustedOwner::not_required);
    if (text.has_value()) return JsonArgument{argument, std::move(*text)};
    // It may have any length: a long text is no name of a file.
    if (looks_like_json(argument) && !argument.starts_with('/')) return given;
    return base::with_context(
        base::concat(option,
                     " takes JSON (in quotes, so that the shell leaves it whole) or the path of a file"),
        text.error());
}

}  // namespace launch
