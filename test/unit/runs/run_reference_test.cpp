#include "runs/run_reference.hpp"

#include "runs/run_state.hpp"

#include <boost/system/errc.hpp>
#include <catch2/catch.hpp>

namespace {

using namespace runs;
namespace errc = boost::system::errc;

RunRecord run(std::string id, int started, std::string name = "", std::string directory = "/w") {
    RunRecord made;
    made.id = std::move(id);
    made.name = std::move(name);
    made.directory = std::move(directory);
    made.started = Time(std::chrono::milliseconds(started));
    return made;
}

// The last one's name is the beginning of another one's id.
const std::vector<RunRecord> records{run("aaaa1111", 1, "nightly"), run("aaaa2222", 3, "", "/other"),
                                     run("bbbb1111", 2, "nightly"), run("bbbb", 0),
                                     run("dddd1111", -2),           run("eeee", -1, "dddd")};

}  // namespace

TEST_CASE("a run is named by its id, its name, the beginning of its id, last or @") {
    CHECK(find_run("aaaa1111", records, "/w").value() == 0);
    CHECK(find_run("nightly", records, "/w").value() == 2);  // started after the other one
    CHECK(find_run("aaaa1", records, "/w").value() == 0);
    CHECK(find_run("bbbb", records, "/w").value() == 3);  // an id, although another one begins so
    CHECK(find_run("bbbb1", records, "/w").value() == 2);
    CHECK(find_run("last", records, "/w").value() == 1);
    CHECK(find_run("@", records, "/w").value() == 2);
    CHECK(find_run("@", records, "/other").value() == 1);
}

TEST_CASE("what names no run, or several, is refused") {
    auto unknown = [](std::string_view reference, std::string_view directory = "/w") {
        auto found = find_run(reference, records, directory);
        REQUIRE(found.has_error());
        return found.error();
    };
    CHECK(unknown("cccc").code == errc::no_such_file_or_directory);
    CHECK(unknown("aaa").message.find("at least 4 characters") != std::string::npos);
    CHECK(unknown("@", "/nowhere").message == "no run was started in /nowhere");
    CHECK(unknown("aaaa").code == errc::invalid_argument);
    CHECK(unknown("aaaa").message.find("aaaa1111  nightly") != std::string::npos);
    CHECK(unknown("dddd").message.find("eeee  dddd") != std::string::npos);
    CHECK(unknown("").code == errc::no_such_file_or_directory);
    CHECK(find_run("last", {}, "/w").error().message == "there is no run yet");
}

TEST_CASE("a name cannot be mistaken for something else") {
    for (const char* good : {"nightly", "a", "2026-11-23", "v1.2_x", "lastly"})
        CHECK(is_name(good));
    for (const char* bad : {"", "last", "@", "-x", ".x", "a/b", "a b", "caf\xc3\xa9", "a\n"})
        CHECK_FALSE(is_name(bad));
    CHECK(is_name(std::string(64, 'x')));
    CHECK_FALSE(is_name(std::string(65, 'x')));
}

TEST_CASE("the newest run that continues a run that was resumed") {
    auto resumed = [](std::string id, int started, std::string resumes) {
        RunRecord made = run(id, started);
        made.resumes = std::move(resumes);
        return made;
    };
    std::vector<RunRecord> chain{resumed("a", 1, ""), resumed("b", 2, "a"), resumed("c", 3, "a"),
                                 resumed("d", 4, "c"), resumed("loop", 5, "loop")};
    CHECK(last_in_chain(chain, "a") == 3U);
    CHECK(last_in_chain(chain, "c") == 3U);
    CHECK_FALSE(last_in_chain(chain, "b"));
    CHECK_FALSE(last_in_chain(chain, "none"));
    CHECK(last_in_chain(chain, "loop") == 4U);
}

TEST_CASE("the state of a run whose record is damaged") {
    RunRecord damaged = run("a", 1);
    damaged.is_damaged = true;
    CHECK(state_of(damaged, Liveness::alive, false) == RunState::running);
    CHECK(state_of(damaged, Liveness::dead, true) == RunState::resumed);
    CHECK(state_of(damaged, Liveness::dead, false) == RunState::damaged);
    CHECK(is_resumable(damaged, RunState::damaged));
    damaged.end = RunEnd{damaged.started, 0, "finished"};  // its log says so
    CHECK(state_of(damaged, Liveness::dead, false) == RunState::damaged);
    CHECK_FALSE(is_resumable(damaged, RunState::damaged));
    CHECK(state_name(RunState::damaged) == "damaged");
}

TEST_CASE("the state of a run") {
    RunRecord living = run("a", 1);
    living.tasks.left = 2;
    CHECK(state_of(living, Liveness::alive, false) == RunState::running);
    CHECK(state_of(living, Liveness::dead, false) == RunState::lost);
    RunRecord paused = living;
    paused.is_paused = true;
    CHECK(state_of(paused, Liveness::alive, false) == RunState::paused);
    CHECK(state_of(paused, Liveness::dead, false) == RunState::lost);
    CHECK_FALSE(is_resumable(paused, RunState::paused));
    auto ended = [&](int code, std::string result) {
        RunRecord record = living;
        record.end = RunEnd{Time(), code, std::move(result)};
        return record;
    };
    CHECK(state_of(ended(0, "finished"), Liveness::dead, false) == RunState::finished);
    CHECK(state_of(ended(1, "failed"), Liveness::dead, false) == RunState::failed);
    CHECK(state_of(ended(130, "interrupted"), Liveness::dead, false) == RunState::interrupted);
    auto waiting = ended(75, "waiting_for_human");
    CHECK(state_of(waiting, Liveness::dead, false) == RunState::waiting);
    CHECK(state_of(waiting, Liveness::dead, true) == RunState::resumed);
    CHECK(state_name(RunState::waiting) == "waiting");
    CHECK(state_name(RunState::resumed) == "resumed");
    waiting.tasks.left = 1;
    CHECK(is_resumable(waiting, RunState::waiting));
    CHECK(state_of(ended(69, "pool_unreachable"), Liveness::alive, false) == RunState::failed);
    CHECK(state_of(living, Liveness::dead, true) == RunState::resumed);
    CHECK(state_of(living, Liveness::alive, true) == RunState::resumed);
    CHECK(is_resumable(living, RunState::lost));
    CHECK_FALSE(is_resumable(living, RunState::resumed));
    CHECK(is_resumable(living, RunState::failed));
    CHECK_FALSE(is_resumable(living, RunState::running));
    CHECK_FALSE(is_resumable(run("a", 1), RunState::failed));  // its tasks are all done or dropped
}

TEST_CASE("a run between two others that stay is a link") {
    std::vector<RunRecord> records{run("a", 1), run("b", 2), run("c", 3), run("d", 4)};
    records[1].resumes = "a";
    records[2].resumes = "b";
    auto link = link_among({"b"}, records);
    REQUIRE(link);
    CHECK(link->id == "b");
    CHECK(link->earlier == "a");
    CHECK(link->later == "c");
    for (const std::vector<std::string>& ids : std::vector<std::vector<std::string>>{
             {"a"}, {"c"}, {"d"}, {"a", "b"}, {"b", "c"}, {"a", "b", "c"}, {"unknown"}})
        CHECK_FALSE(link_among(ids, records));
    records.erase(records.begin());
    CHECK_FALSE(link_among({"b"}, records));
}
