// Members of JSON objects that contain any bytes, such as a path: "NAME" is the text, in which what is not
// UTF-8 is replaced by U+FFFD. Only if something was replaced, "NAME_hex" exists, has the bytes with two
// digits per byte, and takes precedence.
#pragma once

#include "base/error.hpp"
#include "json/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace json {

// One or two members, without a comma around them: "directory":"/w".
std::string byte_member(std::string_view name, std::string_view bytes);
// Empty if the members are absent, or of another type. Fails if "NAME_hex" is not hexadecimal.
base::Result<std::string> bytes_in(View object, std::string_view name);

// The bytes that the value of a member "NAME_hex" stands for.
base::Result<std::string> bytes_of_hex(View hex, std::string_view name);

// As byte_member(), for an array of such texts. If one of them is not UTF-8, "NAME_hex" has all of them.
std::string byte_array_member(std::string_view name, const std::vector<std::string>& texts);
// Elements of another type are left out.
base::Result<std::vector<std::string>> byte_array_in(View object, std::string_view name);

}  // namespace json
