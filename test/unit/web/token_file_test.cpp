#include "web/token_file.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using Catch::Matchers::Contains;
using web::read_or_make_token;

namespace {

struct Directory {
    Directory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "barnum-token-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        top = pattern;
        path = pattern + "/barnum/serve";
        file = path + "/token";
    }
    ~Directory() { std::filesystem::remove_all(top); }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    void write(const std::string& text) const {
        std::ofstream(file) << text;
        REQUIRE(::chmod(file.c_str(), 0600) == 0);
    }
    std::string error() const {
        auto token = read_or_make_token(path);
        REQUIRE(token.has_error());
        return token.error().message;
    }

    std::string top, path, file;
};

mode_t mode_of(const std::string& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("a token is made once, for this user only") {
    Directory directory;
    auto token = read_or_make_token(directory.path);
    REQUIRE(token.has_value());
    CHECK(token->size() == 64);
    CHECK(mode_of(directory.file) == 0600);
    CHECK(mode_of(directory.path) == 0700);
    CHECK(*read_or_make_token(directory.path) == *token);
    std::filesystem::remove(directory.file);
    CHECK(*read_or_make_token(directory.path) != *token);
}

TEST_CASE("a token that others can read is refused, and remains") {
    Directory directory;
    std::string token = *read_or_make_token(directory.path);
    for (mode_t mode : {0640U, 0604U, 0660U}) {
        REQUIRE(::chmod(directory.file.c_str(), mode) == 0);
        CHECK_THAT(directory.error(), Contains("can be read by other users") && Contains("remove it"));
    }
    REQUIRE(::chmod(directory.file.c_str(), 0600) == 0);
    CHECK(*read_or_make_token(directory.path) == token);
}

TEST_CASE("a file that is not a token is refused") {
    Directory directory;
    (void)read_or_make_token(directory.path);
    for (const std::string& text : {std::string(), std::string("short\n"), std::string(64, 'x'),
                                    std::string(65, 'a'), std::string(64, 'a') + "\n\n"}) {
        directory.write(text);
        CHECK_THAT(directory.error(), Contains(directory.file + " is not a token"));
    }
    directory.write(std::string(64, 'a'));
    CHECK(*read_or_make_token(directory.path) == std::string(64, 'a'));
}

TEST_CASE("a link in place of the token is not followed") {
    Directory directory;
    (void)read_or_make_token(directory.path);
    std::filesystem::rename(directory.file, directory.top + "/elsewhere");
    std::filesystem::create_symlink(directory.top + "/elsewhere", directory.file);
    CHECK_FALSE(directory.error().empty());
}

TEST_CASE("a directory that others can write to is refused") {
    Directory directory;
    (void)read_or_make_token(directory.path);
    REQUIRE(::chmod(directory.path.c_str(), 0777) == 0);
    CHECK_THAT(directory.error(), Contains("can be written to by other users"));
}
