// Whom directories and files may belong to, and who may write to them.
#include "io/trust.hpp"

#include "io/directory.hpp"
#include "io/file_lock.hpp"
#include "io/safe_walk.hpp"
#include "io_helper.hpp"

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>

using boost::system::errc::operation_not_permitted;
using boost::system::errc::permission_denied;

namespace {

constexpr uid_t stranger = 65534;

void make_directory(const std::string& path, mode_t mode) {
    REQUIRE(::mkdir(path.c_str(), 0700) == 0);
    REQUIRE(::chmod(path.c_str(), mode) == 0);
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Nothing if it could be opened.
std::optional<base::Error> refusal(const std::string& path) {
    auto opened = io::Directory::open(path);
    return opened.has_error() ? std::optional(opened.error()) : std::nullopt;
}

}  // namespace

TEST_CASE("a directory that others may write to is refused, sticky or not") {
    test::TemporaryDirectory top;
    make_directory(top / "d", 0755);
    CHECK_FALSE(refusal(top / "d"));
    for (mode_t mode : {0777U, 01777U, 0702U}) {
        REQUIRE(::chmod((top / "d").c_str(), mode) == 0);
        auto error = refusal(top / "d");
        REQUIRE(error);
        CHECK(error->code == permission_denied);
        CHECK(error->message.find("can be written to by other users") != std::string::npos);
        CHECK(error->message.find("--root") != std::string::npos);
    }
}

TEST_CASE("on the way, a directory that others may write to must be sticky") {
    test::TemporaryDirectory top;
    make_directory(top / "way", 01777);
    make_directory(top / "way/d", 0700);
    CHECK_FALSE(refusal(top / "way/d"));
    REQUIRE(::chmod((top / "way").c_str(), 0777) == 0);
    auto error = refusal(top / "way/d");
    REQUIRE(error);
    CHECK(error->code == permission_denied);
    CHECK(error->message.find("not sticky (its mode is 0777)") != std::string::npos);
    CHECK(io::Directory::make(top / "way/new").has_error());
    CHECK(::access((top / "way/new").c_str(), F_OK) != 0);
}

TEST_CASE("on the way, a directory is ours or root's") {
    if (::geteuid() != 0) return;  // only root can give one away
    test::TemporaryDirectory top;
    make_directory(top / "way", 0755);
    make_directory(top / "way/d", 0700);
    REQUIRE(::chown((top / "way").c_str(), stranger, stranger) == 0);
    auto error = refusal(top / "way/d");
    REQUIRE(error);
    CHECK(error->message.find("way belongs to nobody, not to root") != std::string::npos);
}

TEST_CASE("nothing is made behind a link") {
    test::TemporaryDirectory top;
    make_directory(top / "real", 0700);
    REQUIRE(::symlink("real", (top / "link").c_str()) == 0);
    auto made = io::Directory::make(top / "link/a/b");
    REQUIRE(made.has_error());
    CHECK(made.error().message.starts_with(top / "link"));
    CHECK(std::filesystem::is_empty(top / "real"));
}

TEST_CASE("empty components of a path mean nothing") {
    test::TemporaryDirectory top;
    make_directory(top / "d", 0700);
    CHECK(io::open_directory("/" + top.path() + "//d/", io::Missing::is_an_error).has_value());
    CHECK(io::open_directory(top / "x//y/", io::Missing::is_made).has_value());
    CHECK(std::filesystem::is_directory(top / "x/y"));
}

TEST_CASE("a file with a second name is not read, not written to and not locked") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    std::ofstream(top / "other") << "keep";
    REQUIRE(::link((top / "other").c_str(), (top / "file").c_str()) == 0);
    CHECK(directory->read("file", 100).error().code == operation_not_permitted);
    CHECK(directory->overwrite("file", "new").error().code == operation_not_permitted);
    CHECK(io::lock_file(*directory, "file").error().code == operation_not_permitted);
    REQUIRE(directory->write_in_place("file", "new").has_value());
    CHECK(text_of(top / "file") == "new");
    CHECK(text_of(top / "other") == "keep");
}

TEST_CASE("a file is written anew in the place of whatever has its name") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    std::ofstream(top / "target") << "keep";
    REQUIRE(::symlink("target", (top / "link").c_str()) == 0);
    REQUIRE(::mkfifo((top / "fifo").c_str(), 0600) == 0);
    for (const char* name : {"link", "fifo"}) {
        REQUIRE(directory->write_in_place(name, "new").has_value());
        CHECK(directory->read(name, 100).value() == "new");
    }
    CHECK(text_of(top / "target") == "keep");
    make_directory(top / "directory", 0700);
    CHECK(directory->write_in_place("directory", "new").has_error());
}

TEST_CASE("overwriting keeps the file and takes the whole text") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    std::ofstream(top / "file") << "a long text";
    io::UniqueFd before(::open((top / "file").c_str(), O_RDONLY));
    REQUIRE(directory->overwrite("file", "short").has_value());
    char text[16] = {};
    CHECK(::read(before.get(), text, sizeof text) == 5);
    CHECK(std::string(text) == "short");
    CHECK(directory->overwrite("missing", "x").has_error());
    REQUIRE(::mkfifo((top / "fifo").c_str(), 0600) == 0);
    CHECK(directory->overwrite("fifo", "x").has_error());
}

TEST_CASE("a file by its path is on a disk, and ours or root's unless anybody's will do") {
    test::TemporaryDirectory top;
    CHECK(io::read_regular_file("/proc/sys/kernel/pid_max", 100).error().code == operation_not_permitted);
    CHECK(io::read_regular_file("/proc/sys/kernel/pid_max", 100, io::TrustedOwner::not_required).has_error());
    std::ofstream(top / "file") << "text";
    CHECK(io::read_regular_file(top / "file", 100).value() == "text");
    if (::geteuid() != 0) return;  // only root can give one away
    REQUIRE(::chown((top / "file").c_str(), stranger, stranger) == 0);
    auto text = io::read_regular_file(top / "file", 100);
    REQUIRE(text.has_error());
    CHECK(text.error().message.find("belongs to nobody") != std::string::npos);
    CHECK(io::read_regular_file(top / "file", 100, io::TrustedOwner::not_required).value() == "text");
}
