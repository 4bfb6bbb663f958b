#include "nats/api.hpp"

#include "json/json.hpp"
#include "nats/api_error.hpp"
#include "nats/error.hpp"
#include "nats/headers.hpp"

#include <catch2/catch.hpp>

#include <string>

using Catch::Matchers::Contains;
using namespace nats;
using namespace std::chrono_literals;

namespace {

Message reply(std::string payload) {
    Message message;
    message.payload = std::move(payload);
    return message;
}

Message with_headers(std::string headers, std::string payload = {}) {
    Message message = reply(std::move(payload));
    message.headers = std::move(headers);
    return message;
}

}  // namespace

TEST_CASE("the calls have the subjects and bodies of the API") {
    struct Row {
        ApiCall call;
        const char* subject;
        const char* body;
    };
    for (const Row& row : {
             Row{nats::stream_info("S"), "$JS.API.STREAM.INFO.S", ""},
             Row{consumer_info("S", "c"), "$JS.API.CONSUMER.INFO.S.c", ""},
             Row{last_by_leader("S", "a.b"), "$JS.API.STREAM.MSG.GET.S", R"({"last_by_subj":"a.b"})"},
             Row{last_direct("S", "a\"b"), "$JS.API.DIRECT.GET.S", R"({"last_by_subj":"a\"b"})"},
             Row{delete_message("S", 7), "$JS.API.STREAM.MSG.DELETE.S", R"({"seq":7,"no_erase":true})"},
             Row{purge("S", "a.>"), "$JS.API.STREAM.PURGE.S", R"({"filter":"a.>"})"},
             Row{purge("S", "a.>", 9), "$JS.API.STREAM.PURGE.S", R"({"filter":"a.>","seq":9})"},
             Row{purge("S", "", 9), "$JS.API.STREAM.PURGE.S", R"({"seq":9})"},
             Row{list_consumers("S", 256), "$JS.API.CONSUMER.LIST.S", R"({"offset":256})"},
             Row{pull("S", "c", {10, 30s, 5s}), "$JS.API.CONSUMER.MSG.NEXT.S.c",
                 R"({"batch":10,"expires":30000000000,"idle_heartbeat":5000000000})"},
             Row{pull("S", "c", {1}), "$JS.API.CONSUMER.MSG.NEXT.S.c", R"({"batch":1,"no_wait":true})"},
         }) {
        CHECK(row.call.subject == row.subject);
        CHECK(row.call.body == row.body);
    }
    CHECK(not_now(0s) == "-NAK");
    CHECK(not_now(2s) == R"(-NAK {"delay":2000000000})");
}

TEST_CASE("a configuration that is sent and read again is the same") {
    StreamConfig stream;
    stream.name = "S";
    stream.subjects = {"a.>", "b\"c"};
    stream.is_queue = stream.refuses_new = stream.refuses_new_per_subject = stream.allows_direct = true;
    stream.most_per_subject = 1;
    stream.most_messages = 1'000'000;
    stream.most_bytes = 1 << 30;
    stream.longest_message = 1000;
    stream.max_age = 24h;
    stream.duplicate_window = 90s;
    stream.replicas = 3;
    stream.republish_from = "a.>";
    stream.republish_to = "e.>";
    ApiCall call = create_stream(stream);
    CHECK(call.subject == "$JS.API.STREAM.CREATE.S");
    auto info = parse_stream_info(reply(
        R"({"config":)" + call.body +
        R"(,"state":{"messages":3,"bytes":300,"first_seq":5,"last_seq":9},"created":"2026-11-21T12:00:00.000000001Z"})"));
    REQUIRE(info.has_value());
    CHECK(info->config == stream);
    CHECK(info->created == WallTime(1'795'262'400s + 1ns));
    CHECK(info->messages == 3);
    CHECK(info->bytes == 300);
    CHECK(info->first_sequence == 5);
    CHECK(info->last_sequence == 9);
    CHECK((info->has_leader && info->replicas.empty()));

    ConsumerConfig consumer{"c", "a.>", 12s, -1, 200'000, 10'000, "what it is for"};
    call = create_consumer("S", consumer);
    CHECK(call.subject == "$JS.API.CONSUMER.DURABLE.CREATE.S.c");
    auto sent = json::checked(call.body);
    REQUIRE(sent.has_value());
    CHECK(sent->find("stream_name")->is_string("S"));
    auto consumed = parse_consumer_info(
        reply(R"({"config":)" + std::string(sent->find("config")->text()) +
              R"(,"num_pending":4,"num_ack_pending":2,"num_redelivered":1,"num_waiting":6,)"
              R"("ack_floor":{"consumer_seq":1,"stream_seq":8}})"));
    REQUIRE(consumed.has_value());
    CHECK(consumed->config == consumer);
    CHECK(consumed->waiting_messages == 4);
    CHECK(consumed->unacknowledged == 2);
    CHECK(consumed->redelivered == 1);
    CHECK(consumed->waiting_pulls == 6);
    CHECK(consumed->acknowledged_up_to == 8);
}

TEST_CASE("consumers are listed in pieces") {
    auto list = parse_consumer_list(reply(
        R"({"total":3,"offset":0,"limit":2,"consumers":[{"config":{"durable_name":"a","description":"x"},"num_pending":4},{"name":"b"}]})"));
    REQUIRE(list.has_value());
    CHECK(list->total == 3);
    REQUIRE(list->consumers.size() == 2);
    CHECK(list->consumers[0].config.name == "a");
    CHECK(list->consumers[0].config.description == "x");
    CHECK(list->consumers[0].waiting_messages == 4);
    CHECK(list->consumers[1].config.name.empty());
    for (const char* none : {R"({"total":0,"consumers":[]})", R"({"total":0,"consumers":null})"})
        CHECK(parse_consumer_list(reply(none))->consumers.empty());
    CHECK(parse_consumer_list(reply(R"({"total":1,"consumers":[7]})"))->consumers.size() == 1);
}

TEST_CASE("an error of the API has its code and the server's words") {
    auto refused = parse_stored(reply(
        R"({"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 5"},"stream":"S","seq":0})"));
    REQUIRE(refused.has_error());
    CHECK(refused.error().code == ApiErrc::wrong_last_sequence);
    CHECK(refused.error().message == "wrong last sequence: 5 (error 10071)");
    CHECK(parse_stream_info(reply(R"({"error":{"code":404}})")).error().code.value() == 404);
    CHECK(parse_purged(reply(R"({"error":{}})")).has_error());
}

TEST_CASE("what was published is stored, or was there before") {
    auto stored = parse_stored(reply(R"({"stream":"S","seq":12})"));
    REQUIRE(stored.has_value());
    CHECK(stored->sequence == 12);
    CHECK(!stored->is_duplicate);
    CHECK(parse_stored(reply(R"({"stream":"S","seq":12,"duplicate":true})"))->is_duplicate);
}

TEST_CASE("the leader's message has headers and payload in Base64") {
    auto read = parse_message_of_leader(reply(
        R"({"message":{"subject":"a.b","seq":3,"hdrs":"TkFUUy8xLjANCkE6IGINCg0K","data":"aGVsbG8=","time":"x"}})"));
    REQUIRE(read.has_value());
    REQUIRE(read->has_value());
    CHECK((*read)->subject == "a.b");
    CHECK((*read)->sequence == 3);
    CHECK((*read)->payload == "hello");
    CHECK(header((*read)->headers, "A") == "b");
    CHECK((*parse_message_of_leader(reply(R"({"message":{"subject":"a","seq":3}})")))->payload.empty());
    auto none = parse_message_of_leader(
        reply(R"({"error":{"code":404,"err_code":10037,"description":"no message found"}})"));
    REQUIRE(none.has_value());
    CHECK(!none->has_value());
    CHECK(parse_message_of_leader(reply(R"({"error":{"code":404,"err_code":10059}})")).has_error());
}

TEST_CASE("the message of a replica has its place in its headers") {
    auto read = parse_direct_message(
        with_headers("NATS/1.0\r\nNats-Stream: S\r\nNats-Subject: a.b\r\nNats-Sequence: 3\r\n\r\n", "hello"));
    REQUIRE(read.has_value());
    CHECK((*read)->subject == "a.b");
    CHECK((*read)->sequence == 3);
    CHECK((*read)->payload == "hello");
    auto none = parse_direct_message(with_headers("NATS/1.0 404 Message Not Found\r\n\r\n"));
    REQUIRE(none.has_value());
    CHECK(!none->has_value());
    CHECK_THAT(parse_direct_message(with_headers("NATS/1.0 408 Bad Request\r\n\r\n")).error().message,
               Contains("Bad Request"));
    CHECK(parse_direct_message(reply("x")).has_error());
}

TEST_CASE("messages are deleted and purged") {
    CHECK(*parse_deleted(reply(R"({"success":true})")));
    CHECK(!*parse_deleted(reply(R"({"error":{"err_code":10037}})")));
    CHECK(!*parse_deleted(reply(R"({"error":{"err_code":10057,"description":"no message found"}})")));
    CHECK(parse_deleted(reply(R"({"error":{"err_code":10057,"description":"other"}})")).has_error());
    CHECK(*parse_purged(reply(R"({"success":true,"purged":5})")) == 5);
}

TEST_CASE("an answer of another form is an error") {
    for (const char* wrong : {"", "[]", "x", "{}", R"({"stream":1,"seq":"x"})", R"({"config":{"name":1}})",
                              R"({"message":{"subject":"a","seq":1,"data":"!"}})"}) {
        CAPTURE(wrong);
        CHECK(parse_stored(reply(wrong)).error().code == Errc::protocol);
        CHECK(parse_stream_info(reply(wrong)).error().code == Errc::protocol);
        CHECK(parse_consumer_info(reply(wrong)).error().code == Errc::protocol);
        CHECK(parse_consumer_list(reply(wrong)).error().code == Errc::protocol);
        CHECK(parse_message_of_leader(reply(wrong)).error().code == Errc::protocol);
        CHECK(parse_purged(reply(wrong)).error().code == Errc::protocol);
    }
}

TEST_CASE("a stream is changed in the named members only, and keeps those that are not known here") {
    auto found = parse_stream_info(reply(
        R"({"config":{"name":"S","max_age":5,"max_msgs":7,"placement":{"tags":["ssd"]}},"cluster":{"name":"c","replicas":)"
        R"([{"name":"n2","current":true,"lag":0},{"name":"n3","current":false,"offline":true}]}})"));
    REQUIRE(found.has_value());
    CHECK(!found->has_leader);
    REQUIRE(found->replicas.size() == 2);
    CHECK((found->replicas[0].is_current && !found->replicas[0].is_offline));
    CHECK((found->replicas[1].server == "n3" && !found->replicas[1].is_current &&
           found->replicas[1].is_offline));
    StreamConfig wanted;
    wanted.name = "S";
    wanted.republish_from = "a.>";
    wanted.republish_to = "e.>";
    ApiCall call = update_stream(*found, wanted, {"max_msgs", "republish"});
    CHECK(call.subject == "$JS.API.STREAM.UPDATE.S");
    CHECK(call.body == R"({"name":"S","max_age":5,"placement":{"tags":["ssd"]},"max_msgs":-1,)"
                       R"("republish":{"src":"a.>","dest":"e.>"}})");
}

TEST_CASE("what an account has and may have") {
    auto account = parse_account_info(
        reply(R"({"storage":10,"streams":2,"consumers":3,"limits":{"max_storage":100,"max_streams":-1,)"
              R"("max_consumers":5,"max_ack_pending":20,"max_bytes_required":true}})"));
    REQUIRE(account.has_value());
    CHECK((account->stored_bytes == 10 && account->most_stored_bytes == 100));
    CHECK((account->streams == 2 && account->most_streams == -1));
    CHECK((account->consumers == 3 && account->most_consumers == 5));
    CHECK((account->most_unacknowledged == 20 && account->demands_stream_limits));
    CHECK(!account->has_limits_by_replicas);
    CHECK(parse_account_info(reply(R"({"limits":{},"tiers":{"R3":{}}})"))->has_limits_by_replicas);
    CHECK(parse_account_info(reply("{}")).has_error());
    auto off = parse_account_info(
        reply(R"({"error":{"code":503,"err_code":10039,"description":"not enabled for account"}})"));
    CHECK(off.error().code == ApiErrc::not_enabled_for_account);
}

TEST_CASE("the reply subject of a message says what was delivered") {
    auto delivery = parse_delivery("$JS.ACK.S.c.2.15.30.1700000000000000001.7");
    REQUIRE(delivery);
    CHECK(delivery->stream == "S");
    CHECK(delivery->consumer == "c");
    CHECK(delivery->count == 2);
    CHECK(delivery->sequence == 15);
    CHECK(delivery->time.time_since_epoch().count() == 1'700'000'000'000'000'001);
    CHECK(delivery->waiting == 7);
    auto newer = parse_delivery("$JS.ACK.domain.HASH.S.c.2.15.30.1700000000000000001.7.token");
    REQUIRE(newer);
    CHECK(newer->stream == "S");
    CHECK(newer->waiting == 7);
    for (const char* wrong : {"", "a.b", "$JS.ACK.S.c.2.15.30.1.x", "$JS.ACK.S.c.2.15.30.1",
                              "$JS.NAK.S.c.2.15.30.1.7", "$JS.ACK.d.S.c.2.15.30.1.7"})
        CHECK(!parse_delivery(wrong));
}
