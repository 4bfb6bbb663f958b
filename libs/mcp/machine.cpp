#include "mcp/machine.hpp"

#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "json/number.hpp"
#include "mcp/describe.hpp"

#include <algorithm>
#include <utility>

namespace mcp {

using base::concat;
using json::Kind;
using json::View;

namespace {

constexpr std::size_t most_answered = 1000;
constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view client_key = "io.modelcontextprotocol/clientInfo";

std::string name_in(std::optional<View> implementation) {
    auto name = implementation ? implementation->find("name") : std::nullopt;
    return name && name->is(Kind::string) ? name->string() : "";
}

}  // namespace

Actions Machine::received(std::string_view line) {
    if (line.size() > offer_.longest_message) return too_long();
    if (base::is_blank(line)) return {};
    auto value = json::checked(line);
    if (value.has_error()) {
        answer(nullptr,
               error_message("", ErrorCode::parse_error,
                             concat("not JSON: ", value.error().message, " at byte ", value.error().offset)));
    } else if (value->is(Kind::array) && session_ && has_batches(*session_)) {
        handle_batch(*value);
    } else {
        handle(*value, nullptr);
    }
    return take();
}

Actions Machine::too_long() {
    answer(nullptr, error_message("", ErrorCode::invalid_request,
                                  concat("the message has more than ", offer_.longest_message, " bytes")));
    return take();
}

void Machine::handle_batch(View messages) {
    std::vector<View> elements = messages.elements();
    if (elements.empty())
        return answer(nullptr, error_message("", ErrorCode::invalid_request, "the batch is empty"));
    auto batch = std::make_shared<Batch>();
    batch->open = 1;  // until all messages have been looked at
    for (View element : elements)
        handle(element, batch);
    --batch->open;
    send_if_complete(*batch);
}

void Machine::handle(View value, const std::shared_ptr<Batch>& batch) {
    Message message = read_message(value);
    switch (message.kind) {
        case Message::Kind::invalid:
            if (batch) ++batch->open;
            return answer(batch, error_message(message.id, ErrorCode::invalid_request, message.problem));
        case Message::Kind::request:
            if (batch) ++batch->open;
            return requested(std::move(message), batch);
        case Message::Kind::notification:
            return notified(message);
        case Message::Kind::response:
            return;  // to a request that was never sent
    }
}

void Machine::requested(Message message, const std::shared_ptr<Batch>& batch) {
    Request request;
    request.origin.id = std::move(message.id);
    request.origin.batch = batch;
    request.method = std::move(message.method);
    if (message.params && !message.params->is(Kind::null)) request.params = message.params;
    const std::string& id = request.origin.id;
    if (by_id_.contains(id) || streams_.contains(id))
        return refuse(request.origin, ErrorCode::invalid_request,
                      concat("the id ", id, " belongs to a request that is not answered yet"));
    if (request.params && !request.params->is(Kind::object))
        return refuse(request.origin, ErrorCode::invalid_params, R"("params" must be an object)");
    if (set_age(request)) serve(request);
}

// `initialize` always belongs to the older age, and a version in the request to the newer one.
bool Machine::set_age(Request& request) {
    auto meta = request.params ? request.params->find("_meta") : std::nullopt;
    auto version = meta ? meta->find(version_key) : std::nullopt;
    if (request.method == "initialize") return true;
    if (version) return set_stateless(request, *meta, *version);
    if (session_) {
        request.origin.revision = *session_;
        request.origin.client = client_;
        return true;
    }
    if (request.method == "ping") return true;
    refuse(request.origin, ErrorCode::invalid_params,
           concat("no session: send `initialize` first, or `", version_key, "` and `", capabilities_key,
                  "` in `_meta`"));
    return false;
}

bool Machine::set_stateless(Request& request, View meta, View version) {
    request.origin.revision = Revision::r2026_07_28;
    if (!version.is(Kind::string)) {
        refuse(request.origin, ErrorCode::invalid_params, concat(version_key, " must be a string"));
        return false;
    }
    auto revision = parse_revision(version.string());
    if (!revision || !is_stateless(*revision)) {
        refuse(request.origin, ErrorCode::unsupported_version, "Unsupported protocol version",
               concat("{\"supported\":", stateless_revisions(), ",\"requested\":", version.text(), "}"));
        return false;
    }
    auto capabilities = meta.find(capabilities_key);
    if (!capabilities || !capabilities->is(Kind::object)) {
        refuse(request.origin, ErrorCode::invalid_params, concat(capabilities_key, " must be an object"));
        return false;
    }
    request.origin.revision = *revision;
    request.origin.client = name_in(meta.find(client_key));
    return true;
}

void Machine::serve(const Request& request) {
    using Age = Method::Age;
    Age other = is_stateless(request.origin.revision) ? Age::handshake : Age::stateless;
    for (const Method& method : methods())
        if (method.name == request.method && method.age != other) return (this->*method.serve)(request);
    refuse(request.origin, ErrorCode::method_not_found, concat("unknown method: ", request.method));
}

void Machine::initialize(const Request& request) {
    if (session_)
        return refuse(request.origin, ErrorCode::invalid_request, "the session is initialized already");
    if (request.origin.batch)
        return refuse(request.origin, ErrorCode::invalid_request, "`initialize` must not be part of a batch");
    auto version = request.params ? request.params->find("protocolVersion") : std::nullopt;
    if (!version || !version->is(Kind::string))
        return refuse(request.origin, ErrorCode::invalid_params, "`protocolVersion` must be a string");
    auto wanted = parse_revision(version->string());
    session_ = wanted && !is_stateless(*wanted) ? *wanted : newest_with_handshake;
    client_ = name_in(request.params->find("clientInfo"));
    reply(request.origin, concat("\"protocolVersion\":", json::quote(text_of(*session_)),
                                 ",\"capabilities\":", capabilities(offer_, *session_),
                                 ",\"serverInfo\":", server_info(offer_, *session_),
                                 ",\"instructions\":", json::quote(offer_.instructions)));
}

// Nothing else that a client may notify the server of matters to it.
void Machine::notified(const Message& message) {
    if (message.method != "notifications/cancelled" || !message.params) return;
    auto id = message.params->find("requestId");
    if (id && is_identifier(*id)) cancelled(id->text());
}

void Machine::cancelled(std::string_view id) {
    if (auto stream = streams_.find(id); stream != streams_.end()) {
        streams_.erase(stream);
        return watch_changed();
    }
    if (auto found = by_id_.find(id); found != by_id_.end()) {
        CallId call = found->second;
        std::shared_ptr<Batch> batch = open_.at(call).origin.batch;
        open_.erase(call);
        by_id_.erase(found);
        actions_.emplace_back(Cancel{call});
        if (!batch) return;
        --batch->open;
        return send_if_complete(*batch);
    }
    auto answered = std::find_if(answered_.rbegin(), answered_.rend(),
                                 [&](const auto& entry) { return entry.first == id; });
    if (answered == answered_.rend()) return;
    actions_.emplace_back(Unheard{answered->second});
    answered_.erase(std::next(answered).base());
}

// Null if it was refused.
Machine::Open* Machine::start(const Request& request, Call call, std::size_t cursor) {
    if (open_.size() >= most_calls) {
        refuse(request.origin, ErrorCode::internal_error,
               concat("too many requests are open: ", open_.size()));
        return nullptr;
    }
    Open open;
    open.origin = request.origin;
    open.cursor = cursor;
    auto meta = request.params ? request.params->find("_meta") : std::nullopt;
    auto token = meta ? meta->find("progressToken") : std::nullopt;
    if (token && is_identifier(*token)) open.progress_token = token->text();
    CallId id = ++last_;
    by_id_.emplace(open.origin.id, id);
    actions_.emplace_back(Start(id, std::move(call), open.origin.client));
    return &open_.emplace(id, std::move(open)).first->second;
}

Actions Machine::finished(CallId id, Outcome outcome) {
    auto found = open_.find(id);
    if (found == open_.end()) {
        actions_.emplace_back(Unheard{id});
        return take();
    }
    Open open = std::move(found->second);
    open_.erase(found);
    by_id_.erase(open.origin.id);
    if (answered_.size() == most_answered) answered_.pop_front();
    answered_.emplace_back(open.origin.id, id);
    finish(open, outcome);
    return take();
}

bool Machine::wants_progress(CallId id) const {
    auto found = open_.find(id);
    return found != open_.end() && !found->second.progress_token.empty();
}

Actions Machine::progressed(CallId id, double progress, double total, std::string_view message) {
    if (!wants_progress(id)) return {};
    Open& open = open_.at(id);
    if (progress <= open.progress) return {};
    open.progress = progress;
    std::string total_member = total > 0 ? concat(",\"total\":", json::number_text(total)) : "";
    std::string message_member =
        open.origin.revision >= Revision::r2025_03_26 ? concat(",\"message\":", json::quote(message)) : "";
    actions_.emplace_back(Send{notification_message(
        "notifications/progress", concat("{\"progressToken\":", open.progress_token, ",\"progress\":",
                                         json::number_text(progress), total_member, message_member, "}"))});
    return take();
}

}  // namespace mcp
