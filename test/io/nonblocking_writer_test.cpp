#include "io/nonblocking_writer.hpp"

#include "io/unique_fd.hpp"
#include "io_helper.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <string>

namespace {

// Of some 200 bytes each. A terminal takes one or two times 64 KiB, part of it only a moment later.
constexpr int more_lines_than_fit = 2000;

// A terminal whose other end reads only when it is asked to.
struct UnreadTerminal {
    UnreadTerminal() {
        int master = -1;
        int slave = -1;
        REQUIRE(::openpty(&master, &slave, nullptr, nullptr, nullptr) == 0);
        reader = io::UniqueFd(master);
        terminal = io::UniqueFd(slave);
    }

    // What comes until it is as long as that; the kernel hands it over a moment after it was written. Nothing
    // may be left in `writer` then.
    std::string read_all(io::NonblockingWriter& writer, std::size_t length) {
        std::string text;
        char bytes[4096];
        pollfd ready{reader.get(), POLLIN, 0};
        auto end = std::chrono::steady_clock::now() + test::patience;
        while (text.size() < length && std::chrono::steady_clock::now() < end) {
            if (::poll(&ready, 1, 1) > 0)
                text.append(bytes, static_cast<std::size_t>(::read(reader.get(), bytes, sizeof bytes)));
            (void)writer.is_backed_up();  // it writes on
        }
        CHECK_FALSE(writer.is_backed_up());
        return text;
    }

    io::UniqueFd reader;
    io::UniqueFd terminal;
};

std::string numbered(int number) {
    return std::to_string(number) + std::string(200, '.') + "\n";
}

}  // namespace

TEST_CASE("a terminal that nobody reads is not waited for, and gets all once somebody does") {
    UnreadTerminal unread;
    io::NonblockingWriter writer(unread.terminal.get());
    std::string expected;
    for (int i = 0; i < more_lines_than_fit; ++i) {
        writer.put(numbered(i));
        expected += numbered(i);
        expected.insert(expected.size() - 1, "\r");
    }
    CHECK(writer.is_backed_up());
    CHECK(unread.read_all(writer, expected.size()) == expected);
    CHECK_FALSE(writer.is_gone());
}

TEST_CASE("a terminal that is written to without waiting stays one that others wait for") {
    UnreadTerminal unread;
    int before = ::fcntl(unread.terminal.get(), F_GETFL);
    io::NonblockingWriter writer(unread.terminal.get());
    writer.put("line\n");
    CHECK(::fcntl(unread.terminal.get(), F_GETFL) == before);
    CHECK(unread.read_all(writer, 6) == "line\r\n");
}

TEST_CASE("a terminal that is flushed in vain is not waited for longer than that") {
    UnreadTerminal unread;
    io::NonblockingWriter writer(unread.terminal.get());
    for (int i = 0; i < more_lines_than_fit; ++i)
        writer.put(numbered(i));
    auto start = std::chrono::steady_clock::now();
    writer.flush(std::chrono::milliseconds(50));
    CHECK(std::chrono::steady_clock::now() - start < test::patience);
    CHECK(writer.is_backed_up());
}

TEST_CASE("a terminal that has gone away is told so") {
    UnreadTerminal unread;
    io::NonblockingWriter writer(unread.terminal.get());
    unread.reader.reset();
    writer.put("line\n");
    CHECK(writer.is_gone());
    CHECK_FALSE(writer.is_backed_up());
}
