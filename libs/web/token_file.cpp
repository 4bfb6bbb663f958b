#include "web/token_file.hpp"

#include "base/hex.hpp"
#include "base/state_home.hpp"
#include "base/text.hpp"
#include "io/directory.hpp"
#include "io/new_file.hpp"

#include <array>
#include <sys/random.h>
#include <sys/stat.h>

namespace web {

namespace {

constexpr std::size_t token_bytes = 32;
constexpr std::size_t token_length = 2 * token_bytes;
constexpr std::string_view file_name = "token";

base::Result<std::string> make_token() {
    std::array<char, token_bytes> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        return base::system_error("cannot get random bytes for the token");
    return base::to_hex({bytes.data(), bytes.size()});
}

base::Error not_a_token(const std::string& path, std::string_view what) {
    return base::invalid(base::concat(path, " ", what,
                                      "; remove it, and start again: a new token is made, and pages "
                                      "must be opened with its URL"));
}

base::Result<std::string> read_token(const io::Directory& directory) {
    auto file = directory.open_file(file_name);
    if (file.has_error()) return file.error();
    struct stat status {};
    if (::fstat(file->fd.get(), &status) != 0) return base::system_error("cannot examine " + file->path);
    if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return not_a_token(file->path, "can be read by other users, who may know the token");
    if (file->size > token_length + 1) return not_a_token(file->path, "is not a token");
    auto text = file->text(token_length + 1);
    if (text.has_error()) return text;
    if (text->ends_with('\n')) text->pop_back();
    bool is_token = text->size() == token_length && base::from_hex(*text);
    if (!is_token) return not_a_token(file->path, "is not a token");
    return text;
}

base::Result<void> write_token(const std::string& path, const std::string& token) {
    std::string line = token + "\n";
    auto created = io::create_file(
        path, [&](int fd) { return io::write_all(fd, line); }, io::FileCalls::real());
    if (created.has_error()) return base::with_context(path, created.error());
    return {};
}

}  // namespace

std::string token_directory() {
    std::string home = base::state_home();
    return home.empty() ? home : home + "/barnum/serve";
}

base::Result<std::string> read_or_make_token(const std::string& directory) {
    auto opened = io::Directory::make(directory, io::choose_state_home);
    if (opened.has_error()) return opened.error();
    if (opened->contains(file_name)) return read_token(*opened);
    auto token = make_token();
    if (token.has_error()) return token;
    auto written = write_token(opened->path_of(file_name), *token);
    bool was_faster = written.has_error() && written.error().code == boost::system::errc::file_exists;
    if (was_faster) return read_token(*opened);
    if (written.has_error()) return written.error();
    return token;
}

}  // namespace web
