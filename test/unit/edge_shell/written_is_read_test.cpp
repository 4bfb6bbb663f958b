// Whatever an edge notes about its tasks, its next process reads.
#include "edge_shell/journal_lines.hpp"
#include "edge_shell/notes.hpp"
#include "odd_data.hpp"
#include "seeds.hpp"

using workflow_test::OddData;

namespace {

constexpr std::uint32_t wanted_notes = workflow_test::scaled(3'000, 300);

edge_shell::AgentNote odd_note(OddData& data) {
    edge_shell::AgentNote note;
    note.task.task = "t" + std::to_string(data.number());
    note.task.queue.priority = static_cast<std::int32_t>(data.number(1'000'000));
    if (data.one_in(2)) note.task.timeout = std::chrono::milliseconds(data.number(1ULL << 42));
    note.task.delivery = data.text();
    note.task.nonce = {data.number(std::numeric_limits<std::uint64_t>::max()), data.number()};
    note.task.setbacks = {data.small_number(), data.small_number()};
    note.task.stage = edge::agent_side::Stage::answered;
    note.answer = data.one_in(2) ? data.value() : data.text(5000);
    if (data.one_in(2)) note.ending_agent = "a1";
    return note;
}

}  // namespace

TEST_CASE("whatever an agent has answered, the note of it is read from the journal as it was written") {
    workflow_test::for_each_seed(wanted_notes, {}, [](std::uint32_t seed) {
        OddData data(seed);
        edge_shell::AgentNote made = odd_note(data);
        std::string key = "agent/" + made.task.task.text();
        std::string line;
        edge_shell::append_put(line, key, edge_shell::to_json(made));
        REQUIRE(line.find('\n') + 1 == line.size());
        auto entry = edge_shell::parse_journal_line(std::string_view(line).substr(0, line.size() - 1));
        REQUIRE(entry);
        CHECK(entry->key == key);
        auto read = edge_shell::parse_agent_note(*entry->text);
        INFO((read ? "" : read.error().message));
        REQUIRE(read.has_value());
        CHECK(read->answer == made.answer);
        CHECK(read->task.timeout == made.task.timeout);
        CHECK(read->task.delivery == made.task.delivery);
        CHECK(read->task.nonce == made.task.nonce);
        CHECK(read->task.setbacks == made.task.setbacks);
    });
}
