// What a NATS server sends: the operations are the same however the bytes are cut, what is buffered stays
// within the limits, and a session ends each request at most once, whatever it hears.
#include "fuzz.hpp"
#include "nats/api.hpp"
#include "nats/headers.hpp"
#include "nats/parser.hpp"
#include "nats/server_info.hpp"
#include "nats/session.hpp"

#include <set>
#include <string>
#include <vector>

namespace {

using fuzz::must;
using namespace nats;

constexpr Parser::Limits limits{300, 1000};

std::string text_of(const Operation& operation) {
    std::string text = std::to_string(operation.index());
    if (const auto* info = std::get_if<Info>(&operation)) text += info->json;
    if (const auto* complaint = std::get_if<Complaint>(&operation)) text += complaint->text;
    if (const auto* message = std::get_if<Message>(&operation))
        for (const std::string* part :
             {&message->subject, &message->reply, &message->headers, &message->payload})
            text += std::to_string(part->size()) + *part;
    return text;
}

// As one of each call of JetStream.
void use_reply(const Message& message) {
    auto stored = parse_stored(message);
    must(stored.has_error() || stored->sequence > 0, "what is stored has a sequence");
    auto of_leader = parse_message_of_leader(message);
    must(of_leader.has_error() || !*of_leader || !(*of_leader)->subject.empty(), "a message has a subject");
    auto direct = parse_direct_message(message);
    must(direct.has_error() || !*direct || (*direct)->payload == message.payload,
         "a message has its payload");
    auto stream = parse_stream_info(message);
    must(stream.has_error() || !stream->config.name.empty(), "a stream has a name");
    auto consumer = parse_consumer_info(message);
    must(consumer.has_error() || !consumer->config.name.empty(), "a consumer has a name");
    (void)parse_consumer_list(message);
    (void)parse_deleted(message);
    (void)parse_purged(message);
}

void use(const Operation& operation) {
    if (const auto* info = std::get_if<Info>(&operation)) {
        auto parsed = parse_server_info(info->json);
        must(parsed.has_error() || parsed->max_payload > 0, "a server takes payloads");
    }
    const auto* message = std::get_if<Message>(&operation);
    if (message == nullptr) return;
    must(message->headers.size() + message->payload.size() <= limits.message, "a message has a limit");
    must(!message->subject.empty(), "a message has a subject");
    auto found = status(message->headers);
    must(!found || (found->code >= 0 && found->code <= 999), "a status has three digits");
    header(message->headers, "A");
    parse_delivery(message->reply);
    use_reply(*message);
}

// Whether there was no error.
bool take(Parser& parser, std::vector<std::string>& texts) {
    while (true) {
        auto operation = parser.next();
        if (operation.has_error()) {
            texts.push_back(operation.error().message);
            return false;
        }
        if (!*operation) return true;
        use(**operation);
        texts.push_back(text_of(**operation));
    }
}

class Listener {
  public:
    Listener() : session_(settings()) {
        session_.start(now_);
        session_.connected({}, now_);
        (void)session_.subscribe("a");
        ask();
    }
    void hear(std::string_view bytes) {
        session_.received(bytes, now_);
        if (session_.is_ready() && open_.size() < 5) ask();
        carry_out();
        must(session_.waiting_bytes() < 10'000, "what waits to be sent has a limit");
        if (session_.waiting_bytes() > 1000) session_.take_output();
    }
    void end() {
        session_.stop();
        carry_out();
        must(open_.empty(), "each request ends");
        must(!session_.has_output(), "a session that was stopped says nothing");
    }

  private:
    static Settings settings() {
        Settings settings;
        settings.servers = *parse_server_addresses("nats://h1");
        settings.inbox_token = "T";
        settings.output_limit = 1000;
        return settings;
    }
    void ask() {
        auto id = session_.request({"a", "x"}, now_ + std::chrono::seconds(1));
        if (id.has_value()) open_.insert(*id);
    }
    void carry_out() {
        for (const Action& action : session_.take_actions()) {
            if (const auto* reply = std::get_if<Reply>(&action))
                must(open_.erase(reply->request) == 1, "a request ends once");
            if (const auto* deliver = std::get_if<Deliver>(&action))
                must(deliver->message.subscription == 2, "only subscriptions get messages");
        }
    }

    Session session_;
    Time now_{std::chrono::seconds(1)};
    std::set<RequestId> open_;
};

}  // namespace

void fuzz::target(std::string_view input) {
    std::vector<std::string> whole, cut;
    Parser parser(limits);
    parser.append(input);
    take(parser, whole);
    Parser second(limits);
    for (Pieces pieces(input); !pieces.done();) {
        second.append(pieces.next());
        if (!take(second, cut)) break;
        must(second.buffered() <= limits.message + nats::line_end.size(), "the buffer has a limit");
    }
    must(whole == cut, "the operations do not depend on how the bytes are cut");
    Listener listener;
    for (Pieces pieces(input); !pieces.done();)
        listener.hear(pieces.next());
    listener.end();
}
