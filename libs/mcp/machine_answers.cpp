// How the machine answers.
#include "base/text.hpp"
#include "mcp/describe.hpp"
#include "mcp/machine.hpp"

namespace mcp {

using base::concat;

namespace {

// The lists of tools and prompts don't change while the server lives.
constexpr int list_holds_ms = 300'000;
constexpr std::size_t longest_error = 4'000;  // of an error, in bytes

std::string meta(const Offer& offer, Revision revision) {
    return concat(R"("_meta":{"io.modelcontextprotocol/serverInfo":)", server_info(offer, revision), "}");
}

std::string lines(std::initializer_list<std::string_view> texts) {
    std::string all;
    for (std::string_view text : texts)
        if (!text.empty()) all += concat(all.empty() ? "" : "\n", text);
    return all;
}

// A model that has misspelt an argument must know that it had no effect.
ToolResult with_ignored(ToolResult result, std::string_view ignored) {
    if (ignored.empty()) return result;
    result.object.pop_back();
    result.object +=
        concat(result.object == "{" ? "" : ",", "\"ignored_arguments\":", json::quote(ignored), "}");
    return result;
}

}  // namespace

void Machine::answer(const std::shared_ptr<Batch>& batch, std::string text) {
    if (!batch) {
        actions_.emplace_back(Send{std::move(text)});
        return;
    }
    batch->answers += concat(batch->answers.empty() ? "" : ",", text);
    --batch->open;
    send_if_complete(*batch);
}

void Machine::send_if_complete(Batch& batch) {
    if (batch.open == 0 && !batch.answers.empty())
        actions_.emplace_back(Send{concat("[", std::exchange(batch.answers, {}), "]")});
}

void Machine::refuse(const Origin& origin, ErrorCode code, std::string_view message, std::string_view data) {
    answer(origin.batch, error_message(origin.id, code, cut(message, longest_error), data));
}

void Machine::not_found(const Origin& origin, std::string_view uri, std::string_view why) {
    ErrorCode code =
        is_stateless(origin.revision) ? ErrorCode::invalid_params : ErrorCode::resource_not_found;
    std::string named = cut(uri, longest_error / 2);
    refuse(origin, code, concat("there is no resource ", named, why.empty() ? "" : ": ", why),
           concat("{\"uri\":", json::quote(named), "}"));
}

void Machine::reply(const Origin& origin, std::string members, Cache cache) {
    if (is_stateless(origin.revision)) {
        std::string all = R"({"resultType":"complete",)";
        if (!members.empty()) all += members + ",";
        if (cache == Cache::always) all += concat("\"ttlMs\":", list_holds_ms, R"(,"cacheScope":"public",)");
        if (cache == Cache::never) all += R"("ttlMs":0,"cacheScope":"private",)";
        members = concat(all, meta(offer_, origin.revision), "}");
    } else {
        members = concat("{", members, "}");
    }
    answer(origin.batch, result_message(origin.id, members));
}

void Machine::reply_page(const Origin& origin, std::string_view name, const std::vector<std::string>& entries,
                         std::size_t begin, Cache cache) {
    std::string list;
    std::size_t end = begin < entries.size() ? std::min(begin + offer_.page, entries.size()) : begin;
    for (std::size_t i = begin; i < end; ++i)
        list += concat(list.empty() ? "" : ",", entries[i]);
    std::string next = end < entries.size() ? concat(",\"nextCursor\":\"", end, "\"") : "";
    reply(origin, concat("\"", name, "\":[", list, "]", next), cache);
}

void Machine::finish(const Open& open, const Outcome& outcome) {
    const Origin& origin = open.origin;
    Revision revision = origin.revision;
    if (const auto* result = std::get_if<ToolResult>(&outcome)) {
        reply(origin, members_of(with_ignored(*result, open.ignored), revision));
    } else if (const auto* failure = std::get_if<ToolFailure>(&outcome)) {
        reply(origin, members_of(ToolFailure{lines({failure->message, open.ignored})}));
    } else if (const auto* list = std::get_if<ResourceList>(&outcome)) {
        std::vector<std::string> entries;
        for (const Resource& resource : list->resources)
            entries.push_back(describe(resource, revision));
        reply_page(origin, "resources", entries, open.cursor, Cache::never);
    } else if (const auto* resource = std::get_if<ResourceText>(&outcome)) {
        reply(origin, members_of(*resource), Cache::never);
    } else if (const auto* prompt = std::get_if<PromptText>(&outcome)) {
        reply(origin, members_of(*prompt));
    } else if (const auto* completion = std::get_if<Completion>(&outcome)) {
        reply(origin, members_of(*completion));
    } else if (const auto* missing = std::get_if<NotFound>(&outcome)) {
        not_found(origin, missing->uri, missing->why);
    } else {
        refuse(origin, ErrorCode::internal_error, std::get<InternalError>(outcome).message);
    }
}

std::string Machine::stream_meta(const Origin& origin) const {
    return concat(R"("_meta":{"io.modelcontextprotocol/subscriptionId":)", origin.id, "}");
}

Actions Machine::resource_updated(std::string_view uri) {
    constexpr std::string_view method = "notifications/resources/updated";
    std::string member = concat("\"uri\":", json::quote(uri));
    if (subscriptions_.contains(std::string(uri)))
        actions_.emplace_back(Send{notification_message(method, concat("{", member, "}"))});
    for (const auto& [id, stream] : streams_)
        if (stream.uris.contains(std::string(uri)))
            actions_.emplace_back(Send{
                notification_message(method, concat("{", stream_meta(stream.origin), ",", member, "}"))});
    return take();
}

Actions Machine::resource_list_changed() {
    constexpr std::string_view method = "notifications/resources/list_changed";
    if (session_) actions_.emplace_back(Send{notification_message(method, "{}")});
    for (const auto& [id, stream] : streams_)
        if (stream.wants_list)
            actions_.emplace_back(
                Send{notification_message(method, concat("{", stream_meta(stream.origin), "}"))});
    return take();
}

Actions Machine::ended() {
    for (const auto& [id, stream] : streams_)
        answer(nullptr, result_message(id, concat(R"({"resultType":"complete",)",
                                                  R"("_meta":{"io.modelcontextprotocol/subscriptionId":)", id,
                                                  R"(,"io.modelcontextprotocol/serverInfo":)",
                                                  server_info(offer_, stream.origin.revision), "}}")));
    streams_.clear();
    subscriptions_.clear();
    return take();
}

void Machine::watch_changed() {
    std::set<std::string> uris = subscriptions_;
    for (const auto& [id, stream] : streams_)
        uris.insert(stream.uris.begin(), stream.uris.end());
    if (uris == watched_) return;
    watched_ = uris;
    actions_.emplace_back(Watch{std::move(uris)});
}

}  // namespace mcp
