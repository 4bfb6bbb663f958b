#include "nats_engine/probes.hpp"

#include "base/text.hpp"
#include "json/object_writer.hpp"
#include "nats/api.hpp"
#include "nats/headers.hpp"

namespace nats_engine {

namespace {

using Verdict = edge_shell::Finding::Verdict;

// No stream has this name, so none stores the message.
std::string never_stored() {
    return nats::Headers().add("Nats-Expected-Stream", Names::tried_word).block();
}

// `"a", "b"`, each once.
std::string quoted_list(const std::vector<std::string>& patterns) {
    std::string out;
    for (const std::string& pattern : patterns) {
        std::string quoted = base::concat('"', pattern, '"');
        if (out.find(quoted) != out.npos) continue;
        if (!out.empty()) out += ", ";
        out += quoted;
    }
    return out;
}

// "troupe.p.r.x" is one of "troupe.p.>".
std::string pattern_of(std::string_view subject) {
    std::size_t second_dot = subject.find('.', subject.find('.') + 1);
    return base::concat(subject.substr(0, second_dot), ".>");
}

template<class Tried>
std::vector<std::string> missing(const std::vector<Tried>& all, const std::set<std::string>& refused) {
    std::vector<std::string> patterns;
    for (const Tried& tried : all)
        if (refused.contains(tried.subject)) patterns.push_back(tried.permission);
    return patterns;
}

}  // namespace

std::vector<Publication> tried_publications(const Names& names, const edge::EdgeId& self) {
    const std::string& queue = names.queue_stream();
    const std::string& records = names.record_stream();
    const std::string word(Names::tried_word);
    std::string task = names.tried_task(consumer_name({}));
    std::string of_pool = pattern_of(task);
    std::string control = pattern_of(names.everyone());
    std::string of_consumers = base::concat("$JS.API.CONSUMER.*.", queue);
    std::vector<Publication> all{
        {task, never_stored(), {}, of_pool},
        {names.tried_record(), never_stored(), {}, of_pool},
        {names.control(self), {}, "{}", control},
        {names.everyone(), {}, "{}", control},
        {names.tried_notice(), {}, {}, names.all_notices()},
        {base::concat("_INBOX.", word), {}, {}, "_INBOX.>"},
        {base::concat("$JS.ACK.", queue, '.', word, ".1.1.1.1.0"),
         {},
         {},
         base::concat("$JS.ACK.", queue, ".>")},
        {base::concat("$JS.API.CONSUMER.LIST.", queue), {}, {}, of_consumers},
        {base::concat("$JS.API.CONSUMER.INFO.", queue, '.', word), {}, {}, of_consumers + ".>"},
        {base::concat("$JS.API.CONSUMER.DURABLE.CREATE.", queue, '.', word),
         {},
         "{}",
         base::concat("$JS.API.CONSUMER.*.*.", queue, ".>")},
        {base::concat("$JS.API.CONSUMER.MSG.NEXT.", queue, '.', word),
         {},
         {},
         base::concat("$JS.API.CONSUMER.*.*.", queue, ".>")}};
    for (const std::string& stream : {queue, records}) {
        for (const char* call : {"INFO", "CREATE", "UPDATE"})
            all.push_back({base::concat("$JS.API.STREAM.", call, '.', stream),
                           {},
                           "{}",
                           base::concat("$JS.API.STREAM.*.", stream)});
        all.push_back({base::concat("$JS.API.STREAM.PURGE.", stream),
                       {},
                       json::ObjectWriter().text("filter", names.tried_record()).done(),
                       base::concat("$JS.API.STREAM.*.", stream)});
        for (const char* call : {"GET", "DELETE"})
            all.push_back({base::concat("$JS.API.STREAM.MSG.", call, '.', stream),
                           {},
                           "{}",
                           base::concat("$JS.API.STREAM.MSG.*.", stream)});
    }
    return all;
}

std::vector<TriedSubscription> tried_subscriptions(const Names& names, const edge::EdgeId& self) {
    std::vector<TriedSubscription> all{{base::concat("_INBOX.", Names::tried_word), "_INBOX.>", true}};
    for (const std::string& subject : {names.control(self), names.everyone(), names.tried_notice()})
        all.push_back({subject, pattern_of(subject), true});
    for (const std::string& stream : {names.queue_stream(), names.record_stream()}) {
        std::string subject = base::concat("$JS.EVENT.ADVISORY.STREAM.DELETED.", stream);
        all.push_back({subject, subject, false});
    }
    return all;
}

edge_shell::Finding permissions_finding(const std::vector<Publication>& publications,
                                        const std::set<std::string>& refused_publications,
                                        const std::vector<TriedSubscription>& subscriptions,
                                        const std::set<std::string>& refused_subscriptions) {
    auto publish = missing(publications, refused_publications);
    auto subscribe = missing(subscriptions, refused_subscriptions);
    bool is_needed = !publish.empty();
    for (const TriedSubscription& tried : subscriptions)
        is_needed = is_needed || (tried.is_needed && refused_subscriptions.contains(tried.subject));
    if (publish.empty() && subscribe.empty())
        return {Verdict::right, "permissions", "the user may do all that a host of the pool does"};
    std::string text = "the user needs more permissions:";
    if (!publish.empty()) text += base::concat(" publish: [", quoted_list(publish), ']');
    if (!publish.empty() && !subscribe.empty()) text += ',';
    if (!subscribe.empty()) text += base::concat(" subscribe: [", quoted_list(subscribe), ']');
    if (!is_needed) text += "; without them, the loss of the pool's streams is noticed a minute later";
    return {is_needed ? Verdict::wrong : Verdict::note, "permissions", text};
}

}  // namespace nats_engine
