// What an edge gathers in a turn of the event loop, and what must not wait for the end of it.
#include "base/text.hpp"
#include "edge_shell/edge.hpp"
#include "io/bell.hpp"
#include "io_helper.hpp"

namespace asio = boost::asio;
using edge_shell::Edge;
using edge_shell::Engine;

namespace {

// Keeps what it was asked for, and the notes as they were on the disk at that time. Answers nothing by
// itself.
class StubEngine final : public Engine {
  public:
    explicit StubEngine(asio::any_io_executor executor, std::string notes)
        : bell_(executor), notes_(std::move(notes)) {}

    asio::awaitable<void> run(Callbacks callbacks) override {
        report = std::move(callbacks);
        report.on_connected({1});
        report.on_queues({{}});
        while (true)
            co_await bell_.wait();
    }
    std::size_t max_text_bytes() const override { return 1000; }
    std::string name() const override { return "stub"; }
    std::optional<std::chrono::microseconds> lag() const override { return std::nullopt; }

    void write(const edge::Write& write, std::string text, std::function<void(edge::Written)> done) override {
        carried_out("write");
        writes.push_back({write, std::move(text), std::move(done)});
    }
    void look_up(const edge::LookUp&, const edge::Queue&,
                 std::function<void(edge::LookedUp found, std::string text)>) override {
        carried_out("look up");
    }
    void ask(const edge::Ask&, std::function<void(edge::OwnerReplied)>) override { carried_out("ask"); }
    void search(const edge::Search&, std::function<void(edge::Searched)>) override { carried_out("search"); }
    void publish(const edge::submitter_side::Publish&, std::string,
                 std::function<void(edge::submitter_side::Published, std::string)>) override {
        carried_out("publish");
    }
    void remove(const edge::submitter_side::Remove&,
                std::function<void(edge::submitter_side::Removed)>) override {
        carried_out("remove");
    }
    void purge(const edge::submitter_side::Purge&,
               std::function<void(edge::submitter_side::Removed)>) override {
        carried_out("purge");
    }
    void ask_all(Patience, std::function<void(std::vector<std::string> replies)>) override {}
    void pull(const edge::agent_side::Pull& pull) override { pulls.push_back(pull); }
    void end_pull(edge::PullId) override {}
    void extend(const edge::agent_side::Extend&) override {}
    void settle(const edge::Settle&) override { carried_out("settle"); }
    void join(const edge::submitter_side::Join&) override {}
    void notify(const edge::submitter_side::Notify&) override {}
    void tell(const edge::TaskId&, std::string_view) override {}
    void watch(const edge::TaskId&) override {}
    void unwatch(const edge::TaskId&) override {}

    struct Written {
        edge::Write write;
        std::string text;
        std::function<void(edge::Written)> done;
    };
    struct Call {
        std::string what;
        std::string notes;
    };

    Callbacks report;
    std::vector<Written> writes;
    std::vector<edge::agent_side::Pull> pulls;
    std::vector<Call> calls;

  private:
    void carried_out(std::string what) { calls.push_back({std::move(what), test::content(notes_)}); }

    io::Bell bell_;
    std::string notes_;
};

struct World {
    World() {
        auto engine =
            std::make_unique<StubEngine>(loop.get_executor(), directory.path_of(edge_shell::journal_name));
        stub = engine.get();
        Edge::Callbacks callbacks;
        callbacks.on_assign = [this](const edge_shell::Assignment& task) {
            assigned.push_back(task.task);
            idle -= 1;
            edge->idle_changed();
        };
        callbacks.on_recall = [this](const edge::TaskId& task, bool) { recalled.push_back(task); };
        callbacks.idle_agents = [this] { return std::vector<edge::agent_side::IdleAgents>{{{}, idle}}; };
        callbacks.work_of = [](const edge::TaskId&) { return edge_shell::Work{"{}", "", false, false, {}}; };
        callbacks.on_answer = [](const edge::TaskId&, const pool_protocol::Answer&) {};
        callbacks.on_delivered = [] {};
        auto opened = Edge::open(loop.get_executor(), directory, "e", {}, std::move(engine), callbacks);
        REQUIRE(opened.has_value());
        edge = std::move(*opened);
        edge->start();
        settle();
    }
    ~World() { test::run(loop, edge->stop(std::chrono::milliseconds(0))); }

    void settle() {
        loop.restart();
        loop.poll();
    }
    void deliver(const std::string& task, const std::string& content = "{}") {
        stub->report.on_delivered({stub->pulls.back().pull,
                                   task,
                                   "d-" + task,
                                   {},
                                   edge_shell::to_body({content, "", false, false, {}})});
    }
    void is_written(std::size_t number) {
        auto& one = stub->writes.at(number);
        one.done({one.write.task, one.write.request, edge::WriteResult::written, 1});
    }

    test::TemporaryDirectory temporary;
    io::Directory directory = *io::Directory::open(temporary.path());
    asio::io_context loop;
    StubEngine* stub = nullptr;
    std::unique_ptr<Edge> edge;
    std::size_t idle = 3;
    std::vector<edge::TaskId> assigned;
    std::vector<edge::TaskId> recalled;
};

}  // namespace

TEST_CASE("the notes of all that was submitted in a turn are on the disk before the first publication") {
    World world;
    world.edge->submitted("t1", {});
    world.edge->submitted("t2", {});
    CHECK(world.stub->calls.empty());
    world.settle();
    REQUIRE(world.stub->calls.size() == 2);
    for (const auto& call : world.stub->calls) {
        CHECK(call.what == "publish");
        CHECK(call.notes.find("submitter/t1 ") != std::string::npos);
        CHECK(call.notes.find("submitter/t2 ") != std::string::npos);
    }
}

TEST_CASE("claims that are confirmed in one turn are given to the pool, and their notes say so before") {
    World world;
    REQUIRE(world.stub->pulls.size() == 1);
    CHECK(world.stub->pulls[0].count == 3);
    world.deliver("t1");
    world.deliver("t2");
    world.settle();
    REQUIRE(world.stub->writes.size() == 2);
    CHECK(world.stub->calls[0].notes.find("agent/t2 ") != std::string::npos);
    world.is_written(0);
    world.is_written(1);
    CHECK(world.assigned.empty());
    world.settle();
    CHECK(world.assigned == std::vector<edge::TaskId>{"t1", "t2"});
    CHECK(world.edge->note("t1")->task.stage == edge::agent_side::Stage::assigned);
}

TEST_CASE("a task that no agent has is released before anything else happens") {
    World world;
    world.deliver("t1");
    world.settle();
    world.is_written(0);
    world.settle();
    REQUIRE(world.assigned.size() == 1);
    {
        auto held = world.edge->hold();
        world.edge->unassigned("t1", {1, 0});
        CHECK(world.recalled.empty());
    }
    CHECK(world.recalled == std::vector<edge::TaskId>{"t1"});
    CHECK(world.stub->writes.back().write.entry.kind == edge::EntryKind::released);
}

TEST_CASE("a task that comes back in the turn in which it is given up has its contents") {
    World world;
    world.deliver("t1", "1");
    world.settle();
    world.is_written(0);
    world.settle();
    world.edge->unassigned("t1", {1, 0});
    world.is_written(1);  // that it is released
    world.deliver("t1", "2");
    world.settle();
    world.is_written(2);
    world.settle();
    REQUIRE(world.assigned == std::vector<edge::TaskId>{"t1", "t1"});
    REQUIRE(world.edge->work("t1") != nullptr);
    CHECK(world.edge->work("t1")->content == "2");
}

TEST_CASE("an answer is on the disk when the edge has got it, and is written to the record afterwards") {
    World world;
    world.deliver("t1");
    world.settle();
    world.is_written(0);
    world.settle();
    world.edge->answered("t1", pool_protocol::Processed{"[]", "a", {}});
    const std::string notes = test::content(world.directory.path_of(edge_shell::journal_name));
    CHECK(notes.find("\"answered\"") != std::string::npos);
    CHECK(world.stub->writes.size() == 1);
    world.settle();
    REQUIRE(world.stub->writes.size() == 2);
    CHECK(world.stub->writes[1].write.entry.kind == edge::EntryKind::outcome);
    CHECK_FALSE(world.stub->writes[1].text.empty());
}
