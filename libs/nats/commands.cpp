#include "nats/commands.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

namespace nats {

namespace {

bool is_wildcard(char c) {
    return c == '*' || c == '>';
}

// Whether this character is a wildcard that may stand where it does: alone between dots, and '>' at the end.
bool is_valid_wildcard(std::string_view text, std::size_t at) {
    bool begins = at == 0 || text[at - 1] == '.';
    bool is_last = at + 1 == text.size();
    return begins && (is_last || (text[at] == '*' && text[at + 1] == '.'));
}

// The check is one pass, because each message that is sent is looked at.
bool is_valid(std::string_view text, bool is_pattern) {
    if (text.empty() || text.size() > longest_subject || text.back() == '.') return false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        char c = text[at];
        if (c == '.' && (at == 0 || text[at - 1] == '.')) return false;
        if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') return false;
        if (is_wildcard(c) && !(is_pattern && is_valid_wildcard(text, at))) return false;
    }
    return true;
}

void append_member(std::string& out, std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out += base::concat(",\"", name, "\":");
    json::append_quoted(out, value);
}

}  // namespace

bool is_subject(std::string_view text) {
    return is_valid(text, false);
}

bool is_subject_pattern(std::string_view text) {
    return is_valid(text, true);
}

void append_publish(std::string& out, const Outgoing& message) {
    base::append_piece(out, message.headers.empty() ? "PUB " : "HPUB ");
    base::append_piece(out, message.subject);
    if (!message.reply.empty()) out.append(" ").append(message.reply);
    if (!message.headers.empty()) {
        out += ' ';
        base::append_piece(out, message.headers.size());
    }
    out += ' ';
    base::append_piece(out, message.size());
    out.append(line_end).append(message.headers).append(message.payload).append(line_end);
}

void append_subscribe(std::string& out, std::string_view subject, std::string_view queue, SubscriptionId id) {
    out += base::concat("SUB ", subject, queue.empty() ? "" : " ", queue, " ", id, line_end);
}

void append_unsubscribe(std::string& out, SubscriptionId id) {
    out += base::concat("UNSUB ", id, line_end);
}

// `no_responders`: the server answers a request with status 503 if nobody would. `protocol` 1: it may send
// INFO again at any time.
std::string connect_command(const Introduction& introduction) {
    const Login& login = introduction.login;
    std::string out =
        base::concat(R"(CONNECT {"verbose":false,"pedantic":false,"lang":"cpp","protocol":1,"headers":true)",
                     R"(,"no_responders":true,"tls_required":)", introduction.uses_tls ? "true" : "false");
    append_member(out, "name", introduction.name);
    append_member(out, "version", introduction.version);
    append_member(out, "user", login.user);
    append_member(out, "pass", login.password);
    append_member(out, "jwt", login.jwt);
    append_member(out, "nkey", login.nkey);
    append_member(out, "sig", login.signature);
    return out + "}\r\n";
}

}  // namespace nats
