#include "io/log.hpp"

#include "base/journal_stream.hpp"
#include "base/system_time.hpp"
#include "io/nonblocking_writer.hpp"
#include "io/repeats.hpp"
#include "io/unique_fd.hpp"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace io::log {

namespace {

constexpr std::chrono::milliseconds last_wait{1000};
constexpr std::size_t most_warnings = 256;  // that are remembered, of leave_out_repeated_warnings()

struct Sink {
    Level level = Level::info;
    Format format = base::is_journal_stream(STDERR_FILENO) ? Format::journal : Format::text;
    std::optional<NonblockingWriter> terminal{STDERR_FILENO};
    UniqueFd file;
    std::string file_path;
    bool file_has_failed = false;                  // and this was reported
    std::optional<NonblockingWriter> file_reader;  // if `file` is not a regular file
    Presenter presenter;
    Listener listener;
    std::optional<Repeats> warnings;

    ~Sink() { flush(last_wait); }
    void flush(std::chrono::milliseconds longest) {
        terminal->flush(longest);
        if (file_reader) file_reader->flush(longest);
    }
};

Sink& sink() {
    static Sink instance;
    return instance;
}

// Returns the error because of which a part of `line` was not written, or 0.
int put(int fd, std::string_view line) {
    while (!line.empty()) {
        ssize_t written = ::write(fd, line.data(), line.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        line.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

// Does what put() does, with the log file.
int put_in_file(std::string_view line) {
    Sink& out = sink();
    if (!out.file_reader) return put(out.file.get(), line);
    out.file_reader->put(line);
    return out.file_reader->write_error();
}

void put_on_terminal(const Line& line) {
    Sink& out = sink();
    if (!out.presenter) return out.terminal->put(line.formatted);
    std::string presented = out.presenter(line);
    if (!presented.empty()) out.terminal->put(presented);
}

Message message_now(Level level, std::string_view text, std::string_view command = {}) {
    return {level, base::system_time(), text, command};
}

void report_file_failure(int error_number) {
    Sink& out = sink();
    if (std::exchange(out.file_has_failed, true)) return;
    std::string text =
        base::concat(base::system_error("cannot write the log file " + out.file_path, error_number).message,
                     "; it will lack lines until it can be written again");
    std::string line = formatted(out.format, message_now(Level::error, text));
    put_on_terminal({Level::error, false, text, {}, line});
}

void put_message(const Message& message, bool is_state_change) {
    Sink& out = sink();
    std::string formatted_line = formatted(out.format, message);
    Line line{message.level, is_state_change, message.text, message.command, formatted_line};
    put_on_terminal(line);
    if (out.listener) out.listener(line);
    if (!out.file) return;
    bool is_other = out.format == Format::journal;
    int error_number = is_other ? put_in_file(formatted(Format::text, message)) : put_in_file(formatted_line);
    if (error_number != 0) report_file_failure(error_number);
}

}  // namespace

void set_level(Level level) {
    sink().level = level;
}

Level level() {
    return sink().level;
}

void change_level(Level level) {
    set_level(level);
    write(Level::info, base::concat("the log level is ", name_of(level)));
}

void set_format(Format format) {
    sink().format = format;
}

void use_format(std::string_view name) {
    if (name == "text") set_format(Format::text);
    if (name == "json") set_format(Format::json);
}

Format format() {
    return sink().format;
}

base::Result<void> open_file(const std::string& path) {
    UniqueFd file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600));
    if (!file && errno == ENXIO)
        return base::invalid(
            base::concat("cannot write the log file ", path,
                         ": it is a FIFO without a reader, or a socket; use a regular file"));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0)
        return base::system_error(base::concat("cannot write the log file ", path));
    Sink& out = sink();
    out.file_reader.reset();
    out.file = std::move(file);
    out.file_path = path;
    out.file_has_failed = false;
    if (!S_ISREG(status.st_mode)) out.file_reader.emplace(out.file.get());
    return {};
}

void reopen_file() {
    std::string path = sink().file_path;
    auto opened = open_file(path);
    if (opened)
        info("the log file ", path, " was opened again");
    else
        error(opened.error().message, "; the log goes on where it was written before");
}

void leave_out_repeated_warnings(std::chrono::seconds interval) {
    sink().warnings.emplace(interval, most_warnings);
}

bool enabled(Level level) {
    return level <= sink().level && level != Level::off;
}

void write(Level level, std::string_view text, bool is_state_change) {
    auto& warnings = sink().warnings;
    if (level == Level::warn && warnings && warnings->is_repeated(text, std::chrono::steady_clock::now()))
        return;
    put_message(message_now(level, text), is_state_change);
}

void write_with_command(Level level, std::string_view text, std::string_view command) {
    if (enabled(level)) put_message(message_now(level, text, command), false);
}

void set_presenter(Presenter presenter) {
    sink().presenter = std::move(presenter);
}

void set_listener(Listener listener) {
    sink().listener = std::move(listener);
}

void put_on_stderr(std::string_view bytes) {
    sink().terminal->put(bytes);
}

void stderr_replaced() {
    sink().terminal.emplace(STDERR_FILENO);
}

bool is_backed_up() {
    return sink().terminal->is_backed_up();
}

void flush(std::chrono::milliseconds longest) {
    sink().flush(longest);
}

}  // namespace io::log
