// Formats of times, as in RFC 3339. Inner part of json_schema/formats.
#pragma once

#include <string_view>

namespace json_schema {

bool is_date(std::string_view text);
bool is_time(std::string_view text);
bool is_date_time(std::string_view text);
bool is_duration(std::string_view text);  // appendix A: whole numbers, and no unit left out between two

}  // namespace json_schema
