#include "io/log.hpp"

#include "io/nonblocking_writer.hpp"
#include "io/unique_fd.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace io::log {

namespace {

constexpr std::array<std::string_view, 6> names{"off", "error", "warn", "info", "debug", "trace"};

constexpr std::chrono::milliseconds last_wait{1000};

struct Sink {
    Level level = Level::info;
    std::optional<NonblockingWriter> terminal{STDERR_FILENO};
    UniqueFd file;
    std::string file_path;
    bool file_has_failed = false;                  // and this was reported
    std::optional<NonblockingWriter> file_reader;  // if `file` is not a regular file
    Presenter presenter;
    Listener listener;

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

std::string timestamp() {
    auto now = std::chrono::system_clock::now();
    auto millis =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char text[32];
    std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    std::string fraction = std::to_string(1000 + millis).substr(1);
    return base::concat(std::string_view(text, length), ".", fraction, "Z");
}

std::string_view label(Level level) {
    constexpr std::array<std::string_view, 6> labels{"", "ERROR", "WARN ", "INFO ", "DEBUG", "TRACE"};
    return labels[static_cast<std::size_t>(level)];
}

// C1 control characters, U+0080 to U+009F: some terminals take one of them as the start of an escape
// sequence.
bool is_c1(std::string_view text) {
    return text.size() > 1 && text[0] == '\xc2' && (static_cast<unsigned char>(text[1]) & 0xe0) == 0x80;
}

void append_indented(std::string& line, std::string_view text) {
    while (!text.empty() && text.back() == '\n')
        text.remove_suffix(1);
    constexpr std::string_view digits = "0123456789abcdef";
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        auto byte = static_cast<unsigned char>(c);
        if (is_c1(text.substr(i))) {
            auto second = static_cast<unsigned char>(text[++i]);
            line.append({'\\', 'u', '0', '0', digits[second >> 4], digits[second & 15]});
        } else if (c == '\n')
            line.append("\n    ");
        else if ((byte < 0x20 && c != '\t') ||
                 byte == 0x7f)  // colours in the output of commands must not reach the terminal
            line.append({'\\', 'x', digits[byte >> 4], digits[byte & 15]});
        else
            line.push_back(c);
    }
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

// The same for the log file.
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

std::string formatted(Level level, std::string_view text) {
    std::string line = base::concat(timestamp(), " ", label(level), " ");
    append_indented(line, text);
    line.push_back('\n');
    return line;
}

void report_file_failure(int error_number) {
    Sink& out = sink();
    if (std::exchange(out.file_has_failed, true)) return;
    std::string text =
        base::concat(base::system_error("cannot write the log file " + out.file_path, error_number).message,
                     "; it will lack lines until it can be written again");
    std::string line = formatted(Level::error, text);
    put_on_terminal({Level::error, false, text, {}, line});
}

void put_line(const Line& line) {
    put_on_terminal(line);
    if (sink().listener) sink().listener(line);
    if (!sink().file) return;
    if (int error_number = put_in_file(line.formatted)) report_file_failure(error_number);
}

}  // namespace

std::optional<Level> parse_level(std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<Level>(i);
    return std::nullopt;
}

std::string_view name_of(Level level) {
    return names[static_cast<std::size_t>(level)];
}

void set_level(Level level) {
    sink().level = level;
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

bool enabled(Level level) {
    return level <= sink().level && level != Level::off;
}

void write(Level level, std::string_view text, bool is_state_change) {
    std::string line = formatted(level, text);
    put_line({level, is_state_change, text, {}, line});
}

void write_with_command(Level level, std::string_view text, std::string_view command) {
    if (!enabled(level)) return;
    std::string line = base::concat(formatted(level, text), "    ", command, "\n");
    put_line({level, false, text, command, line});
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
