#include "nats_engine/names.hpp"

#include "base/character.hpp"
#include "base/checksum.hpp"
#include "base/hex.hpp"
#include "base/text.hpp"
#include "json/lenient_object.hpp"
#include "json/object_writer.hpp"

#include <algorithm>
#include <limits>

namespace nats_engine {

namespace {

std::string hash_text(std::string_view text) {
    std::uint64_t hash = base::checksum(text);
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(hash >> shift & 0xff);
    return base::to_hex(bytes);
}

std::string label_array(const base::Labels& labels) {
    std::string out = "[";
    for (const std::string& label : labels.texts()) {
        if (out.size() > 1) out += ',';
        json::append_quoted(out, label);
    }
    return out + "]";
}

}  // namespace

bool is_task_id(std::string_view id) {
    constexpr std::size_t longest = 200;
    if (id.empty() || id.size() > longest || !base::is_alphanumeric(id[0])) return false;
    return std::all_of(id.begin(), id.end(),
                       [](char c) { return base::is_alphanumeric(c) || c == '.' || c == '_' || c == '-'; });
}

std::string subject_word(std::string_view id) {
    std::string word(id);
    std::replace(word.begin(), word.end(), '.', '~');
    return word;
}

std::string consumer_name(const edge::Queue& queue) {
    std::int64_t priority = queue.priority;
    return base::concat(priority < 0 ? 'm' : 'p', priority < 0 ? -priority : priority, '_',
                        hash_text(queue.labels.joined(",")));
}

std::string queue_description(const edge::Queue& queue) {
    return json::ObjectWriter()
        .raw("labels", label_array(queue.labels))
        .number("priority", queue.priority)
        .done();
}

std::optional<edge::Queue> parse_queue_description(std::string_view text) {
    auto value = json::checked(text);
    if (!value || !value->is(json::Kind::object)) return std::nullopt;
    json::LenientObject said{*value};
    auto priority = said.of_kind("priority", json::Kind::number);
    auto number = priority ? priority->integer() : std::nullopt;
    auto labels = base::Labels::of(said.texts("labels"));
    using Limits = std::numeric_limits<std::int32_t>;
    if (!said.of_kind("labels", json::Kind::array) || labels.has_error()) return std::nullopt;
    if (!number || *number < Limits::min() || *number > Limits::max()) return std::nullopt;
    return edge::Queue{std::move(*labels), static_cast<std::int32_t>(*number)};
}

Names::Names(const std::string& pool)
    : queue_stream_(base::concat("TROUPE_", pool, "_Q")),
      record_stream_(base::concat("TROUPE_", pool, "_R")),
      tasks_(base::concat("troupe.", pool, ".q.")),
      records_(base::concat("troupe.", pool, ".r.")),
      notices_(base::concat("troupeev.", pool, ".r.")),
      edges_(base::concat("troupectl.", pool, ".edge.")),
      everyone_(base::concat("troupectl.", pool, ".all")) {}

std::string Names::task(std::string_view consumer, const edge::TaskId& task) const {
    return base::concat(tasks_, consumer, '.', subject_word(task.text()));
}

std::string Names::tasks_of(std::string_view consumer) const {
    return base::concat(tasks_, consumer, ".*");
}

std::string Names::record(const edge::TaskId& task) const {
    return records_ + subject_word(task.text());
}

std::string Names::notice(const edge::TaskId& task) const {
    return notices_ + subject_word(task.text());
}

std::string Names::control(const edge::EdgeId& edge) const {
    return edges_ + subject_word(edge.text());
}

std::optional<edge::TaskId> Names::task_of(std::string_view subject) const {
    std::string id(subject.substr(subject.rfind('.') + 1));
    std::replace(id.begin(), id.end(), '~', '.');
    bool is_ours =
        subject.starts_with(tasks_) || subject.starts_with(records_) || subject.starts_with(notices_);
    if (!is_ours || !is_task_id(id)) return std::nullopt;
    return edge::TaskId(std::move(id));
}

std::string Names::kind_of(std::string_view subject) const {
    for (std::string_view begin :
         {std::string_view(tasks_), std::string_view(records_), std::string_view(notices_),
          std::string_view(edges_), std::string_view("$JS.ACK."),
          std::string_view("$JS.API.CONSUMER.MSG.NEXT."),
          std::string_view("$JS.API.CONSUMER.DURABLE.CREATE."), std::string_view("$JS.API.CONSUMER.INFO.")})
        if (subject.starts_with(begin)) return std::string(begin) + ">";
    return std::string(subject);
}

}  // namespace nats_engine
