#include "story.hpp"

#include <array>
#include <cstdio>

namespace hosts {

namespace {

constexpr std::array trace_names{"none", "ended", "over", "awaited", "held"};
constexpr std::array entry_names{"claimed", "released", "withdrawn", "reopened", "outcome"};
constexpr std::array agent_events{"Recovered", "Connected", "Disconnected", "Idle",      "Queues",
                                  "Delivered", "PullEnded", "Written",      "LookedUp",  "Replied",
                                  "Asked",     "Searched",  "Sought",       "Answered",  "Unassigned",
                                  "Ended",     "Check",     "Draining",     "TimePassed"};
constexpr std::array agent_actions{"Pull",   "EndPull",    "Extend", "Write", "LookUp", "Ask",    "Reply",
                                   "Search", "TraceReply", "Settle", "Note",  "Forget", "Assign", "Recall"};
constexpr std::array submitter_events{"Recovered", "Connected", "Disconnected", "Submitted", "Withdrawn",
                                      "Consumed",  "Published", "Removed",      "Written",   "LookedUp",
                                      "Replied",   "Searched",  "Sought",       "Noticed",   "Joined",
                                      "Stopping",  "TimePassed"};
constexpr std::array submitter_actions{"Note",   "NoteClosed", "Forget", "Publish",    "Write",
                                       "LookUp", "Ask",        "Search", "TraceReply", "Answer",
                                       "Join",   "Notify",     "Remove", "Purge"};

std::string author(const edge::Author& author) {
    return author.edge.text() + "#" + std::to_string(author.nonce.number) + "/" +
           std::to_string(author.nonce.start % 1000);
}

std::string record(const edge::Record& record) {
    return " v" + std::to_string(record.version) + (record.last ? " " + describe(*record.last) : " nothing");
}

// What most of them have.
template<class What>
std::string members(const What& what) {
    std::string text;
    if constexpr (requires { what.task; }) text += " " + what.task.text();
    if constexpr (requires { what.delivery.text(); }) text += " by " + what.delivery.text();
    if constexpr (requires { what.pull; }) text += " pull " + std::to_string(what.pull.value);
    if constexpr (requires { what.expected; })
        text += " v" + std::to_string(what.expected) + " " + describe(what.entry);
    if constexpr (requires { what.result; }) text += " " + std::to_string(static_cast<int>(what.result));
    if constexpr (requires { what.reply; }) text += " " + std::to_string(static_cast<int>(what.reply));
    if constexpr (requires { what.trace; })
        text += " " + std::string(trace_names.at(static_cast<std::size_t>(what.trace)));
    if constexpr (requires { what.is_repeated; }) text += what.is_repeated ? " repeated" : "";
    if constexpr (requires { what.has; }) text += what.has ? " yes" : " no";
    if constexpr (requires { what.outcome; }) text += " " + std::to_string(static_cast<int>(what.outcome));
    if constexpr (requires { what.again; }) text += what.again ? " again" : " done";
    if constexpr (requires { what.was_lost; }) text += what.was_lost ? " was lost" : "";
    if constexpr (requires { what.owner.edge; }) text += " of " + author(what.owner);
    if constexpr (requires { what.record; }) text += record(what.record);
    if constexpr (requires { what.found; }) {
        if (!what.found) return text + " unknown";
        text += record(what.found->record) + (what.found->is_queued ? " queued" : "");
    }
    return text;
}

template<class Variant, class Names>
std::string line(const Variant& any, const Names& names) {
    static_assert(std::variant_size_v<Variant> == std::tuple_size_v<Names>);
    return names[any.index()] + std::visit([](const auto& what) { return members(what); }, any);
}

}  // namespace

std::string describe(const edge::Entry& entry) {
    std::string text = entry_names[static_cast<std::size_t>(entry.kind)];
    text += " by " + author(entry.author);
    if (entry.kind == edge::EntryKind::outcome) text += " " + std::to_string(static_cast<int>(entry.outcome));
    if (entry.owner) text += " owner " + author(*entry.owner);
    return text;
}

std::string describe(const edge::agent_side::Event& event) {
    return "<- " + line(event, agent_events);
}
std::string describe(const edge::agent_side::Action& action) {
    return "   -> " + line(action, agent_actions);
}
std::string describe(const edge::submitter_side::Event& event) {
    return "s <- " + line(event, submitter_events);
}
std::string describe(const edge::submitter_side::Action& action) {
    return "s    -> " + line(action, submitter_actions);
}

void print(Time now, const std::string& who, const std::string& what) {
    double seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
    std::printf("%10.4f %s %s\n", seconds, who.c_str(), what.c_str());
}

}  // namespace hosts
