// Whatever the commands write about runs, they read: records, answers that are kept, and the messages of the
// control socket.
#include "json/json.hpp"
#include "odd_data.hpp"
#include "runs/control_message.hpp"
#include "runs/kept_answer.hpp"
#include "runs/run_record.hpp"
#include "seeds.hpp"

using namespace runs;
using workflow_test::OddData;

namespace {

constexpr std::uint32_t wanted = workflow_test::scaled(3'000, 300);

Time odd_time(OddData& data) {
    return Time(std::chrono::milliseconds(data.number(10'000'000'000'000)));
}

std::optional<RunEnd> odd_end(OddData& data) {
    if (data.one_in(2)) return std::nullopt;
    return RunEnd{odd_time(data), data.small_number(), data.text()};
}

RunRecord odd_record(OddData& data) {
    RunRecord made;
    made.id = data.name();
    made.name = data.text();
    made.config = data.bytes(4096);
    made.directory = data.bytes(4096);
    if (data.one_in(2)) made.parameters = data.object();
    for (std::uint32_t left = data.below(5); left > 0; --left)
        made.options.push_back(data.bytes());
    made.user = data.text();
    made.host = data.text();
    made.process = {data.small_number(), data.number(), data.text()};
    made.version = data.text();
    made.resumes = data.text();
    made.retries = data.text();
    made.reuses = data.text();
    made.state_log = data.bytes(4096);
    made.started = odd_time(data);
    made.is_paused = data.one_in(2);
    made.tasks = {data.number(), data.number(), data.number(), data.number()};
    if (data.one_in(2)) made.usd = static_cast<double>(data.number()) / 7e5;
    made.price_list = data.text();
    if (data.one_in(2)) made.busy_agents = data.number();
    made.end = odd_end(data);
    return made;
}

HumanAnswer odd_answer(OddData& data) {
    HumanAnswer answer{data.number(), "ann \xE2\x80\xA8\"", {}, ""};
    if (data.one_in(2))
        answer.response = data.one_in(2) ? data.array() : data.text();
    else
        answer.reason = data.name();
    return answer;
}

ControlMessage odd_message(OddData& data) {
    switch (data.below(5)) {
        case 0:
            return Table{{data.text(), data.text(), ""}};
        case 1:
            return Text{data.text()};
        case 2:
            return State{data.object(json::max_depth - 1)};
        case 3:
            return Reply{data.one_in(2), data.text()};
        default:
            return Ended{data.small_number()};
    }
}

}  // namespace

TEST_CASE("whatever stands in a record of a run, it is read as it was written") {
    workflow_test::for_each_seed(wanted, {}, [](std::uint32_t seed) {
        OddData data(seed);
        RunRecord made = odd_record(data);
        CHECK(parse_run_record(to_json(made)) == made);
    });
}

TEST_CASE("a record with names and sums that JSON cannot have is read nevertheless") {
    workflow_test::for_each_seed(wanted, {}, [](std::uint32_t seed) {
        OddData data(seed);
        RunRecord made = odd_record(data);
        made.name = data.bytes();
        made.user = data.bytes();
        made.host = data.bytes();
        made.usd = data.one_in(2) ? std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::quiet_NaN();
        auto read = parse_run_record(to_json(made));
        REQUIRE(read);
        CHECK(read->state_log == made.state_log);
        CHECK(to_json(*read) == to_json(made));
    });
}

TEST_CASE("whatever a person answers, it is read as it was kept") {
    workflow_test::for_each_seed(wanted, {}, [](std::uint32_t seed) {
        OddData data(seed);
        KeptAnswer kept{odd_answer(data), odd_time(data)};
        auto read = parse_kept_answer(to_json(kept));
        REQUIRE(read.has_value());
        CHECK(*read == kept);
    });
}

TEST_CASE("whatever a run and its viewers say to each other, it is read as it was written") {
    workflow_test::for_each_seed(wanted, {}, [](std::uint32_t seed) {
        OddData data(seed);
        ControlRequest request = odd_answer(data);
        auto read_request = parse_control_request(to_json(request));
        REQUIRE(read_request.has_value());
        CHECK(*read_request == request);
        ControlMessage message = odd_message(data);
        CHECK(parse_control_message(to_json(message)) == message);
    });
}
