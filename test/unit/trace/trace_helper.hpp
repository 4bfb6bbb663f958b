// A trace for tests, from the text of a log.
#pragma once

#include "../inspect/inspection_helper.hpp"
#include "trace/task_json.hpp"
#include "trace/trace.hpp"

#include <string>

inline trace::Trace traced(const std::string& text) {
    trace::Trace made("LOG");
    auto fed = made.feed(text);
    INFO((fed ? "" : fed.error().message));
    REQUIRE(fed.has_value());
    return made;
}

inline std::string damage_of(const std::string& text) {
    trace::Trace made("LOG");
    auto fed = made.feed(text);
    REQUIRE(fed.has_error());
    CHECK(statelog::is_damage(fed.error()));
    return fed.error().message;
}

inline trace::ReadLine lines_of(const std::string& text) {
    return [&text](std::uint64_t offset) -> base::Result<std::string> {
        return text.substr(offset, text.find('\n', offset) - offset);
    };
}
