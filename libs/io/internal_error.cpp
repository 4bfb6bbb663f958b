#include "io/internal_error.hpp"

#include "base/exception_text.hpp"
#include "io/log.hpp"

#include <chrono>
#include <new>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace io {

namespace {

constexpr std::chrono::seconds longest_flush{1};

LastWords& registered_words() {
    static LastWords words;
    return words;
}

bool is_main_thread() {
    return ::gettid() == ::getpid();
}

// Used if there is no memory left for the log.
void write_plainly(std::string_view text) noexcept {
    [[maybe_unused]] auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

void tell(const std::string& name, std::exception_ptr exception) noexcept {
    try {
        log::error("internal error", name.empty() ? "" : " in ", name, ": ",
                   exception ? base::text_of(std::move(exception)) : "std::terminate() was called");
        log::flush(longest_flush);
    } catch (const std::bad_alloc&) {
        write_plainly("internal error: the memory is used up\n");
    } catch (...) {
        write_plainly("internal error\n");
    }
}

void say(const std::function<void()>& words) noexcept {
    try {
        if (words && is_main_thread()) words();
    } catch (...) {
        return;  // what was to be said is not needed to know that the process has failed
    }
}

// Runs before the initialisation of global objects, which may throw as well.
[[gnu::constructor(101)]] void end_process_at_terminate() {
    std::set_terminate([] { end_process("", std::current_exception()); });
}

}  // namespace

void end_process(const std::string& name, std::exception_ptr exception) {
    LastWords words = std::exchange(registered_words(), {});
    say(words.before);
    tell(name, std::move(exception));
    say(words.after);
    ::_exit(internal_error_code);
}

void run_loop(boost::asio::io_context& loop) {
    try {
        loop.run();
    } catch (...) {
        end_process("", std::current_exception());
    }
}

void set_last_words(LastWords words) {
    registered_words() = std::move(words);
}

}  // namespace io
