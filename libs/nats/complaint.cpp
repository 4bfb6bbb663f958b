#include "nats/complaint.hpp"

#include "base/text.hpp"
#include "nats/error.hpp"

#include <array>

namespace nats {

namespace {

// What is between the first two quotation marks.
std::string quoted(std::string_view text) {
    std::size_t begin = text.find('"');
    if (begin == text.npos) return {};
    return std::string(text.substr(begin + 1, text.find('"', begin + 1) - begin - 1));
}

struct Permission {
    std::string_view begin;
    ComplaintKind kind;
    std::string_view verb;
};
constexpr std::array permissions{
    Permission{"Permissions Violation for Publish with Reply of ", ComplaintKind::reply,
               "ask for replies to "},
    Permission{"Permissions Violation for Publish to ", ComplaintKind::publication, "publish to "},
    Permission{"Permissions Violation for Subscription to ", ComplaintKind::subscription, "subscribe to "},
};

// The complaints after which a server closes the connection.
constexpr std::array ending{
    std::string_view("Stale Connection"),
    std::string_view("Slow Consumer"),
    std::string_view("Maximum Payload Violation"),
    std::string_view("Maximum Connections Exceeded"),
    std::string_view("maximum connections exceeded"),
    std::string_view("maximum account active connections exceeded"),
    std::string_view("Maximum Control Line Exceeded"),
    std::string_view("Parser Error"),
    std::string_view("Unknown Protocol Operation"),
    std::string_view("Invalid Client Protocol"),
    std::string_view("Attempted To Connect To Route Port"),
    std::string_view("Secure Connection - TLS Required"),
    std::string_view("Server Shutdown"),
};

base::Error credentials_error(std::string_view text, std::string_view server, bool has_login) {
    std::string sentence;
    if (text.find("Expired") != text.npos)
        sentence = base::concat("the credentials for the server ", server, " have expired");
    else if (text.find("Revoked") != text.npos)
        sentence = base::concat("the credentials for the server ", server, " were revoked");
    else if (text.find("Timeout") != text.npos)
        sentence = base::concat("the server ", server, " has waited too long for the credentials");
    else if (has_login)
        sentence = base::concat("the server ", server,
                                " refuses the credentials: the user, the password or the key is wrong or not "
                                "known there");
    else
        sentence = base::concat("the server ", server, " demands credentials, and none were given");
    return error(Errc::authorization, base::concat(sentence, " (", text, ')'));
}

bool is_about_credentials(std::string_view text) {
    return text.starts_with("Authorization ") || text.find("Authentication ") != text.npos;
}

}  // namespace

ReadComplaint read_complaint(std::string_view text, std::string_view server, bool has_login) {
    if (is_about_credentials(text))
        return {ComplaintKind::credentials, {}, credentials_error(text, server, has_login)};
    for (const Permission& permission : permissions)
        if (text.starts_with(permission.begin)) {
            std::string subject = quoted(text);
            auto refused =
                error(Errc::permission, base::concat("the server ", server, " does not permit this user to ",
                                                     permission.verb, subject));
            return {permission.kind, std::move(subject), std::move(refused)};
        }
    auto refused = error(Errc::refused, base::concat("the server ", server, " says: ", text));
    for (std::string_view one : ending)
        if (text.starts_with(one)) return {ComplaintKind::ends_connection, {}, std::move(refused)};
    return {ComplaintKind::other, {}, std::move(refused)};
}

}  // namespace nats
