#include "agents/found_file.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace {

namespace fs = std::filesystem;

struct Folder {
    Folder() {
        std::string name = (fs::temp_directory_path() / "found-file-XXXXXX").string();
        path = fs::canonical(::mkdtemp(name.data()));
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path); }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name) << text;
        return (path / name).string();
    }

    fs::path path;
};

}  // namespace

TEST_CASE("a file that was found stays that file, whatever its path leads to then") {
    Folder folder;
    const std::string path = folder.write("a", "words");
    auto found = agents::FoundFile::find(path);
    REQUIRE(found.has_value());
    fs::rename(path, folder.path / "b");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(found->is_regular());
    CHECK(found->real_path() == folder.path / "b");
    CHECK(found->beginning(100).value() == "words");
    CHECK(found->beginning(3).value() == "wor");
}

TEST_CASE("a FIFO is found without waiting, and is no regular file") {
    Folder folder;
    const std::string path = (folder.path / "fifo").string();
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    auto found = agents::FoundFile::find(path);
    REQUIRE(found.has_value());
    CHECK_FALSE(found->is_regular());
}

TEST_CASE("a link is followed, and its file is told by its own place") {
    Folder folder;
    fs::create_directory(folder.path / "top");
    fs::create_symlink(folder.write("outside", "words"), folder.path / "top" / "link");
    auto found = agents::FoundFile::find((folder.path / "top" / "link").string());
    REQUIRE(found.has_value());
    CHECK(found->real_path() == folder.path / "outside");
    CHECK_FALSE(agents::is_below(folder.path / "top", found->real_path()));
    CHECK(agents::is_below(folder.path, found->real_path()));
    CHECK(agents::FoundFile::find((folder.path / "none").string()).has_error());
}
