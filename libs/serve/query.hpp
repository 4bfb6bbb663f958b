// The query of a request's target: "…?text=a%20b&from=0.0". Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace serve {

// '+' is a space, as in forms. A '%' that no two hexadecimal digits follow stays as it is.
std::string percent_decoded(std::string_view text);

// The decoded value of the first parameter with this name. Nothing if there is none.
std::optional<std::string> parameter(std::string_view target, std::string_view name);

}  // namespace serve
