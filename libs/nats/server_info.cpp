#include "nats/server_info.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "nats/error.hpp"

namespace nats {

namespace {

constexpr std::size_t most_addresses = 256;
// Debian's servers have 1 MiB; more than 64 MiB cannot be set.
constexpr std::int64_t most_payload = 64 << 20;

// Reads members, and remembers whether one has a wrong type.
class Members {
  public:
    explicit Members(json::View object) : object_(object) {}

    std::string text(std::string_view name) {
        auto value = of_kind(name, json::Kind::string);
        return value ? value->string() : std::string();
    }
    bool flag(std::string_view name) {
        auto value = of_kind(name, json::Kind::boolean);
        return value && value->boolean();
    }
    void size(std::string_view name, std::size_t& size) {
        auto value = of_kind(name, json::Kind::number);
        if (!value) return;
        auto number = value->integer();
        if (!number || *number < 1) return fail(name);
        size = static_cast<std::size_t>(std::min(*number, most_payload));
    }
    std::vector<std::string> texts(std::string_view name) {
        std::vector<std::string> found;
        auto value = of_kind(name, json::Kind::array);
        if (!value) return found;
        for (json::View element : value->elements()) {
            if (!element.is(json::Kind::string)) return fail(name), found;
            if (found.size() < most_addresses) found.push_back(element.string());
        }
        return found;
    }
    const std::string& wrong() const { return wrong_; }

  private:
    std::optional<json::View> of_kind(std::string_view name, json::Kind kind) {
        auto value = object_.find(name);
        if (!value || value->is(json::Kind::null)) return std::nullopt;
        if (value->is(kind)) return value;
        fail(name);
        return std::nullopt;
    }
    void fail(std::string_view name) { wrong_ = name; }

    json::View object_;
    std::string wrong_;
};

}  // namespace

base::Result<ServerInfo> parse_server_info(std::string_view json) {
    auto value = json::checked(json);
    if (!value || !value->is(json::Kind::object))
        return error(Errc::protocol, "the server sends an INFO that is no JSON object");
    Members members(*value);
    ServerInfo info;
    info.name = members.text("server_name");
    if (info.name.empty()) info.name = members.text("server_id");
    info.version = members.text("version");
    info.cluster = members.text("cluster");
    info.nonce = members.text("nonce");
    members.size("max_payload", info.max_payload);
    info.has_headers = members.flag("headers");
    info.has_jetstream = members.flag("jetstream");
    info.needs_login = members.flag("auth_required");
    info.needs_tls = members.flag("tls_required");
    info.offers_tls = members.flag("tls_available") || info.needs_tls;
    info.is_lame_duck = members.flag("ldm");
    info.addresses = members.texts("connect_urls");
    if (members.wrong().empty()) return info;
    return error(Errc::protocol,
                 base::concat("the server sends an INFO with a wrong \"", members.wrong(), '"'));
}

}  // namespace nats
