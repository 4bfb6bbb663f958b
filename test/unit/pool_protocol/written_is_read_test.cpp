// Whatever a pool's daemon, its agents and its submitters write, the others read: files and frames.
#include "json/json.hpp"
#include "odd_data.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/command_task.hpp"
#include "pool_protocol/kick_request.hpp"
#include "pool_protocol/lease.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/queue_request.hpp"
#include "pool_protocol/session.hpp"
#include "pool_protocol/status.hpp"
#include "seeds.hpp"

using namespace pool_protocol;
using workflow_test::OddData;

namespace {

constexpr std::uint32_t wanted_messages = workflow_test::scaled(3'000, 300);

base::Labels odd_labels(OddData& data) {
    std::vector<std::string> texts;
    for (std::uint32_t left = data.below(base::Labels::max_count + 1); left > 0; --left)
        texts.push_back(std::string(base::Labels::max_length - 2, 'x') + std::to_string(10 + left));
    return *base::Labels::of(std::move(texts));
}

std::string odd_id(OddData& data) {
    return "i" + std::string(data.one_in(2) ? 199 : 1 + data.below(30), '-');
}

AgentReport odd_agents_report(OddData& data) {
    AgentReport report;
    report.kind = data.name();
    report.model = data.bytes();
    report.session = data.bytes();
    report.turns = data.small_number();
    report.input_tokens = data.number();
    if (data.one_in(2)) report.usd = static_cast<double>(data.number());
    report.refused = data.bytes(2000);
    report.transcript = data.bytes(2000);
    report.since = data.number();
    return report;
}

AgentActivity odd_activity(OddData& data) {
    AgentActivity activity;
    activity.text = data.bytes(2000);
    activity.turn = data.small_number();
    activity.output_tokens = data.number();
    if (data.one_in(2)) activity.usd = std::numeric_limits<double>::quiet_NaN();
    activity.since = data.number();
    return activity;
}

Release odd_release(OddData& data) {
    Release release;
    release.reason = static_cast<Release::Reason>(data.below(4));
    release.message = data.text(5000);
    if (data.one_in(2)) release.exit_code = static_cast<int>(data.below(256));
    if (data.one_in(2)) release.failure = "too_large";
    release.is_permanent = data.one_in(2);
    return release;
}

void check_equal(const Release& read, const Release& made) {
    CHECK(read.reason == made.reason);
    CHECK(read.message == made.message);
    CHECK(read.exit_code == made.exit_code);
    CHECK(read.failure == made.failure);
    CHECK(read.is_permanent == made.is_permanent);
}

Answer odd_answer(OddData& data) {
    std::optional<AgentReport> none;
    switch (data.below(6)) {
        case 0:
            return Processed{data.one_in(2) ? data.value() : data.text(5000), AgentName(data.text()), none};
        case 1:
            return TimedOut{AgentName(data.text()), data.text(), none};
        case 2:
            return Stopped{};
        case 3:
            return Invalid{data.text()};
        case 4:
            return AgentFailed{
                AgentName(data.text()), data.text(), static_cast<int>(data.below(256)), {}, "too_large",
                data.one_in(2),         none};
        default:
            return AgentsLost{data.text(), none};
    }
}

Request odd_request(OddData& data) {
    std::variant<Inline, FileReference> payload = Inline{data.one_in(2) ? data.value() : data.text()};
    if (data.one_in(3)) payload = FileReference{"/caf\xC3\xA9 \xE2\x80\xA8\"\n"};
    Request request(data.one_in(2) ? std::optional(odd_id(data)) : std::nullopt, std::move(payload));
    request.labels = odd_labels(data);
    if (data.one_in(2)) request.response_schema = data.object(10);
    request.priority = static_cast<std::int32_t>(data.number(max_priority));
    return request;
}

}  // namespace

TEST_CASE("whatever an agent tells of its work, its report is read") {
    workflow_test::for_each_seed(wanted_messages, {}, [](std::uint32_t seed) {
        OddData data(seed);
        std::string text = to_json(odd_agents_report(data));
        CHECK(text.size() <= longest_report);
        auto read = parse_report(text);
        REQUIRE(read);
        CHECK(to_json(*read) == text);
    });
}

TEST_CASE("whatever an agent does, and why ever it is away, it is read") {
    workflow_test::for_each_seed(wanted_messages, {}, [](std::uint32_t seed) {
        OddData data(seed);
        auto notice = parse_activity_notice(to_json(ActivityNotice{"a1", odd_activity(data)}));
        REQUIRE(notice);
        CHECK(parse_activity_notice(to_json(*notice))->activity == notice->activity);
        AgentAway away{data.name(), odd_labels(data), data.bytes(), UnixTime(data.number(1ULL << 40)),
                       data.bytes()};
        auto read = parse_agent_away(to_json(away));
        REQUIRE(read);
        CHECK(parse_agent_away(to_json(*read)) == read);
    });
}

TEST_CASE("whatever an agent announces, its ready file is read as it was written") {
    workflow_test::for_each_seed(wanted_messages, {}, [](std::uint32_t seed) {
        OddData data(seed);
        Ready made;
        made.name = data.text();
        made.locked = data.one_in(2);
        made.session = data.text();
        made.labels = odd_labels(data);
        made.account = data.text(Ready::max_account);
        if (data.one_in(2)) made.release = odd_release(data);
        Ready read = parse_ready(to_json(made));
        CHECK(read.name == made.name);
        CHECK(read.session == made.session);
        CHECK(read.labels == made.labels);
        CHECK(read.account == made.account);
        REQUIRE(read.release.has_value() == made.release.has_value());
        if (made.release) check_equal(*read.release, *made.release);
        CHECK(read.labels_problem.empty());
    });
}

TEST_CASE("whatever task has whatever agent, its lease is read as it was written and fits into its slot") {
    workflow_test::for_each_seed(wanted_messages, {}, [](std::uint32_t seed) {
        OddData data(seed);
        Lease made;
        made.agent = odd_id(data);
        if (data.one_in(2)) made.submission = odd_id(data);
        made.by_file = data.one_in(2);
        made.assigned = std::chrono::milliseconds(data.number(1'000'000'000'000'000));
        if (data.one_in(2)) made.timeout = std::chrono::milliseconds(data.number(1'000'000'000'000'000));
        made.wants_failures = data.one_in(2);
        made.wants_agent = data.one_in(2);
        made.labels = odd_labels(data);
        made.priority = -static_cast<std::int32_t>(data.number(max_priority));
        std::string line = to_line(made);
        CHECK(line.size() < lease_size);
        auto read = parse_lease(line);
        REQUIRE(read);
        CHECK(to_line(*read) == line);
        CHECK(read->labels == made.labels);
        CHECK(read->timeout == made.timeout);
    });
}

TEST_CASE("whatever is submitted and answered, it is read as it was written") {
    workflow_test::for_each_seed(wanted_messages, {}, [](std::uint32_t seed) {
        OddData data(seed);
        Request request = odd_request(data);
        std::optional<std::string> id;
        auto read = parse_request(to_json(request), id);
        INFO((read ? "" : read.error().message));
        REQUIRE(read.has_value());
        CHECK(read->id == request.id);
        CHECK(read->labels == request.labels);
        CHECK(to_json(*read) == to_json(request));
        Answer answer = odd_answer(data);
        auto back = parse_answer(to_json(answer, request.id));
        REQUIRE(back.has_value());
        CHECK(back->answer == answer);
        CHECK(back->id == request.id);
    });
}

TEST_CASE("whatever a Command and its output are, an agent and the run read them as they were written") {
    workflow_test::for_each_seed(wanted_messages, {}, [](std::uint32_t seed) {
        OddData data(seed);
        CommandEnd end;
        end.how = static_cast<CommandEnd::How>(data.below(5));
        end.code = static_cast<int>(data.below(256));
        end.message = data.text();
        end.output = data.bytes(5000);
        end.error_output = data.text(5000);
        auto read = parse_command_end(to_text(end));
        REQUIRE(read);
        CHECK(read->output == end.output);
        CHECK(read->message == end.message);
        CHECK(read->error_output == end.error_output);
    });
}

TEST_CASE("whatever waits in a queue, the list of it is read as it was written") {
    workflow_test::for_each_seed(wanted_messages, {}, [](std::uint32_t seed) {
        OddData data(seed);
        Queue queue;
        queue.length = 1;
        std::string content = data.one_in(2) ? data.value() : data.bytes(1000);
        queue.tasks.push_back({odd_id(data),
                               task_title(content),
                               UnixTime(data.number(1ULL << 40)),
                               odd_labels(data),
                               -7,
                               true,
                               {data.small_number()},
                               data.text()});
        auto read = parse_queue(to_json(queue));
        REQUIRE(read.has_value());
        REQUIRE(read->tasks.size() == 1);
        CHECK(read->tasks[0].id == queue.tasks[0].id);
        CHECK(read->tasks[0].labels == queue.tasks[0].labels);
        CHECK(to_json(*parse_queue(to_json(*read))) == to_json(*read));
        auto kicked = parse_kick_answer(kick_answer({{odd_id(data), data.text(), KickedAgent::How::told}}));
        REQUIRE(kicked.has_value());
        CHECK(parse_kick_request(kick_request(data.name())).has_value());
    });
}

TEST_CASE("whatever a pool's status has, it is read as it was written") {
    workflow_test::for_each_seed(wanted_messages, {}, [](std::uint32_t seed) {
        OddData data(seed);
        Status status;
        status.pool = data.text();
        status.path = "/" + data.bytes(4096);
        status.pid = data.small_number();
        status.version = data.text();
        status.agents.push_back({odd_id(data),
                                 data.text(),
                                 AgentStatus::State::busy,
                                 odd_id(data),
                                 UnixTime(data.number(1ULL << 40)),
                                 {},
                                 odd_labels(data),
                                 odd_activity(data)});
        status.away.push_back(
            {data.name(), {}, data.bytes(), UnixTime(data.number(1ULL << 40)), data.bytes()});
        auto read = parse_status(to_json(status));
        INFO((read ? "" : read.error().message));
        REQUIRE(read.has_value());
        CHECK(read->pool == status.pool);
        REQUIRE(read->agents.size() == 1);
        CHECK(read->agents[0].activity.has_value());
        CHECK(read->away.size() == 1);
    });
}
