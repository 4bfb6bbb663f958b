// Whatever happens in a run, its state log is read as it was written.
#include "config/load.hpp"
#include "json/json.hpp"
#include "log_text.hpp"
#include "odd_data.hpp"
#include "seeds.hpp"
#include "statelog/usage_note.hpp"

using workflow_test::OddData;

namespace {

constexpr std::uint32_t wanted_logs = workflow_test::scaled(3'000, 300);

const config::WorkflowConfig& config_of_log() {
    static const auto loaded = config::load_text(config_text, "test", "/");
    return *loaded.config;
}

statelog::Time odd_time(OddData& data) {
    return statelog::Time(std::chrono::milliseconds(data.number(10'000'000'000'000)));
}

pool_protocol::AgentReport odd_report(OddData& data) {
    pool_protocol::AgentReport report;
    report.kind = data.name();
    report.model = data.bytes();
    report.session = data.bytes();
    report.repairs = data.small_number();
    report.turns = data.small_number();
    report.input_tokens = data.number();
    report.output_tokens = data.number();
    if (data.one_in(2)) report.usd = std::numeric_limits<double>::infinity();
    report.price_list = data.bytes();
    report.refused = data.bytes(2000);
    report.transcript = data.bytes(2000);
    report.agents = data.small_number();
    report.since = data.number();
    return report;
}

workflow::Failure odd_failure(OddData& data) {
    using Kind = workflow::Failure::Kind;
    workflow::Failure failure;
    failure.kind = static_cast<Kind>(data.below(9));
    failure.message = data.bytes(2000);
    bool ends_by_code = failure.kind == Kind::command_failed || failure.kind == Kind::agent_failed;
    if (ends_by_code) (data.one_in(2) ? failure.exit_code : failure.signal) = data.small_number();
    if (failure.kind == Kind::hook_failed) failure.hook = "post";
    if (failure.kind == Kind::past_bound) failure.name = "max_tasks";
    if (failure.kind == Kind::agent_failed) failure.name = "too_large";
    if (data.one_in(2)) failure.response = data.bytes(2000);
    return failure;
}

workflow::TaskCompleted odd_completion(OddData& data) {
    workflow::TaskCompleted done{{0}, workflow::Succeeded{}};
    if (data.one_in(2)) done.outcome = workflow::Failed{odd_failure(data), {}};
    if (data.one_in(2)) done.report = std::make_shared<const pool_protocol::AgentReport>(odd_report(data));
    if (data.one_in(4))
        done.reused = std::make_shared<const workflow::ReusedFrom>(
            workflow::ReusedFrom{data.bytes(), {data.number(1ULL << 50)}});
    if (data.one_in(4))
        done.answered = std::make_shared<const workflow::AnsweredBy>(workflow::AnsweredBy{data.bytes()});
    if (data.one_in(2)) done.agent = std::make_shared<const std::string>("a" + data.bytes(400));
    return done;
}

// The log of a run with one task.
std::string odd_log(OddData& data, const statelog::Header& header, const std::string& value,
                    const workflow::TaskCompleted& done) {
    std::string log;
    statelog::append_header(log, header, odd_time(data));
    workflow::TaskSubmitted task{
        {0}, {1}, std::make_shared<const std::string>(value), {}, workflow::Initial{}};
    statelog::append_record(log, config_of_log(), task, odd_time(data));
    statelog::append_record(log, config_of_log(), done, odd_time(data), odd_time(data));
    return log;
}

// What was read, written once more.
std::string again(const std::string& line) {
    auto read = statelog::read_record(config_of_log(), std::string_view(line).substr(0, line.size() - 1));
    REQUIRE(read.has_value());
    std::string text;
    statelog::append_record(text, config_of_log(), read->entry, *read->time, read->started);
    return text;
}

}  // namespace

TEST_CASE("whatever the values, failures and names of a run are, its log is read as it was written") {
    workflow_test::for_each_seed(wanted_logs, {}, [](std::uint32_t seed) {
        OddData data(seed);
        statelog::Header header{config_text, "/" + data.bytes(4096), data.name(), 1};
        if (data.one_in(2)) header.reuses = statelog::Reuses{data.text(), "/" + data.bytes(4096)};
        std::string value = data.value();
        workflow::TaskCompleted done = odd_completion(data);
        std::vector<std::string> values;
        statelog::Replay replay("LOG", [&](const statelog::Replay&, const statelog::Record& record) {
            const auto* task = std::get_if<workflow::TaskSubmitted>(&record.entry);
            if (task) values.push_back(*task->value);
        });
        auto fed = replay.feed(odd_log(data, header, value, done));
        INFO((fed ? "" : fed.error().message));
        REQUIRE(fed.has_value());
        REQUIRE(replay.finish().has_value());
        CHECK(replay.header().directory == header.directory);
        CHECK(replay.header().run_id == header.run_id);
        if (header.reuses) CHECK(replay.header().reuses->state_log == header.reuses->state_log);
        CHECK(values == std::vector{value});
        CHECK(replay.state().tasks.empty());
    });
}

TEST_CASE("whatever an entry has, it is the same after it was read and written again") {
    workflow_test::for_each_seed(wanted_logs, {}, [](std::uint32_t seed) {
        OddData data(seed);
        workflow::TaskCompleted done = odd_completion(data);
        std::string line;
        statelog::append_record(line, config_of_log(), done, odd_time(data), odd_time(data));
        CHECK(again(line) == line);
        CHECK((line.find("\"report\":") != std::string::npos) == (done.report != nullptr));
        auto read = statelog::read_record(config_of_log(), std::string_view(line).substr(0, line.size() - 1));
        const auto& completed = std::get<workflow::TaskCompleted>(read->entry);
        CHECK((completed.report != nullptr) == (done.report != nullptr));
        CHECK((completed.agent != nullptr) == (done.agent != nullptr));
        CHECK((completed.answered != nullptr) == (done.answered != nullptr));
        CHECK((completed.reused != nullptr) == (done.reused != nullptr));
    });
}

TEST_CASE("whatever agents have used so far, it is read as it was noted") {
    workflow_test::for_each_seed(wanted_logs, {}, [](std::uint32_t seed) {
        OddData data(seed);
        statelog::UsageNote note;
        note.task = {data.number(1ULL << 50)};
        note.used.turn = data.small_number();
        note.used.input_tokens = data.number();
        note.used.price_list = data.bytes();
        if (data.one_in(2)) note.used.usd = static_cast<double>(data.number());
        note.used.since = data.number();
        std::string line;
        statelog::append_usage_note(line, note, odd_time(data));
        CHECK(statelog::is_usage_note(line.substr(0, line.size() - 1)));
        auto read = statelog::read_usage_note(line.substr(0, line.size() - 1));
        REQUIRE(read.has_value());
        CHECK(read->task == note.task);
        std::string text;
        statelog::append_usage_note(text, *read, read->time);
        CHECK(text == line);
    });
}
