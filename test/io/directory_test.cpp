#include "io/directory.hpp"

#include "io/directory_watch.hpp"
#include "io/file_lock.hpp"
#include "io_helper.hpp"

#include <array>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>

using namespace std::chrono_literals;
using boost::system::errc::file_too_large;
using boost::system::errc::operation_not_permitted;

namespace {

mode_t mode_of(const std::string& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

struct Umask {
    explicit Umask(mode_t mask) : old(::umask(mask)) {}
    ~Umask() { ::umask(old); }
    mode_t old;
};

}  // namespace

TEST_CASE("directories are made 0700 and files 0600 whatever the umask") {
    test::TemporaryDirectory top;
    Umask open_to_all(0);
    auto made = io::Directory::make(top / "a/b/c");
    REQUIRE(made.has_value());
    for (const char* name : {"a", "a/b", "a/b/c"})
        CHECK(mode_of(top / name) == 0700);
    REQUIRE(made->write(*made, "file", "text").has_value());
    CHECK(mode_of(top / "a/b/c/file") == 0600);
}

TEST_CASE("a directory that is there keeps its mode") {
    test::TemporaryDirectory top;
    REQUIRE(::mkdir((top / "x").c_str(), 0755) == 0);
    mode_t before = mode_of(top / "x");
    REQUIRE(io::Directory::make(top / "x/y").has_value());
    CHECK(mode_of(top / "x") == before);
}

TEST_CASE("a symlink on the way is refused, and the message names a way out") {
    test::TemporaryDirectory top;
    REQUIRE(::mkdir((top / "real").c_str(), 0700) == 0);
    REQUIRE(::symlink("real", (top / "link").c_str()) == 0);
    for (const char* name : {"link", "link/below"}) {
        auto made = io::Directory::make(top / name);
        REQUIRE(made.has_error());
        CHECK(made.error().message.find("symbolic link") != std::string::npos);
        CHECK(made.error().message.find("TROUPE_ROOT") != std::string::npos);
    }
}

TEST_CASE("somebody else's directory is refused by its owner's name") {
    if (::geteuid() != 0) return;  // only root can make one
    test::TemporaryDirectory top;
    REQUIRE(::mkdir((top / "theirs").c_str(), 0777) == 0);
    REQUIRE(::chown((top / "theirs").c_str(), 65534, 65534) == 0);
    auto opened = io::Directory::open(top / "theirs");
    REQUIRE(opened.has_error());
    CHECK(opened.error().message.find("belongs to nobody") != std::string::npos);
}

TEST_CASE("only regular files of ours are read, and no larger than the cap") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    REQUIRE(directory.has_value());
    std::ofstream(top / "file") << "12345";
    REQUIRE(::symlink("file", (top / "link").c_str()) == 0);
    REQUIRE(::mkfifo((top / "fifo").c_str(), 0600) == 0);
    REQUIRE(::mkdir((top / "dir").c_str(), 0700) == 0);
    CHECK(directory->read("file", 5).value() == "12345");
    CHECK(directory->read("file", 4).error().code == file_too_large);
    for (const char* name : {"link", "fifo", "dir"})
        CHECK(directory->read(name, 100).error().code == operation_not_permitted);
    CHECK(directory->read("missing", 100).has_error());
    CHECK(io::read_regular_file(top / "fifo", 100).has_error());
    CHECK(io::read_regular_file("/dev/zero", 100).has_error());
    CHECK(io::read_regular_file(top / "file", 100).value() == "12345");
}

TEST_CASE("a file of any size is read whole, and one that is open as often as one likes") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    for (std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 131072U, 9'000'001U}) {
        std::string text(size, 'x');
        for (std::size_t at = 0; at < size; at += 1000)
            text[at] = static_cast<char>('a' + at / 1000 % 26);
        std::ofstream(top / "file") << text;
        CHECK((directory->read("file", size).value() == text));
        if (size > 0) CHECK(directory->read("file", size - 1).error().code == file_too_large);
        auto file = directory->open_file("file");
        REQUIRE(file.has_value());
        CHECK(file->size == size);
        for (int time = 0; time < 2; ++time)
            CHECK((file->text(size).value() == text));
        CHECK(::lseek(file->fd.get(), 0, SEEK_CUR) == 0);
    }
}

TEST_CASE("a file that grows as it is read is read to its end, and never beyond the cap") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    std::ofstream(top / "file") << "12345";
    auto file = directory->open_file("file");
    REQUIRE(file.has_value());
    std::ofstream(top / "file", std::ios::app) << std::string(100'000, 'x');
    CHECK(file->text(100'005).value().size() == 100'005);
    CHECK(file->text(100'004).error().code == file_too_large);
}

TEST_CASE("a file is written in pieces as in one") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    std::array<std::string_view, 3> pieces{"one ", "", "two"};
    REQUIRE(directory->write_in_place("file", pieces).has_value());
    CHECK(directory->read("file", 100).value() == "one two");
}

TEST_CASE("a file that is open for writing is known to be") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    io::UniqueFd writer(::open((top / "file").c_str(), O_WRONLY | O_CREAT, 0600));
    CHECK(directory->is_being_written("file"));
    auto text = directory->read_finished("file", 100);
    REQUIRE(text.has_error());
    CHECK(text.error().code == boost::system::errc::text_file_busy);
    writer.reset();
    CHECK_FALSE(directory->is_being_written("file"));
    CHECK(directory->read_finished("file", 100).has_value());
}

TEST_CASE("a lock is held by its descriptor") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::open(top.path());
    CHECK_FALSE(io::is_locked(*directory, "lock"));
    auto lock = io::lock_file(*directory, "lock");
    REQUIRE(lock.has_value());
    CHECK(io::is_locked(*directory, "lock") == true);
    CHECK(io::lock_file(*directory, "lock").has_error());
    lock->reset();
    CHECK(io::is_locked(*directory, "lock") == false);
}

TEST_CASE("a watched directory tells of files that are complete and of those that go") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::make(top / "watched");
    auto scratch = io::Directory::make(top / "scratch");
    test::asio::io_context loop(1);
    io::DirectoryWatch watch(loop.get_executor());
    std::vector<std::string> seen;
    auto subscription = watch.watch(top / "watched", [&](const io::DirectoryEvent& event) {
        const char* kind = event.kind == io::DirectoryEvent::Kind::written ? "+" : "-";
        seen.push_back(kind + std::string(event.name));
    });
    REQUIRE(subscription.has_value());
    REQUIRE(directory->write(*scratch, "renamed", "x").has_value());
    std::ofstream in_place(top / "watched/in-place");
    in_place << "half" << std::flush;
    auto end = std::chrono::steady_clock::now() + test::patience;
    while (seen.empty() && std::chrono::steady_clock::now() < end)
        loop.run_one_for(100ms);
    loop.run_for(50ms);
    CHECK(seen == std::vector<std::string>{"+renamed"});  // the other is not closed yet
    in_place.close();
    REQUIRE(directory->remove("renamed").has_value());
    while (seen.size() < 3 && std::chrono::steady_clock::now() < end)
        loop.run_one_for(100ms);
    CHECK(seen == std::vector<std::string>{"+renamed", "+in-place", "-renamed"});
    subscription->reset();
    loop.run_for(test::patience);  // ends at once: nothing is watched any more
    CHECK(loop.stopped());
}

TEST_CASE("the watch of a place tells that it has gone, and nothing of what happens in it") {
    test::TemporaryDirectory top;
    auto directory = io::Directory::make(top / "place");
    auto inner = io::Directory::make(top / "place/inner");
    test::asio::io_context loop(1);
    io::DirectoryWatch watch(loop.get_executor());
    int events = 0;
    int gone = 0;
    int inner_events = 0;
    auto place = watch.watch_place(top / "place", [&] { ++gone; });
    auto outer = watch.watch_place(top / "place", [&] { ++events; });
    auto inside = watch.watch(top / "place/inner", [&](const io::DirectoryEvent&) { ++inner_events; });
    auto inner_place = watch.watch_place(top / "place/inner", [&] { ++events; });
    REQUIRE(directory->write_in_place("f", "x").has_value());
    REQUIRE(inner->write_in_place("f", "x").has_value());
    auto end = std::chrono::steady_clock::now() + test::patience;
    while (inner_events == 0 && std::chrono::steady_clock::now() < end)
        loop.run_one_for(100ms);
    CHECK(inner_events == 1);  // the second watch of the same directory has not taken the first one's events
    CHECK((gone == 0 && events == 0));
    REQUIRE(::rename((top / "place").c_str(), (top / "moved").c_str()) == 0);
    while (gone == 0 && std::chrono::steady_clock::now() < end)
        loop.run_one_for(100ms);
    CHECK((gone == 1 && events == 1));
}

TEST_CASE("a lost queue is told to every subscriber") {
    test::TemporaryDirectory top;
    REQUIRE(::mkdir((top / "d").c_str(), 0700) == 0);
    test::asio::io_context loop(1);
    io::DirectoryWatch watch(loop.get_executor());
    int overflows = 0;
    auto subscription = watch.watch(top / "d", [&](const io::DirectoryEvent& event) {
        if (event.kind == io::DirectoryEvent::Kind::overflow) ++overflows;
    });
    std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
    int most = 0;
    limit >> most;
    REQUIRE(most > 0);
    if (most > 200'000) return;  // a queue that no test should fill
    for (int i = 0; i <= most + 10; ++i) {
        std::string name = top / ("d/f" + std::to_string(i % 2));
        io::UniqueFd file(::open(name.c_str(), O_WRONLY | O_CREAT, 0600));
    }
    auto end = std::chrono::steady_clock::now() + test::patience;
    while (overflows == 0 && std::chrono::steady_clock::now() < end)
        loop.run_one_for(100ms);
    CHECK(overflows == 1);
}

TEST_CASE("a file can be written in one directory and taken from there into another") {
    test::TemporaryDirectory top;
    auto scratch = io::Directory::make(top / "scratch");
    auto place = io::Directory::make(top / "place");
    REQUIRE(scratch->write_in_place("f", "text").has_value());
    CHECK(mode_of(top / "scratch/f") == 0600);
    CHECK_FALSE(place->contains("f"));
    REQUIRE(place->take_from(*scratch, "f").has_value());
    CHECK(place->read("f", 100).value() == "text");
    CHECK_FALSE(scratch->contains("f"));
    CHECK(place->take_from(*scratch, "f").has_error());
}
