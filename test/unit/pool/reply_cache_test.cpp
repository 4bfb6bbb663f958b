#include "pool/reply_cache.hpp"

#include <catch2/catch.hpp>

using namespace pool;
using namespace std::chrono_literals;

namespace {

const Time start{};

std::string id_of(std::size_t number) {
    return "s" + std::to_string(number);
}

}  // namespace

TEST_CASE("the reply cache knows an id and its first answer") {
    ReplyCache cache;
    cache.remember("s", "first", start);
    cache.remember("s", "second", start);
    CHECK(cache.contains("s"));
    CHECK(cache.answer("s") == "first");
    CHECK_FALSE(cache.contains("other"));
    CHECK_FALSE(cache.answer("other"));
}

TEST_CASE("the reply cache forgets an id after an hour, when it is used next") {
    ReplyCache cache;
    cache.remember("old", "1", start);
    cache.remember("young", "2", start + 1min);
    cache.remember("now", "3", start + ReplyCache::lifetime);
    CHECK(cache.contains("old"));
    cache.remember("later", "4", start + ReplyCache::lifetime + 1ms);
    CHECK_FALSE(cache.contains("old"));
    CHECK(cache.answer("young") == "2");
}

TEST_CASE("an id that was forgotten is remembered anew") {
    ReplyCache cache;
    cache.remember("s", "first", start);
    cache.remember("s", "second", start + 2h);
    CHECK(cache.answer("s") == "second");
}

TEST_CASE("without room the reply cache drops the oldest answers, and still knows their ids") {
    ReplyCache cache;
    const std::string half(ReplyCache::max_text_bytes / 2, 'x');
    for (const char* id : {"a", "b", "c"})
        cache.remember(id, half, start);
    CHECK(cache.contains("a"));
    CHECK_FALSE(cache.answer("a"));
    CHECK(cache.answer("b") == half);
    CHECK(cache.answer("c") == half);
}

TEST_CASE("an answer that is larger than the reply cache leaves its id") {
    ReplyCache cache;
    cache.remember("small", "1", start);
    cache.remember("large", std::string(ReplyCache::max_text_bytes + 1, 'x'), start);
    CHECK(cache.contains("large"));
    CHECK_FALSE(cache.answer("large"));
    cache.remember("next", "2", start);
    CHECK(cache.answer("next") == "2");
}

TEST_CASE("expired ids give back the room of their answers") {
    ReplyCache cache;
    const std::string half(ReplyCache::max_text_bytes / 2, 'x');
    cache.remember("a", half, start);
    cache.remember("b", half, start);
    cache.remember("c", half, start + 2h);
    cache.remember("d", half, start + 2h);
    CHECK(cache.answer("c") == half);
    CHECK(cache.answer("d") == half);
}

TEST_CASE("the reply cache knows a bounded number of ids, the latest ones") {
    ReplyCache cache;
    for (std::size_t number = 0; number < ReplyCache::max_ids + 10; ++number)
        cache.remember(id_of(number), "1", start);
    CHECK_FALSE(cache.contains(id_of(0)));
    CHECK(cache.contains(id_of(9)));  // one more than the bound, until the next is remembered
    CHECK(cache.contains(id_of(ReplyCache::max_ids + 9)));
}
