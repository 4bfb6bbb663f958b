// Messages for syntax errors that Boost.JSON has found. Private to libs/json.
#pragma once

#include "json/json.hpp"

#include <boost/system/error_code.hpp>

#include <string>
#include <string_view>

namespace json {

// `text`, whose comments have been replaced with spaces, is well-formed up to `offset`, where the parser
// stopped with `code` (boost::json::error).
std::string explain(std::string_view text, std::size_t offset, Dialect dialect,
                    const boost::system::error_code& code);

}  // namespace json
