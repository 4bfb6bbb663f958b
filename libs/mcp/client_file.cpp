#include "mcp/client_file.hpp"

#include "base/current_directory.hpp"
#include "base/own_environment.hpp"
#include "base/text.hpp"
#include "io/as_user.hpp"
#include "io/directory.hpp"
#include "io/file_calls.hpp"
#include "io/new_file.hpp"
#include "terminal/line_diff.hpp"

#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>

namespace mcp {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = std::size_t{4} << 20;

base::Result<std::string> path_of(const SettingsFile& file) {
    using Place = SettingsFile::Place;
    if (file.place == Place::project) return base::absolute_path(file.name);
    bool is_codex = file.place == Place::codex_home;
    std::string codex = is_codex ? base::own_variable("CODEX_HOME") : "";
    if (!codex.empty()) return base::absolute_path(base::concat(codex, "/", file.name));
    std::string home = is_codex ? "" : base::own_variable("GEMINI_CLI_HOME");
    if (home.empty()) home = base::own_variable("HOME");
    if (home.empty()) return base::invalid("HOME is not set");
    return base::absolute_path(base::concat(home, is_codex ? "/.codex/" : "/.gemini/", file.name));
}

base::Result<std::string> text_of(const std::string& path) {
    auto text = io::read_regular_file(path, largest_file);
    if (text.has_error() && text.error().code == boost::system::errc::no_such_file_or_directory)
        return std::string();
    return text;
}

// A link to a file that is not there is left to the user, who may not know of it.
base::Result<std::string> place_of(const std::string& path) {
    std::error_code failed;
    if (!fs::is_symlink(path, failed)) return path;
    fs::path place = fs::canonical(path, failed);
    if (!failed) return place.string();
    std::error_code unreadable;
    std::string target = fs::read_symlink(path, unreadable).string();
    return base::Error{failed, base::concat("it is a link to ", target, ", and that file cannot be found (",
                                            failed.message(), "); create it, or remove the link")};
}

// A project's file is for all who work on it; those in the home directory may have keys in them.
io::Readers readers_of(const SettingsFile& file) {
    return file.place == SettingsFile::Place::project ? io::Readers::umask : io::Readers::owner;
}

// Locks the file's directory, which is made if it is not there, until the descriptor is closed: of two that
// are set up at the same time, the second must see what the first has written.
base::Result<io::UniqueFd> locked(const std::string& path) {
    std::string directory = fs::path(path).parent_path().string();
    {
        io::AsUser as_user;
        std::error_code ignored;  // open() tells
        fs::create_directories(directory, ignored);
    }
    io::UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd || ::flock(fd.get(), LOCK_EX) != 0)
        return base::system_error(base::concat("cannot lock the directory ", directory));
    return fd;
}

// If the file is a link, what it links to is replaced.
base::Result<void> put(const SettingsFile& file, const std::string& path, const std::string& text) {
    auto place = place_of(path);
    if (place.has_error()) return place.error();
    auto calls = io::FileCalls::real();
    auto fill = [&](int fd) { return io::write_all(calls, fd, text); };
    std::error_code failed;
    if (fs::exists(*place, failed)) {
        io::UniqueFd old(::open(place->c_str(), O_RDONLY | O_CLOEXEC));
        if (!old) return base::system_error(*place);
        return io::replace_file(*place, old.get(), fill, calls);
    }
    auto created = io::create_file(*place, fill, calls, readers_of(file));
    if (created.has_error()) return created.error();
    return {};
}

base::Result<std::string> write(const SettingsFile& file, const std::string& path, std::string_view before,
                                const std::string& after) {
    if (before == after) return base::concat(path, " has it already\n");
    auto written = put(file, path, after);
    if (written.has_error()) return base::with_context(base::concat("cannot write ", path), written.error());
    return base::concat(path, ":\n", terminal::unified_diff(before, after, false));
}

}  // namespace

base::Result<std::string> set_up_client(ClientKind client, const ServerCommand& server, bool writes) {
    auto file = settings_file(client);
    if (!file) return settings_of(client, server);
    auto path = path_of(*file);
    if (path.has_error()) return path.error();
    if (!writes)
        return base::concat("In ", *path, " (--write puts it there):\n", settings_of(client, server),
                            other_ways(client, server), what_follows(client, server));
    auto lock = locked(*path);
    if (lock.has_error()) return lock.error();
    auto before = text_of(*path);
    if (before.has_error()) return before.error();
    auto after = with_server(client, server, *before, *path);
    if (after.has_error()) return after.error();
    auto done = write(*file, *path, *before, *after);
    if (done.has_value()) *done += what_follows(client, server);
    return done;
}

}  // namespace mcp
