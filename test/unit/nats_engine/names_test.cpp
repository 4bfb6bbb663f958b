#include "nats_engine/names.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <set>

using namespace nats_engine;

namespace {

edge::Queue queue(std::vector<std::string> labels, std::int32_t priority = 0) {
    return {*base::Labels::of(std::move(labels)), priority};
}

}  // namespace

TEST_CASE("a task's id fits into a subject, and comes back") {
    Names names("p");
    for (std::string id : {std::string("t1"), std::string("run.2-step_3.a1"), std::string(200, 'x')}) {
        CHECK(is_task_id(id));
        CHECK(names.task_of(names.task("c", id)) == edge::TaskId(id));
        CHECK(names.task_of(names.record(id)) == edge::TaskId(id));
        CHECK(names.task_of(names.notice(id)) == edge::TaskId(id));
    }
    for (std::string id :
         {std::string(), std::string(".a"), std::string("-a"), std::string("a b"), std::string("a*"),
          std::string("a~b"), std::string("\xc3\xa4"), std::string(201, 'x')}) {
        CAPTURE(id);
        CHECK(!is_task_id(id));
    }
    for (const char* subject :
         {"troupe.other.r.a", "troupe.p.x.a", "troupe.p.r.", "troupe.p.r.a b", "troupe.p.r.-a"})
        CHECK(!names.task_of(subject));
    CHECK(!names.task_of("a"));
}

TEST_CASE("the names of a pool") {
    Names names("p");
    CHECK(names.queue_stream() == "TROUPE_p_Q");
    CHECK(names.record_stream() == "TROUPE_p_R");
    CHECK(names.all_tasks() == "troupe.p.q.>");
    CHECK(names.all_records() == "troupe.p.r.>");
    CHECK(names.all_notices() == "troupeev.p.r.>");
    CHECK(names.task("c", "a.b") == "troupe.p.q.c.a~b");
    CHECK(names.tasks_of("c") == "troupe.p.q.c.*");
    CHECK(names.record("a.b") == "troupe.p.r.a~b");
    CHECK(names.notice("a.b") == "troupeev.p.r.a~b");
    CHECK(names.control("h1.example") == "troupectl.p.edge.h1~example");
    CHECK(names.everyone() == "troupectl.p.all");
}

TEST_CASE("a queue's consumer is named after its labels and its priority") {
    CHECK(consumer_name(queue({}, 0)) == "p0_2d06800538d394c2");
    CHECK(consumer_name(queue({"gpu"}, 10)).starts_with("p10_"));
    CHECK(consumer_name(queue({"gpu"}, -5)).starts_with("m5_"));
    CHECK(consumer_name(queue({}, std::numeric_limits<std::int32_t>::min())).starts_with("m2147483648_"));
    CHECK(consumer_name(queue({"b", "a"})) == consumer_name(queue({"a", "b"})));
    std::set<std::string> names;
    for (const auto& one :
         {queue({}), queue({"a"}), queue({"b"}), queue({"a", "b"}), queue({"a"}, 1), queue({"a"}, -1)})
        names.insert(consumer_name(one));
    CHECK(names.size() == 6);
}

TEST_CASE("a queue is read from its description") {
    for (const auto& one :
         {queue({}), queue({"a", "b/c:d"}, 7), queue({"x"}, std::numeric_limits<std::int32_t>::min())})
        CHECK(parse_queue_description(queue_description(one)) == one);
    CHECK(queue_description(queue({"b", "a"}, -3)) == R"({"labels":["a","b"],"priority":-3})");
    for (const char* wrong : {"", "x", "[]", "{}", R"({"labels":[]})", R"({"priority":1})",
                              R"({"labels":"a","priority":1})", R"({"labels":["a b"],"priority":1})",
                              R"({"labels":[],"priority":2147483648})", R"({"labels":[],"priority":1.5})"}) {
        CAPTURE(wrong);
        CHECK(!parse_queue_description(wrong));
    }
}

TEST_CASE("subjects that differ by a task have the same permissions") {
    Names names("p");
    CHECK(names.kind_of("troupe.p.r.t1") == "troupe.p.r.>");
    CHECK(names.kind_of("troupe.p.q.c.t1") == "troupe.p.q.>");
    CHECK(names.kind_of("troupeev.p.r.t1") == "troupeev.p.r.>");
    CHECK(names.kind_of("troupectl.p.edge.h1") == "troupectl.p.edge.>");
    CHECK(names.kind_of("$JS.ACK.S.c.1.2.3.4.5") == "$JS.ACK.>");
    CHECK(names.kind_of("$JS.API.CONSUMER.MSG.NEXT.S.c") == "$JS.API.CONSUMER.MSG.NEXT.>");
    CHECK(names.kind_of("$JS.API.STREAM.INFO.S") == "$JS.API.STREAM.INFO.S");
}
