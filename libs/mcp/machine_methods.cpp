// The methods that the machine serves.
#include "base/text.hpp"
#include "json/suggest.hpp"
#include "mcp/describe.hpp"
#include "mcp/machine.hpp"

#include <algorithm>
#include <charconv>

namespace mcp {

using base::concat;
using json::Kind;
using json::View;

namespace {

constexpr std::size_t longest_ignored = 1000;
// Gemini CLI adds this argument to every tool, for itself.
constexpr std::string_view added_by_gemini = "wait_for_previous";

std::optional<View> member(const std::optional<View>& object, std::string_view name, Kind kind) {
    auto found = object ? object->find(name) : std::nullopt;
    return found && found->is(kind) ? found : std::nullopt;
}

std::optional<std::string> text_in(const std::optional<View>& object, std::string_view name) {
    auto found = member(object, name, Kind::string);
    return found ? std::optional(found->string()) : std::nullopt;
}

template<class Entry>
std::vector<std::string> described(const std::vector<Entry>& entries, Revision revision) {
    std::vector<std::string> texts;
    for (const Entry& entry : entries)
        texts.push_back(describe(entry, revision));
    return texts;
}

template<class Entry>
const Entry* named(const std::vector<Entry>& entries, std::string_view name) {
    auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

// A sentence for each argument that the tool does not have.
std::string unknown_arguments(const Tool& tool, View arguments) {
    auto properties = View::of(tool.input_schema).find("properties");
    std::vector<std::string> names;
    for (const json::Member& known : properties ? properties->members() : std::vector<json::Member>())
        names.push_back(known.key.string());
    std::vector<std::string_view> candidates(names.begin(), names.end());
    std::string text;
    for (const json::Member& given : arguments.members()) {
        std::string name = given.key.string();
        if (name == added_by_gemini || std::ranges::find(names, name) != names.end()) continue;
        if (text.size() > longest_ignored) return text + "\n…";
        text += concat(text.empty() ? "" : "\n", tool.name, " has no argument ", given.key.text(),
                       json::did_you_mean(name, candidates));
    }
    return text;
}

// Whether a prompt or the template of a resource is meant that there is.
std::optional<std::string> referred(const Offer& offer, const std::optional<View>& ref) {
    auto type = text_in(ref, "type");
    if (type == "ref/prompt") {
        auto name = text_in(ref, "name");
        return name && named(offer.prompts, *name) ? name : std::nullopt;
    }
    auto uri = type == "ref/resource" ? text_in(ref, "uri") : std::nullopt;
    if (!uri) return std::nullopt;
    for (const ResourceTemplate& known : offer.templates)
        if (known.uri_template == *uri) return uri;
    return std::nullopt;
}

}  // namespace

const std::vector<Machine::Method>& Machine::methods() {
    using Age = Method::Age;
    static const std::vector<Method> all{
        {"initialize", Age::handshake, &Machine::initialize},
        {"ping", Age::handshake, &Machine::ping},
        {"server/discover", Age::stateless, &Machine::discover},
        {"tools/list", Age::both, &Machine::list_tools},
        {"tools/call", Age::both, &Machine::call_tool},
        {"prompts/list", Age::both, &Machine::list_prompts},
        {"prompts/get", Age::both, &Machine::get_prompt},
        {"resources/list", Age::both, &Machine::list_resources},
        {"resources/templates/list", Age::both, &Machine::list_templates},
        {"resources/read", Age::both, &Machine::read_resource},
        {"resources/subscribe", Age::handshake, &Machine::subscribe},
        {"resources/unsubscribe", Age::handshake, &Machine::unsubscribe},
        {"subscriptions/listen", Age::stateless, &Machine::listen},
        {"completion/complete", Age::both, &Machine::complete},
    };
    return all;
}

void Machine::ping(const Request& request) {
    reply(request.origin, "");
}

void Machine::discover(const Request& request) {
    Revision revision = request.origin.revision;
    reply(request.origin,
          concat("\"supportedVersions\":", stateless_revisions(), ",\"capabilities\":",
                 capabilities(offer_, revision), ",\"instructions\":", json::quote(offer_.instructions)),
          Cache::always);
}

// The cursor is the number of entries before the page. It is refused here if it is not one of these.
std::optional<std::size_t> Machine::cursor_of(const Request& request) {
    auto given = request.params ? request.params->find("cursor") : std::nullopt;
    if (!given || given->is(Kind::null)) return 0;
    std::string text = given->is(Kind::string) ? given->string() : "";
    std::size_t cursor = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cursor);
    bool is_ours = error == std::errc() && end == text.data() + text.size() && !text.empty() && cursor > 0 &&
                   cursor % offer_.page == 0;
    if (is_ours) return cursor;
    refuse(request.origin, ErrorCode::invalid_params, "the cursor is not one of this server's");
    return std::nullopt;
}

void Machine::list_tools(const Request& request) {
    if (auto cursor = cursor_of(request))
        reply_page(request.origin, "tools", described(offer_.tools, request.origin.revision), *cursor,
                   Cache::always);
}

void Machine::list_prompts(const Request& request) {
    if (auto cursor = cursor_of(request))
        reply_page(request.origin, "prompts", described(offer_.prompts, request.origin.revision), *cursor,
                   Cache::always);
}

void Machine::list_templates(const Request& request) {
    if (auto cursor = cursor_of(request))
        reply_page(request.origin, "resourceTemplates", described(offer_.templates, request.origin.revision),
                   *cursor, Cache::always);
}

void Machine::list_resources(const Request& request) {
    if (auto cursor = cursor_of(request)) (void)start(request, ListResources{}, *cursor);
}

void Machine::call_tool(const Request& request) {
    auto name = text_in(request.params, "name");
    if (!name) return refuse(request.origin, ErrorCode::invalid_params, "`name` must be a string");
    const Tool* tool = named(offer_.tools, *name);
    if (!tool) return refuse(request.origin, ErrorCode::invalid_params, concat("Unknown tool: ", *name));
    auto arguments = request.params->find("arguments");
    if (arguments && arguments->is(Kind::null)) arguments.reset();
    if (arguments && !arguments->is(Kind::object))
        return refuse(request.origin, ErrorCode::invalid_params, "`arguments` must be an object");
    Open* open = start(request, CallTool{*name, arguments ? std::string(arguments->text()) : "{}"});
    if (open && arguments) open->ignored = unknown_arguments(*tool, *arguments);
}

void Machine::read_resource(const Request& request) {
    auto uri = text_in(request.params, "uri");
    if (!uri) return refuse(request.origin, ErrorCode::invalid_params, "`uri` must be a string");
    (void)start(request, ReadResource{std::move(*uri)});
}

void Machine::get_prompt(const Request& request) {
    auto name = text_in(request.params, "name");
    const Prompt* prompt = name ? named(offer_.prompts, *name) : nullptr;
    if (!prompt)
        return refuse(request.origin, ErrorCode::invalid_params,
                      concat("Unknown prompt: ", name.value_or("`name` is missing")));
    GetPrompt call{*name, {}};
    auto arguments = request.params->find("arguments");
    if (arguments && !arguments->is(Kind::object))
        return refuse(request.origin, ErrorCode::invalid_params, "`arguments` must be an object");
    for (const json::Member& given : arguments ? arguments->members() : std::vector<json::Member>()) {
        if (!given.value.is(Kind::string))
            return refuse(request.origin, ErrorCode::invalid_params,
                          concat("the argument ", given.key.text(), " must be a string"));
        call.arguments.emplace(given.key.string(), given.value.string());
    }
    for (const PromptArgument& argument : prompt->arguments)
        if (argument.is_required && !call.arguments.contains(argument.name))
            return refuse(request.origin, ErrorCode::invalid_params,
                          concat("the argument ", json::quote(argument.name), " is missing"));
    (void)start(request, std::move(call));
}

void Machine::complete(const Request& request) {
    auto of = referred(offer_, member(request.params, "ref", Kind::object));
    if (!of)
        return refuse(request.origin, ErrorCode::invalid_params,
                      "`ref` must name a prompt or the template of a resource");
    auto argument = member(request.params, "argument", Kind::object);
    auto name = text_in(argument, "name");
    auto value = text_in(argument, "value");
    if (!name || !value)
        return refuse(request.origin, ErrorCode::invalid_params, "`argument` must have `name` and `value`");
    (void)start(request, Complete{std::move(*of), std::move(*name), std::move(*value)});
}

void Machine::subscribe(const Request& request) {
    auto uri = text_in(request.params, "uri");
    if (!uri) return refuse(request.origin, ErrorCode::invalid_params, "`uri` must be a string");
    if (!offer_.is_subscribable)
        return refuse(request.origin, ErrorCode::invalid_params,
                      "no resource of this server can be subscribed to");
    if (!offer_.is_subscribable(*uri))
        return not_found(request.origin, *uri, "none to which a client can subscribe");
    subscriptions_.insert(std::move(*uri));
    reply(request.origin, "");
    watch_changed();
}

void Machine::unsubscribe(const Request& request) {
    auto uri = text_in(request.params, "uri");
    if (!uri) return refuse(request.origin, ErrorCode::invalid_params, "`uri` must be a string");
    subscriptions_.erase(*uri);
    reply(request.origin, "");
    watch_changed();
}

// The request is answered when the server ends.
void Machine::listen(const Request& request) {
    auto filter = member(request.params, "notifications", Kind::object);
    if (!filter)
        return refuse(request.origin, ErrorCode::invalid_params, "`notifications` must be an object");
    if (streams_.size() >= most_calls)
        return refuse(request.origin, ErrorCode::internal_error, "too many subscriptions are open");
    Stream stream;
    stream.origin = request.origin;
    auto list = member(filter, "resourcesListChanged", Kind::boolean);
    stream.wants_list = list && list->boolean();
    auto uris = member(filter, "resourceSubscriptions", Kind::array);
    std::string accepted;
    for (View uri : uris ? uris->elements() : std::vector<View>())
        if (uri.is(Kind::string) && offer_.is_subscribable && offer_.is_subscribable(uri.string()) &&
            stream.uris.insert(uri.string()).second)
            accepted += concat(accepted.empty() ? "" : ",", uri.text());
    std::string members = stream.wants_list ? R"("resourcesListChanged":true)" : "";
    if (uris) members += concat(members.empty() ? "" : ",", "\"resourceSubscriptions\":[", accepted, "]");
    actions_.emplace_back(Send{notification_message(
        "notifications/subscriptions/acknowledged",
        concat("{", stream_meta(stream.origin), ",\"notifications\":{", members, "}}"))});
    streams_.emplace(stream.origin.id, std::move(stream));
    watch_changed();
}

}  // namespace mcp
