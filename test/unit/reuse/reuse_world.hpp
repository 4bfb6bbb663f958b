// A workflow whose tasks' results follow from their steps and values alone, and what a run of it must do,
// worked out without the machine. Many tasks of a run are equal.
#pragma once

#include "random.hpp"
#include "workflow/machine.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace reuse_test {

inline constexpr std::uint32_t step_count = 4;

// What a task is; its value is {"depth":…,"kind":…}, with the members in any order.
struct What {
    std::uint32_t step = 0;
    bool is_finally = false;
    std::uint32_t depth = 0;
    std::uint32_t kind = 0;

    friend auto operator<=>(const What&, const What&) = default;
};

inline constexpr std::array<What, 2> first_tasks{{{0, false, 2, 0}, {1, false, 2, 1}}};

inline std::uint32_t digit_after(const std::string& text, const std::string& name) {
    return static_cast<std::uint32_t>(text.at(text.find(name) + name.size()) - '0');
}

inline What what_of(config::StepId step, bool is_finally, const std::string& value) {
    return {step.value, is_finally, digit_after(value, "\"depth\":"), digit_after(value, "\"kind\":")};
}

// A version of the workflow.
struct World {
    std::uint32_t seed = 0;
    std::array<std::uint32_t, step_count> scripts{};  // the version of each step's script or instructions
    std::array<bool, step_count> has_schema{};
    std::array<bool, step_count> has_finally{};
    std::array<bool, step_count> is_human{};

    std::uint32_t drawn(const What& what, std::uint32_t purpose) const {
        std::uint64_t bits = seed;
        for (std::uint32_t part : {what.step, scripts[what.step], std::uint32_t{what.is_finally}, what.depth,
                                   what.kind, purpose}) {
            bits = (bits ^ part) * 0x9E3779B97F4A7C15;
            bits ^= bits >> 29U;
        }
        return static_cast<std::uint32_t>(bits >> 8U);
    }

    // Whether all attempts fail.
    bool is_broken(const What& what) const { return drawn(what, 0) % 12 == 0; }

    static std::vector<std::uint32_t> next_of(std::uint32_t step) { return {step, (step + 1) % step_count}; }

    // What follows from a success.
    std::vector<What> children(const What& what) const {
        std::vector<What> found;
        if (what.depth == 0) return found;
        std::uint32_t count = drawn(what, 1) % (what.is_finally ? 2 : 4);
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t bits = drawn(what, 2 + i);
            found.push_back({next_of(what.step)[bits % 2], false, what.depth - 1, bits / 2 % 2});
        }
        return found;
    }

    // All that a run from scratch does below the task, and whether it succeeds.
    void expect(const What& what, std::map<What, std::uint32_t>& done,
                std::map<What, std::uint32_t>& dropped) const {
        bool succeeds = !is_broken(what);
        ++(succeeds ? done : dropped)[what];
        if (succeeds)
            for (const What& child : children(what))
                expect(child, done, dropped);
        if (!has_finally[what.step] || what.is_finally) return;
        What finally = what;
        finally.is_finally = true;
        expect(finally, done, dropped);
    }

    // Whether a result of this step in the other version counts in this one.
    bool has_same(const World& other, std::uint32_t step) const {
        bool same = scripts[step] == other.scripts[step] && has_finally[step] == other.has_finally[step];
        for (std::uint32_t next : next_of(step))
            same = same && has_schema[next] == other.has_schema[next];
        return same && has_schema[step] == other.has_schema[step];
    }

    std::string config_text() const {
        std::string text;
        for (std::uint32_t i = 0; i < step_count; ++i) {
            text += text.empty() ? "" : ",";
            text +=
                "{\"name\":\"S" + std::to_string(i) + "\",\"action\":" +
                (is_human[i] ? R"({"kind":"Human","instructions":"v)" : R"({"kind":"Command","script":"v)") +
                std::to_string(scripts[i]) + "\"}";
            if (!is_human[i] || has_finally[i]) text += R"(,"options":{"max_retries":2})";
            text += R"(,"next":["S)" + std::to_string(next_of(i)[0]) + "\",\"S" +
                    std::to_string(next_of(i)[1]) + "\"]";
            if (has_schema[i]) text += R"(,"value_schema":{"type":"object"})";
            if (has_finally[i]) text += R"(,"finally":{"kind":"Command","script":"true"})";
            text += "}";
        }
        return R"({"entrypoint":"S0","steps":[)" + text + "]}";
    }
};

inline World random_world(workflow_test::Random& random) {
    World world;
    world.seed = random.below(1U << 30U);
    for (std::uint32_t i = 0; i < step_count; ++i) {
        world.has_schema[i] = random.one_in(3);
        world.has_finally[i] = random.one_in(2);
        world.is_human[i] = random.one_in(4);
    }
    return world;
}

inline World changed(World world, workflow_test::Random& random) {
    for (std::uint32_t i = 0; i < step_count; ++i) {
        if (random.one_in(5)) ++world.scripts[i];
        if (random.one_in(10)) world.has_schema[i] = !world.has_schema[i];
    }
    return world;
}

// The order of the members is any, and means nothing.
inline config::NewTask task_of(const What& what, bool depth_first) {
    std::string depth = "\"depth\":" + std::to_string(what.depth);
    std::string kind = "\"kind\":" + std::to_string(what.kind);
    return {{what.step}, depth_first ? "{" + depth + "," + kind + "}" : "{" + kind + "," + depth + "}"};
}

}  // namespace reuse_test
