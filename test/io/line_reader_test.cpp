#include "statelog/line_reader.hpp"

#include "io_helper.hpp"
#include "statelog/log_file.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using statelog::LineReader;

namespace {

struct Log {
    std::string text;
    std::vector<std::size_t> lines;  // their offsets
};

Log log_of(std::size_t count) {
    std::mt19937 random(5);
    Log log;
    for (std::size_t i = 0; i < count; ++i) {
        log.lines.push_back(log.text.size());
        std::size_t size = random() % 50 == 0 ? random() % 300'000 : random() % 900;
        log.text += std::to_string(i) + std::string(size, 'x') + "\n";
    }
    return log;
}

void check_line(LineReader& reader, const Log& log, std::size_t offset) {
    auto line = reader.read(offset);
    REQUIRE(line.has_value());
    if (*line != log.text.substr(offset, log.text.find('\n', offset) - offset))
        FAIL("the line at " << offset);
}

}  // namespace

TEST_CASE("lines are read wherever they are, also those that are longer than what is kept") {
    test::TemporaryDirectory directory;
    Log log = log_of(3'000);
    test::write(directory / "log", log.text);
    auto fd = statelog::open_log(directory / "log");
    REQUIRE(fd.has_value());
    LineReader reader(fd->get(), "LOG");
    for (std::size_t offset : log.lines)
        check_line(reader, log, offset);
    for (std::size_t i = 0; i < log.lines.size() / 2; ++i) {  // two places that move on
        check_line(reader, log, log.lines[i]);
        check_line(reader, log, log.lines[log.lines.size() / 2 + i]);
    }
    std::ranges::shuffle(log.lines, std::mt19937(6));
    for (std::size_t offset : log.lines)
        check_line(reader, log, offset);
}

TEST_CASE("what the log has got since then is read as well, and what it lacks is an error") {
    test::TemporaryDirectory directory;
    test::write(directory / "log", "one\ntw");
    auto fd = statelog::open_log(directory / "log");
    REQUIRE(fd.has_value());
    LineReader reader(fd->get(), "LOG");
    CHECK(*reader.read(0) == "one");
    CHECK(reader.read(4).has_error());
    CHECK(reader.read(100).error().message.find("LOG") != std::string::npos);
    test::write(directory / "log", "one\ntwo\n");
    CHECK(*reader.read(4) == "two");
}
