#include "base/text.hpp"
#include "io/task_group.hpp"
#include "io/unique_fd.hpp"
#include "json/json.hpp"
#include "mcp/server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <catch2/catch.hpp>

#include <array>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace asio = boost::asio;
using namespace mcp;

namespace {

Offer offer() {
    Offer offer;
    offer.name = "test";
    offer.version = "1";
    Tool tool;
    tool.input_schema = tool.output_schema = R"({"type":"object"})";
    for (std::string name : {"wait", "quick", "slow", "broken"}) {
        tool.name = name;
        tool.waits = name == "wait";
        offer.tools.push_back(tool);
    }
    offer.is_subscribable = [](std::string_view) { return false; };
    return offer;
}

// A server with a tool that waits until it is cancelled, one that answers at once, one that takes a while,
// and one with a bug; and the client's end of its connection.
class Served {
  public:
    Served() : server(loop.get_executor(), offer(), handlers()) {
        std::array<int, 2> ends{};
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
        client = io::UniqueFd(ends[0]);
        own = io::UniqueFd(ends[1]);
        ::fcntl(client.get(), F_SETFL, O_NONBLOCK);
        asio::co_spawn(loop, run(), asio::detached);
    }

    void send(std::string_view text) {
        while (!text.empty()) {
            ssize_t size = ::write(client.get(), text.data(), text.size());
            if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
            step();
        }
    }
    void call(int id, std::string_view tool) {
        send(base::concat(R"({"jsonrpc":"2.0","id":)", id, R"(,"method":"tools/call","params":{"name":")",
                          tool, "\"}}\n"));
    }
    void initialize() {
        send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
             "\n");
        wait_for("\"id\":0,");
    }
    void end_input() { ::shutdown(client.get(), SHUT_WR); }
    // Runs the server until it has sent this.
    void wait_for(std::string_view text) {
        while (received.find(text) == std::string::npos)
            step();
    }
    void wait_for_end() {
        while (!has_ended)
            step();
        step();
    }

    std::string received;
    int waiting = 0;
    int cancelled = 0;
    bool has_ended = false;

  private:
    void step() {
        loop.restart();
        loop.run_one_for(std::chrono::milliseconds(10));
        std::array<char, 65536> piece;
        for (ssize_t size; (size = ::read(client.get(), piece.data(), piece.size())) > 0;)
            received.append(piece.data(), static_cast<std::size_t>(size));
    }
    asio::awaitable<void> run() {
        co_await server.run(own.get(), own.get());
        has_ended = true;
    }
    Server::Handlers handlers() {
        return {[this](Start call) { return carry_out(std::move(call)); }, [](CallId) {},
                [](const std::set<std::string>&) {}};
    }
    asio::awaitable<Outcome> carry_out(Start call) {
        std::string tool = std::get<CallTool>(call.what).name;
        if (tool == "broken") throw std::runtime_error("a bug");
        asio::steady_timer timer(loop);
        timer.expires_after(tool == "slow" ? std::chrono::milliseconds(50) : std::chrono::hours(1));
        struct Count {
            Served& served;
            bool is_cancelled = true;
            ~Count() {
                --served.waiting;
                if (is_cancelled) ++served.cancelled;
            }
        } count{*this};
        ++waiting;
        if (tool != "quick") co_await timer.async_wait(asio::use_awaitable);
        count.is_cancelled = false;
        Outcome outcome = ToolResult{base::concat("{\"tool\":\"", tool, "\"}"), {}};
        co_return outcome;
    }

    asio::io_context loop;
    Server server;
    io::UniqueFd client;
    io::UniqueFd own;
};

}  // namespace

TEST_CASE("a tool that waits holds up no other, and is cancelled alone") {
    Served served;
    served.initialize();
    served.call(1, "wait");
    served.call(2, "wait");
    served.call(3, "quick");
    served.wait_for("\"id\":3,\"result\"");
    CHECK(served.waiting == 2);
    served.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
                "\n");
    while (served.cancelled == 0)
        served.send(" \n");
    CHECK(served.waiting == 1);
    served.call(4, "quick");
    served.wait_for("\"id\":4,\"result\"");
    served.end_input();
    served.wait_for_end();
    CHECK(served.cancelled == 2);
    CHECK(served.received.find("\"id\":1,") == std::string::npos);
}

TEST_CASE("a call that is cancelled in the same piece as it is made never waits") {
    Served served;
    served.initialize();
    served.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}})"
                "\n"
                R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
                "\n");
    served.call(2, "quick");
    served.wait_for("\"id\":2,");
    CHECK(served.waiting == 0);
    served.end_input();
    served.wait_for_end();
}

TEST_CASE("the end of the input ends what waits, and what works is still answered") {
    Served served;
    served.initialize();
    served.call(1, "wait");
    served.call(2, "slow");
    served.send(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");  // without a line feed
    served.end_input();
    served.wait_for_end();
    CHECK(served.cancelled == 1);
    CHECK(served.received.find("\"id\":2,\"result\"") != std::string::npos);
    CHECK(served.received.find("\"id\":3,\"result\"") != std::string::npos);
    CHECK(served.received.back() == '\n');
}

TEST_CASE("a line that is too long, and a bug of a tool, are answered, and the server lives on") {
    Served served;
    served.initialize();
    served.send(std::string(Offer().longest_message + 1, ' ') + "\n");
    served.wait_for("-32600");
    served.send(std::string(2 * Offer().longest_message, 'x'));
    served.send("\n\r\n\n");
    served.call(1, "broken");
    served.wait_for("\"id\":1,\"error\":{\"code\":-32603");
    served.call(2, "quick");
    served.wait_for("\"id\":2,\"result\"");
    served.end_input();
    served.wait_for_end();
}

TEST_CASE("a client that does not read gets everything when it does") {
    Served served;
    served.initialize();
    constexpr int many = 5000;
    for (int i = 1; i <= many; ++i)
        served.send(base::concat(R"({"jsonrpc":"2.0","id":)", i, R"(,"method":"tools/list"})", "\n"));
    served.end_input();
    served.wait_for_end();
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = served.received.find('\n', at)) != std::string::npos; ++at)
        ++lines;
    CHECK(lines == many + 1);
}
