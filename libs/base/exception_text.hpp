// What an exception says.
#pragma once

#include <exception>
#include <string>

namespace base {

// "the memory is used up" for std::bad_alloc, otherwise what(). Not for a null pointer.
std::string text_of(std::exception_ptr exception);

}  // namespace base
