#include "base/error.hpp"

#include "base/text.hpp"

#include <boost/system/errc.hpp>

#include <stdexcept>

namespace base {

void throw_exception_from_error(const Error& error, const boost::source_location& where) {
    throw std::logic_error(
        concat(where.file_name(), ":", where.line(), ": unexpected error: ", error.message));
}

Error system_error(std::string_view what, int error_number) {
    boost::system::error_code code(error_number, boost::system::system_category());
    return {code, concat(what, ": ", code.message())};
}

Error invalid(std::string message) {
    return {boost::system::errc::make_error_code(boost::system::errc::invalid_argument), std::move(message)};
}

Error with_context(std::string_view context, Error error) {
    return {error.code, concat(context, ": ", error.message)};
}

}  // namespace base
