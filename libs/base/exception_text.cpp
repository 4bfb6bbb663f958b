#include "base/exception_text.hpp"

#include <new>
#include <utility>

namespace base {

std::string text_of(std::exception_ptr exception) {
    try {
        std::rethrow_exception(std::move(exception));
    } catch (const std::bad_alloc&) {
        return "the memory is used up";
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "unknown exception";
    }
}

}  // namespace base
