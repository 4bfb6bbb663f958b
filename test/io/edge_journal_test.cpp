#include "edge_journal_helper.hpp"
#include "edge_shell/journal.hpp"
#include "io_helper.hpp"
#include "warnings.hpp"

#include <filesystem>
#include <random>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

using Catch::Matchers::Contains;
using edge_shell::Journal;
using test::carry_out;
using test::Change;
using test::change;
using test::Contents;
using test::contents_of;
using test::JournalWorld;
using test::LimitedDisk;
using test::Warnings;

namespace {

// A limit of the process on the size of files, at which a write is cut short, and the next one fails.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit before_{};
};

void put(Journal& journal, Contents& oracle, const std::string& key, const std::string& text) {
    carry_out(journal, {key, text});
    carry_out(oracle, {key, text});
}

std::size_t lines_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

TEST_CASE("a journal keeps the last text of each key for the next process") {
    JournalWorld world;
    {
        Journal journal = world.open();
        CHECK(journal.keys().empty());
        journal.put("b", "1");
        journal.put("a", "{\"x\":2}");
        journal.put("b", "3");
        journal.put("gone", "4");
        journal.erase("gone");
        journal.erase("never");
        CHECK(journal.get("b").value() == "3");
        CHECK(test::content(world.path()).empty());
        REQUIRE(journal.flush().has_value());
        CHECK(journal.pending_bytes() == 0);
        CHECK(journal.get("b").value() == "3");
    }
    Journal journal = world.open();
    CHECK(journal.keys() == std::vector<std::string>{"a", "b"});
    CHECK(contents_of(journal) == Contents{{"a", "{\"x\":2}"}, {"b", "3"}});
    CHECK_FALSE(journal.contains("gone"));
}

TEST_CASE("only its owner may read a journal, and no other file is taken for it") {
    JournalWorld world;
    const mode_t mask = ::umask(0277);
    world.open();
    ::umask(mask);
    struct stat status {};
    REQUIRE(::stat(world.path().c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);
    std::filesystem::permissions(world.path(), std::filesystem::perms(0644));
    world.open();
    REQUIRE(::stat(world.path().c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);

    std::filesystem::create_hard_link(world.path(), world.path() + ".link");
    CHECK(Journal::open(world.directory, world.name).has_error());
    std::filesystem::remove(world.path());
    std::filesystem::create_symlink(world.path() + ".link", world.path());
    CHECK(Journal::open(world.directory, world.name).has_error());
    std::filesystem::remove(world.path());
    std::filesystem::create_directory(world.path());
    CHECK_THAT(Journal::open(world.directory, world.name).error().message, Contains(world.path()));
}

TEST_CASE("what is no line of a journal is a bug of the caller") {
    JournalWorld world;
    Journal journal = world.open();
    CHECK_THROWS(journal.put("a b", "1"));
    CHECK_THROWS(journal.put("", "1"));
    CHECK_THROWS(journal.put("a", "1\n2"));
    CHECK_THROWS(journal.get("a"));
}

TEST_CASE("a journal that was cut at any byte has the changes before it") {
    JournalWorld world;
    std::vector<Change> changes;
    {
        Journal journal = world.open();
        for (std::uint64_t i = 0; i < 40; ++i) {
            changes.push_back(change(1, i, 5, 20));
            carry_out(journal, changes.back());
            REQUIRE(journal.flush().has_value());
        }
    }
    const std::string whole = test::content(world.path());
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        test::write(world.path(), whole.substr(0, size));
        // An erasure of what is not there has no line.
        Contents oracle;
        std::size_t lines = lines_in(whole.substr(0, size));
        for (auto at = changes.begin(); at != changes.end() && lines > 0; ++at)
            if (carry_out(oracle, *at)) --lines;
        Journal journal = world.open();
        REQUIRE(contents_of(journal) == oracle);
        REQUIRE(test::content(world.path()) == whole.substr(0, whole.substr(0, size).rfind('\n') + 1));
        put(journal, oracle, "later", "1");
        REQUIRE(journal.flush().has_value());
        REQUIRE(contents_of(world.open()) == oracle);
    }
}

TEST_CASE("damaged lines of a journal are skipped with a warning") {
    JournalWorld world;
    {
        Journal journal = world.open();
        for (const char* key : {"a", "b", "c"})
            journal.put(key, std::string("text of ") + key);
        REQUIRE(journal.flush().has_value());
    }
    const std::string whole = test::content(world.path());
    const std::size_t begin = whole.find('\n') + 1;
    const std::size_t end = whole.find('\n', begin);
    for (std::size_t at = begin; at < end; ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
        if (damaged[at] == '\n') continue;
        test::write(world.path(), damaged);
        Warnings warnings;
        Journal journal = world.open();
        CHECK(contents_of(journal) == Contents{{"a", "text of a"}, {"c", "text of c"}});
        REQUIRE(warnings.texts.size() == 1);
        CHECK_THAT(warnings.texts[0], Contains("1 line is damaged and was skipped: line 2"));
        journal.put("d", "4");
        REQUIRE(journal.flush().has_value());
        CHECK(world.open().keys() == std::vector<std::string>{"a", "c", "d"});
    }
}

TEST_CASE("a journal does what a map does, also when the disk is full at times") {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        INFO("seed " << seed);
        std::mt19937_64 random(seed);
        JournalWorld world;
        LimitedDisk disk;
        Contents oracle;
        Journal journal = world.open(disk.calls());
        for (std::uint64_t i = 0; i < 1500; ++i) {
            const Change next = change(seed, i, 30, 8000);
            carry_out(journal, next);
            carry_out(oracle, next);
            if (random() % 50 == 0) disk.room = random() % 3 == 0 ? LimitedDisk::unlimited : random() % 20000;
            if (random() % 3 == 0 && journal.flush().has_value() && random() % 20 == 0)
                journal = world.open(disk.calls());
            if (random() % 10 == 0) REQUIRE(contents_of(journal) == oracle);
        }
        disk.room = LimitedDisk::unlimited;
        REQUIRE(journal.flush().has_value());
        REQUIRE(contents_of(world.open()) == oracle);
    }
}

TEST_CASE("a full disk leaves all earlier entries, and what follows is written when there is room") {
    JournalWorld world;
    Contents before;
    Contents after;
    Journal journal = world.open();
    for (int i = 0; i < 10; ++i)
        put(journal, before, "k" + std::to_string(i), std::string(100, 'a'));
    REQUIRE(journal.flush().has_value());
    after = before;
    const auto size = std::filesystem::file_size(world.path());
    for (const char* key : {"k1", "k3", "new"})
        put(journal, after, key, std::string(100, 'b'));
    // Neither a line nor a part of it fits; a part of the first line, and of the second one.
    for (rlim_t more : {0U, 10U, 200U}) {
        FileSizeLimit limit(size + more);
        for (int i = 0; i < 3; ++i) {
            auto flushed = journal.flush();
            REQUIRE(flushed.has_error());
            CHECK_THAT(flushed.error().message, Contains(world.path()));
            CHECK(contents_of(journal) == after);
        }
        CHECK(std::filesystem::file_size(world.path()) == size + more);
    }
    // Not world.open(), which would cut the line off that is still to be completed.
    edge_shell::JournalReader reader;
    reader.add(test::content(world.path()));
    CHECK(reader.places().size() == before.size());
    CHECK(reader.damaged() == 0);
    REQUIRE(journal.flush().has_value());
    CHECK(contents_of(world.open()) == after);
}

TEST_CASE("a disk that stays full does not fill the memory") {
    JournalWorld world;
    LimitedDisk disk;
    Journal journal = world.open(disk.calls());
    Contents oracle;
    for (const char* key : {"a", "b", "c"})
        put(journal, oracle, key, std::string(1000, 'x'));
    REQUIRE(journal.flush().has_value());
    disk.room = 1500;
    for (int i = 0; i < 20'000; ++i) {
        const std::string task = "task-" + std::to_string(i);
        journal.put(task, std::string(300, 'y'));
        if (i % 100 == 0) put(journal, oracle, i % 200 == 0 ? "a" : "c", std::to_string(i));
        if (i % 7 == 0) (void)journal.flush();
        journal.erase(task);
        REQUIRE(journal.pending_bytes() < 1'100'000);
    }
    journal.erase("b");
    oracle.erase("b");
    CHECK(journal.flush().has_error());
    CHECK(contents_of(journal) == oracle);
    disk.room = LimitedDisk::unlimited;
    REQUIRE(journal.flush().has_value());
    CHECK(contents_of(journal) == oracle);
    CHECK(contents_of(world.open()) == oracle);
}

TEST_CASE("a journal whose file is removed is written again") {
    JournalWorld world;
    Journal journal = world.open();
    journal.put("a", "1");
    REQUIRE(journal.flush().has_value());
    std::filesystem::remove(world.path());
    CHECK(journal.get("a").value() == "1");
    journal.put("b", "2");
    REQUIRE(journal.flush().has_value());
    CHECK(contents_of(world.open()) == Contents{{"a", "1"}, {"b", "2"}});
}
