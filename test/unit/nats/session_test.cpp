#include "session_helper.hpp"

using Catch::Matchers::Contains;
using namespace test;
using nats::Errc;

namespace {

nats::Authenticate user(std::string name) {
    return [name](std::string_view) -> base::Result<nats::Login> {
        return nats::Login{name, "pw", "", "", ""};
    };
}

}  // namespace

TEST_CASE("a session connects, greets, logs in and is ready") {
    Harness harness;
    CHECK(!harness.session.next_deadline());
    harness.session.start(harness.now);
    CHECK(harness.actions() == Texts{"connect h1:4222"});
    harness.session.connected(user("u"), harness.now);
    CHECK(harness.output().empty());
    CHECK(harness.hear(plain_info).empty());
    std::string output = harness.output();
    CHECK_THAT(output, Catch::StartsWith("CONNECT {") && Contains("\"user\":\"u\"") &&
                           Catch::EndsWith("}\r\nPING\r\n"));
    CHECK(!harness.session.is_ready());
    CHECK(harness.hear("PONG\r\n") == Texts{"ready h1:4222"});
    CHECK(harness.output() == "SUB _INBOX.T.* 1\r\n");
    CHECK(harness.session.server_info().name == "n1");
}

TEST_CASE("the bytes of a server may be cut anywhere") {
    const std::string bytes = plain_info + "PONG\r\nPING\r\nMSG a 2 2\r\nhi\r\n";
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        Harness harness;
        REQUIRE(harness.session.subscribe("a").value() == 2);
        harness.session.start(harness.now);
        harness.session.connected({}, harness.now);
        harness.actions();
        Texts texts = harness.hear(bytes.substr(0, cut));
        for (std::string& text : harness.hear(bytes.substr(cut)))
            texts.push_back(std::move(text));
        CHECK(texts == Texts{"ready h1:4222", "deliver 2 hi"});
        CHECK_THAT(harness.output(), Catch::EndsWith("SUB _INBOX.T.* 1\r\nSUB a 2\r\nPONG\r\n"));
    }
}

TEST_CASE("TLS begins after INFO, and only then the login is sent") {
    std::string info = "INFO {\"headers\":true,\"tls_required\":true}\r\n";
    for (const char* address : {"tls://h1", "nats://h1"}) {
        Harness harness(settings(address));
        harness.session.start(harness.now);
        harness.session.connected(user("u"), harness.now);
        CHECK(harness.hear(info) == Texts{"connect h1:4222", "tls h1"});
        CHECK(harness.output().empty());
        harness.session.secured(harness.now);
        CHECK_THAT(harness.output(), Contains("\"tls_required\":true"));
        CHECK(harness.hear("PONG\r\n") == Texts{"ready h1:4222"});
    }
}

TEST_CASE("where TLS is demanded, nothing is said and nothing heard without it") {
    Harness harness(settings("tls://h1"));
    harness.session.start(harness.now);
    harness.session.connected(user("u"), harness.now);
    harness.actions();
    SECTION("a server without TLS") {
        CHECK(harness.hear(plain_info) ==
              Texts{"disconnect", "failed: the server h1:4222 has no TLS, which is demanded"});
    }
    SECTION("a message behind INFO") {
        Texts texts = harness.hear("INFO {\"headers\":true,\"tls_required\":true}\r\nPONG\r\n");
        CHECK(texts == Texts{"disconnect", "failed: the server h1:4222 sends more than INFO before TLS"});
    }
    SECTION("a message later") {
        harness.hear("INFO {\"headers\":true,\"tls_required\":true}\r\n");
        CHECK(harness.hear("PONG\r\n").size() == 2);
    }
    CHECK(harness.output().empty());
}

TEST_CASE("a refused login is reported in one sentence, and tried again") {
    Harness harness;
    harness.session.start(harness.now);
    harness.session.connected(user("u"), harness.now);
    harness.hear(plain_info);
    Texts texts = harness.hear("-ERR 'Authorization Violation'\r\n");
    CHECK(texts ==
          Texts{"disconnect",
                "failed: the server h1:4222 refuses the credentials: the user, the password or the key is "
                "wrong or not known there (Authorization Violation)"});
    CHECK(std::get<nats::Failed>(std::get<nats::Notice>(harness.taken.back())).error.code ==
          Errc::authorization);
    CHECK(harness.output().empty());
    CHECK(harness.wait() == Texts{"connect h1:4222"});
}

TEST_CASE("a server that demands a login says so if there is none") {
    Harness harness;
    harness.session.start(harness.now);
    harness.session.connected({}, harness.now);
    harness.actions();
    Texts texts = harness.hear(plain_info + "-ERR 'Authorization Violation'\r\n");
    CHECK(texts.back() ==
          "failed: the server h1:4222 demands credentials, and none were given (Authorization Violation)");
}

TEST_CASE("credentials that cannot be used fail the attempt") {
    Harness harness;
    harness.session.start(harness.now);
    harness.session.connected(
        [](std::string_view) -> base::Result<nats::Login> { return base::invalid("no key"); }, harness.now);
    harness.actions();
    CHECK(harness.hear(plain_info) == Texts{"disconnect", "failed: no key"});
}

TEST_CASE("a server without headers is refused") {
    Harness harness;
    harness.session.start(harness.now);
    harness.session.connected({}, harness.now);
    harness.actions();
    CHECK(harness.hear("INFO {\"version\":\"2.1.0\"}\r\n").back() ==
          "failed: the server h1:4222 (version 2.1.0) has no headers: version 2.9 or newer is needed");
}

TEST_CASE("what is no NATS server is reported, and tried again later") {
    Harness harness;
    harness.session.start(harness.now);
    harness.session.connected({}, harness.now);
    harness.actions();
    CHECK(harness.hear("SSH-2.0-OpenSSH_9.2\r\n").back() ==
          "failed: h1:4222: the server sends what is not NATS: SSH-2.0-OpenSSH_9.2");
    CHECK(harness.wait() == Texts{"connect h1:4222"});
}

TEST_CASE("an attempt that takes too long is given up, in each phase") {
    for (int phase = 0; phase < 3; ++phase) {
        Harness harness;
        harness.session.start(harness.now);
        if (phase > 0) harness.session.connected({}, harness.now);
        if (phase > 1) harness.hear(plain_info);
        harness.actions();
        nats::Time begin = harness.now;
        CHECK(harness.wait() == Texts{"disconnect", "failed: the server h1:4222 has not answered in time"});
        CHECK(harness.now - begin == 5s);
        harness.session.connected({}, harness.now);  // too late
        CHECK(harness.actions().empty());
        CHECK(harness.wait() == Texts{"connect h1:4222"});
    }
}

TEST_CASE("a silent server is pinged, and is lost if it stays silent") {
    Harness harness;
    harness.get_ready();
    harness.pass(9s);
    CHECK(harness.output().empty());
    harness.hear("PING\r\n");
    CHECK(harness.output() == "PONG\r\n");
    CHECK(harness.wait().empty());
    CHECK(harness.now == nats::Time(1019s));
    CHECK(harness.output() == "PING\r\n");
    SECTION("any byte shows that it is there") {
        harness.hear("PO");
        CHECK(harness.wait().empty());
        CHECK(harness.now == nats::Time(1029s));
    }
    SECTION("none") {
        CHECK(
            harness.wait() ==
            Texts{"disconnect", "lost: the connection to h1:4222 is lost: nothing was heard of it for 15 s"});
        CHECK(harness.wait() == Texts{"connect h1:4222"});
    }
}

TEST_CASE("the last words of a server are why the connection is lost") {
    Harness harness;
    harness.get_ready();
    CHECK(harness.hear("-ERR 'Stale Connection'\r\n").empty());
    CHECK(harness.lose() == Texts{"disconnect",
                                  "lost: the connection to h1:4222 is lost: the server h1:4222 says: "
                                  "Stale Connection"});
    harness.wait();
    harness.connect();
    harness.hear("-ERR 'User Authentication Expired'\r\n");
    CHECK_THAT(harness.lose().back(), Contains("the credentials for the server h1:4222 have expired"));
    const auto& lost = std::get<nats::Lost>(std::get<nats::Notice>(harness.taken.back()));
    CHECK(lost.error.code == Errc::authorization);
    harness.wait();
    harness.connect();
    CHECK(harness.lose("reset").back() == "lost: the connection to h1:4222 is lost: reset");
}

TEST_CASE("other words are reported, and the connection goes on") {
    Harness harness;
    harness.get_ready();
    CHECK(harness.hear("-ERR 'Invalid Subject'\r\n") ==
          Texts{"refused: the server h1:4222 says: Invalid Subject"});
    CHECK(harness.session.is_ready());
}

TEST_CASE("a server that pings and does not read is left") {
    Harness harness;
    harness.get_ready();
    for (int i = 0; i < 400 && harness.session.is_ready(); ++i)
        harness.session.received("PING\r\n", harness.now);
    CHECK(harness.actions() ==
          Texts{"disconnect", "lost: the connection to h1:4222 is lost: the server h1:4222 does not read"});
}

TEST_CASE("subscriptions are made again on the next connection") {
    Harness harness;
    auto early = harness.session.subscribe("early", "q");
    harness.get_ready();
    CHECK_THAT(harness.first_output, Catch::EndsWith("SUB _INBOX.T.* 1\r\nSUB early q 2\r\n"));
    auto late = harness.session.subscribe("late.>");
    CHECK(harness.output() == "SUB late.> 3\r\n");
    harness.session.unsubscribe(*early);
    CHECK(harness.output() == "UNSUB 2\r\n");
    CHECK(harness.hear("MSG early 2 1\r\nx\r\nMSG late.a 3 1\r\ny\r\n") == Texts{"deliver 3 y"});
    harness.lose();
    harness.wait();
    harness.connect();
    CHECK_THAT(harness.first_output, Catch::EndsWith("SUB _INBOX.T.* 1\r\nSUB late.> 3\r\n"));
    CHECK(*late == 3);
}

TEST_CASE("a lame duck is reported once, and others are tried first") {
    Harness harness(settings("nats://h1,nats://h2"));
    harness.session.start(harness.now);
    std::string first = harness.actions().at(0);
    harness.connect();
    std::string info = "INFO {\"headers\":true,\"ldm\":true}\r\n";
    CHECK(harness.hear(info + info) == Texts{"lame duck " + first.substr(8)});
    harness.lose();
    CHECK(harness.wait().at(0) != first);
}

TEST_CASE("a connection that is given up is lost, and the next one is made") {
    Harness harness;
    harness.session.give_up(error(Errc::disconnected, "too early"), harness.now);
    CHECK(harness.actions().empty());
    harness.get_ready();
    auto request = harness.session.request({"a"}, harness.now + 5s);
    harness.session.give_up(error(Errc::disconnected, "enough"), harness.now);
    std::string lost = "the connection to h1:4222 is lost: enough";
    CHECK(harness.actions() ==
          Texts{"disconnect", "lost: " + lost, "reply " + std::to_string(request->value) + ": " + lost});
    CHECK(!harness.session.has_output());
    harness.session.give_up(error(Errc::disconnected, "again"), harness.now);
    CHECK(harness.actions().empty());
    CHECK(harness.wait() == Texts{"connect h1:4222"});
}

TEST_CASE("a session that was stopped does nothing more") {
    Harness harness;
    harness.get_ready();
    auto request = harness.session.request({"a"}, harness.now + 5s);
    harness.session.stop();
    CHECK(harness.actions() == Texts{"disconnect", "reply " + std::to_string(request->value) +
                                                       ": the connection to the servers was ended"});
    CHECK(!harness.session.next_deadline());
    CHECK(!harness.session.has_output());
    CHECK(harness.session.publish({"a"}).error().code == Errc::disconnected);
    auto flush = harness.session.flush(harness.now + 5s);
    CHECK(harness.actions() ==
          Texts{"reply " + std::to_string(flush.value) + ": the connection to the servers was ended"});
    harness.hear("PING\r\n");
    CHECK(harness.output().empty());
}
