#include "io/local_socket.hpp"

#include "io/framed_socket.hpp"
#include "io_helper.hpp"

#include <sys/socket.h>
#include <thread>

using namespace std::chrono_literals;

TEST_CASE("frames are found in pieces of any size") {
    std::string stream = io::frame("first") + io::frame("") + io::frame("{\"a\":1}");
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        io::FrameReader reader(100);
        std::vector<std::string> found;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            reader.append(std::string_view(stream).substr(at, piece));
            while (auto frame = reader.next().value())
                found.push_back(*frame);
        }
        CHECK(found == std::vector<std::string>{"first", "", "{\"a\":1}"});
        CHECK_FALSE(reader.in_frame());
    }
}

TEST_CASE("what can't be a frame's header is refused at once") {
    for (std::string start : {"abc\n", "-1\n", "\n", "+5\n", "1 \n", "x", "12x", "00000000000000001",
                              "1000000000000000000000000000000\n"}) {
        io::FrameReader reader(100);
        reader.append(start);
        CHECK(reader.next().has_error());
    }
    io::FrameReader reader(100);
    reader.append("101\n");
    CHECK(reader.next().error().message.find("at most 100") != std::string::npos);
}

TEST_CASE("an unfinished header waits for more") {
    io::FrameReader reader(100);
    reader.append("1");
    CHECK_FALSE(reader.next().value());
    CHECK(reader.in_frame());
}

TEST_CASE("sockets work in directories with paths longer than a socket address") {
    test::TemporaryDirectory top;
    std::string deep = top.path();
    for (int i = 0; i < 4; ++i)
        deep += "/" + std::string(60, static_cast<char>('a' + i));
    auto directory = io::Directory::make(deep);
    REQUIRE(directory.has_value());
    auto listener = io::listen_local(*directory, "daemon.sock");
    REQUIRE(listener.has_value());
    auto client = io::connect_local(deep, "daemon.sock");
    CHECK(client.has_value());
    CHECK(std::filesystem::status(deep + "/daemon.sock").permissions() ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("connecting where nobody listens fails, without waiting") {
    test::TemporaryDirectory top;
    CHECK(io::connect_local(top.path(), "daemon.sock").error().code ==
          boost::system::errc::no_such_file_or_directory);
}

namespace {

// A framed socket and the bare other end of its connection.
struct Pair {
    test::asio::io_context loop{1};
    std::shared_ptr<io::FramedSocket> framed;
    io::UniqueFd peer;
    std::vector<std::string> frames;
    std::vector<std::string> problems;
    bool gone = false;
    io::FramedSocket::Payloads undelivered;

    explicit Pair(io::FramedSocket::Limits limits = {1000, std::nullopt, std::nullopt}) {
        int fds[2];
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) == 0);
        peer = io::UniqueFd(fds[1]);
        io::FramedSocket::Callbacks callbacks;
        callbacks.on_frame = [this](const auto& socket, std::string frame) {
            frames.push_back(frame);
            if (frame.starts_with("owe")) socket->expect_reply();
        };
        callbacks.on_bad_frame = [this](const auto& socket, std::string problem) {
            problems.push_back(problem);
            socket->send("bad");
        };
        callbacks.on_gone = [this](const auto&, io::FramedSocket::Payloads rest) {
            gone = true;
            undelivered = std::move(rest);
        };
        io::LocalSocket socket(loop, test::asio::local::stream_protocol(), fds[0]);
        framed = std::make_shared<io::FramedSocket>(std::move(socket), limits, callbacks);
        framed->start();
    }
    ~Pair() {
        framed->close();
        loop.run_for(1s);
    }
    void write(std::string_view text) { REQUIRE(io::write_all(peer.get(), text).has_value()); }
    std::string read() {
        char buffer[4096];
        ssize_t size = ::read(peer.get(), buffer, sizeof buffer);
        return size > 0 ? std::string(buffer, static_cast<std::size_t>(size)) : "";
    }
    template<class Condition>
    bool until(Condition condition) {
        auto end = std::chrono::steady_clock::now() + test::patience;
        while (!condition() && std::chrono::steady_clock::now() < end)
            loop.run_one_for(50ms);
        return condition();
    }
};

}  // namespace

TEST_CASE("frames come in and go out in any number") {
    Pair pair;
    pair.write(io::frame("a") + io::frame("b"));
    CHECK(pair.until([&] { return pair.frames.size() == 2; }));
    pair.framed->send("x");
    pair.framed->send("yy");
    CHECK(pair.until([&] { return !pair.framed->has_output(); }));
    CHECK(pair.read() == "1\nx2\nyy");
}

TEST_CASE("a peer that has only ended its sending still gets what is owed") {
    Pair pair;
    pair.write(io::frame("owe"));
    ::shutdown(pair.peer.get(), SHUT_WR);
    CHECK(pair.until([&] { return pair.frames.size() == 1; }));
    pair.loop.run_for(20ms);
    CHECK_FALSE(pair.gone);
    pair.framed->send("late");
    CHECK(pair.until([&] { return pair.gone; }));
    CHECK(pair.read() == "4\nlate");
}

TEST_CASE("a peer that ended its sending and then goes away is noticed") {
    Pair pair;
    pair.write(io::frame("owe"));
    ::shutdown(pair.peer.get(), SHUT_WR);
    CHECK(pair.until([&] { return pair.frames.size() == 1; }));
    pair.loop.run_for(20ms);
    CHECK_FALSE(pair.gone);
    pair.peer.reset();
    CHECK(pair.until([&] { return pair.gone; }));
}

TEST_CASE("a bad frame gets one reply and then the end") {
    Pair pair;
    pair.write("nonsense");
    CHECK(pair.until([&] { return pair.gone; }));
    CHECK(pair.problems.size() == 1);
    CHECK(pair.read() == "3\nbad");
}

TEST_CASE("half a frame is not waited for longer than the limit") {
    Pair pair({1000, 1s, std::nullopt});
    pair.write("10\nhalf");
    CHECK(pair.until([&] { return pair.gone; }));
    CHECK(pair.frames.empty());
}

TEST_CASE("a peer that reads nothing is given up, with what it has not got") {
    Pair pair({1000, std::nullopt, 1s});
    std::string large(8'000'000, 'x');
    pair.framed->send(large);
    pair.framed->send("second");
    CHECK(pair.until([&] { return pair.gone; }));
    REQUIRE(pair.undelivered.size() == 2);
    CHECK(pair.undelivered.back() == "second");
}

TEST_CASE("a frame that is completed while the process is held up is in time") {
    Pair pair({1000, 1s, std::nullopt});
    pair.write("8\nhalf");
    pair.loop.poll();
    std::this_thread::sleep_for(1100ms);
    pair.write("half");
    pair.loop.poll();
    CHECK(pair.frames == std::vector<std::string>{"halfhalf"});
    CHECK_FALSE(pair.gone);
}

TEST_CASE("a peer that reads while the process is held up has made progress") {
    Pair pair({1000, std::nullopt, 1s});
    pair.framed->send(std::string(8'000'000, 'x'));
    pair.loop.poll();
    std::this_thread::sleep_for(1100ms);
    while (!pair.read().empty()) {
    }
    pair.loop.poll();
    CHECK_FALSE(pair.gone);
    CHECK_FALSE(pair.read().empty());
    CHECK(pair.until([&] { return pair.gone; }));  // it does not read any more
}

TEST_CASE("what was sent is the kernel's when send() returns, if there is room") {
    Pair pair;
    for (const char* payload : {"one", "two", "three"}) {
        pair.framed->send(payload);
        CHECK_FALSE(pair.framed->has_output());
    }
    CHECK(pair.read() == "3\none3\ntwo5\nthree");
}

TEST_CASE("what there is no room for is output until the peer has taken it") {
    Pair pair;
    std::string large(1'000'000, 'x');
    pair.framed->send(large);
    pair.framed->send("second");
    CHECK(pair.framed->has_output());
    std::string got;
    auto take_all = [&] {
        for (std::string more = pair.read(); !more.empty(); more = pair.read())
            got += more;
        return !pair.framed->has_output();
    };
    CHECK(pair.until(take_all));
    take_all();
    CHECK((got == io::frame(large) + io::frame("second")));
}

TEST_CASE("what the peer had sent before it went is read, although nothing can be sent any more") {
    Pair pair;
    std::string large(8'000'000, 'x');
    pair.framed->send(large);  // the rest of it can never be written
    pair.write(io::frame("last words"));
    pair.peer.reset();
    CHECK(pair.until([&] { return pair.gone; }));
    CHECK(pair.frames == std::vector<std::string>{"last words"});
    CHECK(pair.undelivered.size() == 1);
}
