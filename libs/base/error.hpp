// Expected failures are values: an error code for the program and a message for the user. Exceptions are used
// for bugs only. This header does no logging and no I/O.
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <cerrno>
#include <string>
#include <string_view>

namespace base {

// `message` is a complete sentence for the user: what failed, where, and what to do. `code` is for
// comparisons; its category may be the system's (ENOENT, …) or any other.
struct Error {
    boost::system::error_code code;
    std::string message;
};

template<class T>
using Result = boost::system::result<T, Error>;

// Called by Result::value() if the result holds an error. That is a bug in the caller, so it throws.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

// The message is "<what>: <text of errno>", the code that of `error_number`.
Error system_error(std::string_view what, int error_number = errno);

// An error for wrong input; its code is errc::invalid_argument.
Error invalid(std::string message);

// The error, its message prefixed with "<context>: ".
Error with_context(std::string_view context, Error error);

}  // namespace base
