// What edges keep in an engine on NATS and say to each other there: what is read and written again is the
// same, whoever has written it first.
#include "fuzz.hpp"
#include "nats_engine/control.hpp"
#include "nats_engine/names.hpp"
#include "nats_engine/record.hpp"

#include <string>

namespace {

using fuzz::must;
using namespace nats_engine;

void use_record(std::string_view input) {
    auto read = parse_record(input);
    if (!read) return;
    must(input.ends_with(read->text), "the text of a record stays as it is");
    std::string written = record_payload(read->entry, read->text);
    auto again = parse_record(written);
    must(again && record_payload(again->entry, again->text) == written, "a record stays the same");
    must(!again->entry.author.edge.text().empty(), "an entry has an author");
}

void use_control(std::string_view input) {
    auto read = parse_control(input);
    if (!read) return;
    std::string written = control_text(*read);
    auto again = parse_control(written);
    must(again && control_text(*again) == written, "a message stays the same");
    const auto* asking = std::get_if<Asking>(&*read);
    must(asking == nullptr || is_task_id(asking->task.text()), "a question is about a task");
}

}  // namespace

void fuzz::target(std::string_view input) {
    use_record(input);
    use_control(input);
    (void)parse_answer(input);
    if (auto queue = parse_queue_description(input))
        must(parse_queue_description(queue_description(*queue)) == queue, "a queue stays the same");
    auto task = Names("p").task_of(input);
    must(!task || is_task_id(task->text()), "a task has a proper id");
}
