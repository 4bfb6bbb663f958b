// What a client sends to a NATS server, as bytes. The callers have checked the subjects. Pure.
#pragma once

#include "nats/message.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace nats {

// Whether a message can be sent to this subject: words between dots, without wildcards, at most
// longest_subject bytes.
bool is_subject(std::string_view text);
// As is_subject(), for subscriptions, in which a word may be "*", and the last one ">".
bool is_subject_pattern(std::string_view text);
inline constexpr std::size_t longest_subject = 1024;

// A message to be sent. Views, which must last as long as the call that takes it.
struct Outgoing {
    std::string_view subject;
    std::string_view payload = {};
    std::string_view headers = {};  // a block (nats/headers), or empty
    std::string_view reply = {};    // a subject, or empty

    std::size_t size() const { return headers.size() + payload.size(); }  // as servers limit it
};

inline constexpr std::string_view ping_command = "PING\r\n";
inline constexpr std::string_view pong_command = "PONG\r\n";
void append_publish(std::string& out, const Outgoing& message);
void append_subscribe(std::string& out, std::string_view subject, std::string_view queue, SubscriptionId id);
void append_unsubscribe(std::string& out, SubscriptionId id);

// Who the client is, for the server.
struct Login {
    std::string user;
    std::string password;
    std::string jwt;
    std::string nkey;       // the public key
    std::string signature;  // of the server's nonce, in Base64 for URLs
};
struct Introduction {
    std::string name;  // as the server's operator sees it
    std::string version;
    bool uses_tls = false;
    Login login = {};
};
std::string connect_command(const Introduction& introduction);

}  // namespace nats
