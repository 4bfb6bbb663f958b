#include "pool_protocol/queue_request.hpp"

#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pool_protocol {

namespace {

using NamedChange = std::pair<QueueChange::How, std::string_view>;

constexpr std::array<NamedChange, 6> changes_by_name{{{QueueChange::How::cancelled, "cancelled"},
                                                      {QueueChange::How::moved, "moved"},
                                                      {QueueChange::How::unknown, "unknown"},
                                                      {QueueChange::How::ambiguous, "ambiguous"},
                                                      {QueueChange::How::kept, "kept"},
                                                      {QueueChange::How::same, "same"}}};

// Nothing if one of them is no text.
std::optional<std::vector<std::string>> texts_in(json::View object, std::string_view name) {
    auto list = object.find(name);
    if (!list || !list->is(json::Kind::array)) return std::nullopt;
    std::vector<std::string> texts;
    for (json::View element : list->elements()) {
        if (!element.is(json::Kind::string)) return std::nullopt;
        texts.push_back(element.string());
    }
    return texts;
}

std::string request_text(const ListQueue& request) {
    return base::concat(R"({"kind":"Queue","at_most":)", request.at_most, "}");
}

std::string request_text(const CancelQueued& request) {
    return base::concat(R"({"kind":"Cancel","submissions":)", json::quoted_list(request.submissions), "}");
}

std::string request_text(const MoveQueued& request) {
    return base::concat(R"({"kind":"Move","submissions":)", json::quoted_list(request.submissions),
                        request.before ? base::concat(",\"before\":", json::quote(*request.before)) : "",
                        "}");
}

std::optional<QueueRequest> request_in(json::View object) {
    std::string kind = text_in(object, "kind");
    if (kind == "Queue") return ListQueue{std::min<std::size_t>(count_in(object, "at_most"), max_listed)};
    auto submissions = texts_in(object, "submissions");
    if (!submissions) return std::nullopt;
    if (kind == "Cancel") return CancelQueued{std::move(*submissions)};
    if (kind == "Move") return MoveQueued{std::move(*submissions), string_member(object, "before")};
    return std::nullopt;
}

std::string task_text(const QueuedTask& task) {
    std::string processes;
    for (int process : task.processes)
        processes += base::concat(processes.empty() ? "" : ",", process);
    return base::concat("{\"id\":", json::quote(task.id), ",\"title\":", json::quote(task.title),
                        ",\"since\":", task.since.count(), ",", labels_member("labels", task.labels),
                        "\"priority\":", task.priority, ",", flag("by_file", task.by_file), "\"processes\":[",
                        processes, "],\"program\":", json::quote(task.program), "}");
}

QueuedTask task_in(json::View object) {
    QueuedTask task;
    task.id = on_one_line(text_in(object, "id"));
    task.title = on_one_line(text_in(object, "title"));
    task.since = time_in(object, "since").value_or(UnixTime());
    if (auto labels = labels_in(object.find("labels"))) task.labels = std::move(*labels);
    task.priority = int_member(object, "priority").value_or(0);
    task.by_file = is_true(object.find("by_file"));
    if (auto processes = object.find("processes"); processes && processes->is(json::Kind::array))
        for (json::View process : processes->elements())
            if (process.is(json::Kind::number))
                task.processes.push_back(static_cast<int>(process.integer().value_or(0)));
    task.program = on_one_line(text_in(object, "program"));
    return task;
}

base::Result<json::View> answer_of_kind(std::string_view text, std::string_view kind) {
    auto answer = parse_object(text, "the answer");
    if (answer && text_in(*answer, "kind") != kind)
        return base::invalid(
            "the daemon is of a version that does not show its queue; restart it with this one");
    return answer;
}

std::string beginning_of(std::string_view text) {
    constexpr std::size_t longest = 80;
    constexpr std::string_view ellipsis = "…";
    if (text.size() <= longest) return on_one_line(std::string(text));
    return on_one_line(base::concat(base::cut_to(text, longest - ellipsis.size()), ellipsis));
}

}  // namespace

std::string to_json(const QueueRequest& request) {
    return std::visit([](const auto& one) { return request_text(one); }, request);
}

// Called for every frame of a submitter: most must be rejected without parsing.
std::optional<QueueRequest> parse_queue_request(std::string_view frame) {
    constexpr std::size_t longest = 1 << 20;
    bool is_likely = std::ranges::any_of(
        std::array<std::string_view, 3>{R"({"kind":"Queue")", R"({"kind":"Cancel")", R"({"kind":"Move")"},
        [&](std::string_view beginning) { return frame.starts_with(beginning); });
    if (!is_likely || frame.size() > longest || json::check(frame)) return std::nullopt;
    return request_in(json::View::of(frame));
}

std::string to_json(const Queue& queue) {
    std::string tasks;
    for (const QueuedTask& task : queue.tasks)
        tasks += base::concat(tasks.empty() ? "" : ",", task_text(task));
    return base::concat("{\"kind\":\"Queue\",\"length\":", queue.length, ",",
                        flag("over_hosts", queue.over_hosts), "\"tasks\":[", tasks, "]}");
}

base::Result<Queue> parse_queue(std::string_view text) {
    auto answer = answer_of_kind(text, "Queue");
    if (answer.has_error()) return answer.error();
    Queue queue;
    queue.length = count_in(*answer, "length");
    queue.over_hosts = is_true(answer->find("over_hosts"));
    if (auto tasks = answer->find("tasks"); tasks && tasks->is(json::Kind::array))
        for (json::View task : tasks->elements())
            if (task.is(json::Kind::object)) queue.tasks.push_back(task_in(task));
    return queue;
}

std::string to_json(const std::vector<QueueChange>& changes) {
    std::string out = "{\"kind\":\"QueueChanges\",\"submissions\":[";
    for (const QueueChange& change : changes)
        out +=
            base::concat(out.back() == '[' ? "" : ",", "{\"id\":", json::quote(change.id), ",\"how\":\"",
                         std::ranges::find(changes_by_name, change.how, &NamedChange::first)->second, "\"}");
    return out + "]}";
}

base::Result<std::vector<QueueChange>> parse_queue_changes(std::string_view text) {
    auto answer = answer_of_kind(text, "QueueChanges");
    if (answer.has_error()) return answer.error();
    std::vector<QueueChange> changes;
    auto list = answer->find("submissions");
    if (!list || !list->is(json::Kind::array)) return changes;
    for (json::View element : list->elements()) {
        std::string how = text_in(element, "how");
        auto found = std::ranges::find(changes_by_name, std::string_view(how), &NamedChange::second);
        if (found != changes_by_name.end())
            changes.push_back({on_one_line(text_in(element, "id")), found->first});
    }
    return changes;
}

std::string task_title(std::string_view content) {
    constexpr std::size_t longest_parsed = 64 * 1024;
    auto whole =
        content.size() <= longest_parsed ? json::checked(content) : json::checked(std::string_view("null"));
    auto task = whole ? whole->find("task") : std::nullopt;
    auto kind = task ? string_member(*task, "kind") : std::nullopt;
    if (!kind) return beginning_of(content);
    auto value = task->find("value");
    return beginning_of(value ? base::concat(*kind, " ", json::compact(*value)) : *kind);
}

}  // namespace pool_protocol
