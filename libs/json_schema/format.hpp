// The values of `format` that are checked: date, time and date-time of RFC 3339. Inner part of
// json_schema/schema.
#pragma once

#include <string_view>

namespace json_schema {

inline constexpr std::string_view checked_formats[] = {"date", "time", "date-time"};

bool is_date(std::string_view text);
bool is_time(std::string_view text);
bool is_date_time(std::string_view text);

}  // namespace json_schema
