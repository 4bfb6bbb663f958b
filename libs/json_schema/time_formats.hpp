// Date and time formats of RFC 3339. Internal to json_schema/formats.
#pragma once

#include <string_view>

namespace json_schema {

bool is_date(std::string_view text);
bool is_time(std::string_view text);
bool is_date_time(std::string_view text);
bool is_duration(
    std::string_view text);  // appendix A: integers only, and no unit may be skipped between two others

}  // namespace json_schema
