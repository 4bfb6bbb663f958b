// What can be expected to fail fails as a value: a code for the program, a message for the person.
// Exceptions are left for bugs. Does no logging and no I/O.
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <cerrno>
#include <string>
#include <string_view>

namespace base {

// `message` is a whole sentence for a person: what failed, where, and what to do. `code` is for comparisons;
// it may be a system error (ENOENT, …) or any other category's.
struct Error {
    boost::system::error_code code;
    std::string message;
};

template<class T>
using Result = boost::system::result<T, Error>;

// Called by Result::value() when there is none: a bug in the caller, hence an exception.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

// "<what>: <text of errno>", with the code.
Error system_error(std::string_view what, int error_number = errno);

// An input that is wrong; its code is errc::invalid_argument.
Error invalid(std::string message);

// The same error with "<context>: " put before its message.
Error with_context(std::string_view context, Error error);

}  // namespace base
