#include "pool_client/agent_news.hpp"

#include "pool_protocol/session.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using pool_client::AgentNews;
using pool_protocol::AgentActivity;

namespace {

AgentNews::Time at(std::chrono::milliseconds time) {
    return AgentNews::Time(1000s + time);
}

AgentActivity doing(std::string text) {
    AgentActivity activity;
    activity.text = std::move(text);
    return activity;
}

// "a-1: Edit"; "claude-1 away", "claude-1 back"
std::vector<std::string> sent(AgentNews& news, std::chrono::milliseconds time) {
    std::vector<std::string> out;
    for (const std::string& frame : news.take_due(at(time))) {
        if (auto notice = pool_protocol::parse_activity_notice(frame))
            out.push_back(notice->agent + ": " + notice->activity.text);
        if (auto away = pool_protocol::parse_agent_away(frame)) out.push_back(away->name + " away");
        if (auto back = pool_protocol::parse_agent_back(frame)) out.push_back(back->name + " back");
    }
    return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("what an agent does is sent at once, and then four times a second at most") {
    AgentNews news;
    CHECK_FALSE(news.next_due());
    news.set_activity("a", doing("1"));
    REQUIRE(news.next_due());
    CHECK(*news.next_due() <= at(0ms));
    CHECK(sent(news, 0ms) == Texts{"a: 1"});
    CHECK_FALSE(news.next_due());
    news.set_activity("a", doing("2"));
    CHECK(sent(news, 249ms).empty());
    news.set_activity("a", doing("3"));
    CHECK(news.next_due() == at(250ms));
    CHECK(sent(news, 250ms) == Texts{"a: 3"});
    CHECK(sent(news, 10s).empty());
    CHECK_FALSE(news.next_due());
}

TEST_CASE("in a second of changes four are sent, and the last one in the end") {
    AgentNews news;
    Texts all;
    for (int i = 0; i < 1000; ++i) {
        news.set_activity("a", doing(std::to_string(i)));
        for (const std::string& one : sent(news, i * 1ms))
            all.push_back(one);
    }
    CHECK(all == Texts{"a: 0", "a: 250", "a: 500", "a: 750"});
    CHECK(news.next_due() == at(1000ms));
    CHECK(sent(news, 1000ms) == Texts{"a: 999"});
}

TEST_CASE("agents do not wait for each other") {
    AgentNews news;
    news.set_activity("a", doing("1"));
    CHECK(sent(news, 0ms) == Texts{"a: 1"});
    news.set_activity("b", doing("1"));
    CHECK(sent(news, 1ms) == Texts{"b: 1"});
    news.set_activity("b", doing("2"));
    news.set_activity("a", doing("2"));
    CHECK(news.next_due() == at(250ms));
}

TEST_CASE("of an agent whose task is over nothing is sent") {
    AgentNews news;
    news.set_activity("a", doing("1"));
    news.end_activity("a");
    CHECK_FALSE(news.next_due());
    CHECK(sent(news, 0ms).empty());
}

TEST_CASE("a new connection is told all that still holds") {
    AgentNews news;
    news.set_activity("a", doing("1"));
    news.set_activity("b", doing("1"));
    news.set_away({"claude-1", {}, "", {}, ""});
    news.set_away({"claude-2", {}, "", {}, ""});
    CHECK(sent(news, 0ms).size() == 4);
    news.end_activity("b");
    news.set_back("claude-2");
    news.begin_anew();
    CHECK(sent(news, 1ms) == Texts{"claude-1 away", "a: 1"});
    CHECK_FALSE(news.next_due());
}

TEST_CASE("an absence and its end are sent at once") {
    AgentNews news;
    news.set_away({"claude-1", {}, "", {}, ""});
    REQUIRE(news.next_due());
    CHECK(sent(news, 0ms) == Texts{"claude-1 away"});
    CHECK(sent(news, 1ms).empty());
    news.set_back("claude-1");
    REQUIRE(news.next_due());
    CHECK(sent(news, 2ms) == Texts{"claude-1 back"});
    CHECK_FALSE(news.next_due());
    news.set_back("claude-1");
    CHECK_FALSE(news.next_due());
}
