// An agent and a submitter of this project, and the daemon between them: the schema of the response, and the
// report of the agent.
#include "io_helper.hpp"
#include "pool_client/agent.hpp"
#include "pool_client/submitter.hpp"
#include "pool_daemon/daemon.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <string>

using namespace test;
using pool_client::AgentTraits;
using pool_client::Assignment;
using pool_protocol::AgentReport;
using pool_protocol::Answer;

namespace {

const std::string schema = R"({"type": "array"})";

struct World {
    World() {
        auto started = pool_daemon::Daemon::start(loop.get_executor(), watch, directory, {});
        REQUIRE(started.has_value());
        daemon = std::move(*started);
        submitter.emplace(loop.get_executor(), watch, directory, pool_client::SubmitterOptions{});
    }

    void submit() {
        asio::co_spawn(
            loop,
            submitter->submit(pool_client::new_id(), std::string("1"),
                              pool_client::SubmitTraits(base::Labels(), schema)),
            [this](std::exception_ptr, base::Result<Answer> result) { answer = std::move(*result); });
    }

    // Takes the task, and responds to it with the report.
    void serve(AgentTraits traits, std::optional<AgentReport> report) {
        run(loop, take(std::move(traits)));
        REQUIRE(pool_client::respond(directory, assignment, "[]", report).has_value());
        while (!answer)
            loop.run_one();
    }

    void end() { run(loop, shut_down()); }

    asio::awaitable<void> take(AgentTraits traits) {
        auto got = co_await pool_client::get_task(watch, directory, std::move(traits));
        assignment = std::move(*got);
    }
    asio::awaitable<void> shut_down() {
        co_await submitter->shutdown();
        co_await daemon->stop();
    }

    TemporaryDirectory root;
    pool_protocol::PoolDirectory directory = *pool_protocol::locate(root / "root", "p");
    asio::io_context loop{1};
    io::DirectoryWatch watch{loop.get_executor()};
    std::unique_ptr<pool_daemon::Daemon> daemon;
    std::optional<pool_client::Submitter> submitter;
    Assignment assignment;
    std::optional<Answer> answer;
};

AgentReport sample_report() {
    AgentReport report;
    report.kind = "claude";
    report.turns = 7;
    return report;
}

}  // namespace

TEST_CASE("an agent that wants it gets the schema of the response, and its report reaches the submitter") {
    World world;
    AgentTraits traits;
    traits.wants_schema = traits.reports = true;
    world.submit();
    world.serve(traits, sample_report());
    CHECK(world.assignment.response_schema == schema);
    CHECK(std::get<pool_protocol::Processed>(*world.answer).report == sample_report());
    world.end();
    CHECK(std::filesystem::is_empty(world.directory.agents()));
}

TEST_CASE("an agent that asks for nothing gets a task without a schema") {
    World world;
    world.submit();
    world.serve({}, std::nullopt);
    CHECK(world.assignment.response_schema.empty());
    CHECK_FALSE(std::get<pool_protocol::Processed>(*world.answer).report);
    world.end();
    CHECK(std::filesystem::is_empty(world.directory.agents()));
}
