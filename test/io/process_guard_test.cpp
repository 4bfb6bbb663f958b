#include "base/text.hpp"
#include "left_behind.hpp"
#include "process/family.hpp"
#include "process/guard.hpp"
#include "process/live_groups.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

using namespace std::chrono_literals;

namespace {

using namespace test;

std::size_t kill_marked(const process::Environment& environment) {
    return process::Family({}, environment).kill();
}

// In passes, as a process that is just becoming another program has no environment for a moment.
bool ends_by_mark(const process::Environment& environment, int pid) {
    auto end = std::chrono::steady_clock::now() + patience;
    while (is_alive(pid) && std::chrono::steady_clock::now() < end)
        kill_marked(environment);
    return !is_alive(pid);
}

}  // namespace

TEST_CASE("marked processes are found whatever their session, and only those with every mark") {
    test::TemporaryDirectory directory;
    process::Environment both = mark("a");
    both.emplace_back("BARNUM_IO_OTHER", "b");
    int pid = start_escapee(both, directory / "pid");
    CHECK(kill_marked({}) == 0);
    CHECK(kill_marked(mark("")) == 0);
    CHECK(kill_marked({mark("a").front(), {"BARNUM_IO_OTHER", "c"}}) == 0);
    CHECK(kill_marked({{"IO_MARK", mark("a").front().second}}) == 0);
    CHECK(is_alive(pid));
    CHECK(ends_by_mark(both, pid));
    CHECK(kill_marked(both) == 0);
}

TEST_CASE("a guard kills what a killed process leaves behind") {
    test::TemporaryDirectory directory;
    process::Environment killed = mark("killed");
    int parent = ::fork();
    if (parent == 0) {
        auto guard = process::Guard::start(killed);
        start_escapee(killed, directory / "pid");
        ::raise(SIGKILL);
    }
    ::waitpid(parent, nullptr, 0);
    int pid = 0;
    std::ifstream(directory / "pid") >> pid;
    REQUIRE(pid > 0);
    CHECK(is_gone_within(pid, patience));
}

namespace {

// Starts `script`, which writes the pid of what it has running to "pid", without an environment.
int start_bare(const test::TemporaryDirectory& directory, const std::string& script) {
    auto shell = process::spawn_shell({script, directory.path(), {}, ""});
    REQUIRE(shell.has_value());
    auto end = std::chrono::steady_clock::now() + patience;
    while (!std::filesystem::exists(directory / "pid") && std::chrono::steady_clock::now() < end)
        ::usleep(1000);
    return shell->pid;
}

constexpr const char* stay = "env -i /bin/sh -c 'echo $$ > new; mv new pid; exec sleep 1000' ";

// A process that listed the group of its `script` and was killed by SIGKILL; the pid that this one wrote.
int left_behind(const std::string& script, bool may_leave, bool listed = true) {
    test::TemporaryDirectory directory;
    int parent = ::fork();
    if (parent == 0) {
        auto guard = process::Guard::start(mark("none"));
        int group = start_bare(directory, script);
        process::add_live_group({group, may_leave});
        if (!listed) process::remove_live_group(group);
        ::raise(SIGKILL);
    }
    ::waitpid(parent, nullptr, 0);
    int pid = 0;
    std::ifstream(directory / "pid") >> pid;
    REQUIRE(pid > 0);
    return pid;
}

// The guard has had its time when the group itself is gone.
bool is_spared(int pid) {
    bool spared = !is_gone_within(pid, 1s);
    ::kill(pid, SIGKILL);
    return spared;
}

const std::string in_the_group = stay + std::string("& wait");
const std::string out_of_the_group = std::string("setsid ") + stay + "& wait";

}  // namespace

TEST_CASE("a guard kills the groups that a killed process had listed, without any mark") {
    CHECK(is_gone_within(left_behind(in_the_group, false), patience));
    CHECK(is_gone_within(left_behind(in_the_group, true), patience));
}

TEST_CASE("a guard kills what has left a group and descends from it, unless it may leave") {
    CHECK(is_gone_within(left_behind(out_of_the_group, false), patience));
    CHECK(is_spared(left_behind(out_of_the_group, true)));
}

namespace {

// Processes whose command line holds `text`, unless they are zombies.
std::vector<int> running(const std::string& text) {
    std::vector<int> found;
    process::Table table = process::Table::now();
    for (const process::ProcessInfo& process : table.processes()) {
        std::ifstream file("/proc/" + std::to_string(process.pid) + "/cmdline", std::ios::binary);
        std::string line;
        std::getline(file, line, '\n');  // an iterator would throw when the process has just ended
        if (line.find(text) != std::string::npos) found.push_back(process.pid);
    }
    return found;
}

bool comes_true(const std::function<bool()>& condition, std::chrono::seconds limit = patience) {
    auto end = std::chrono::steady_clock::now() + limit;
    bool is_true = condition();
    while (!is_true && std::chrono::steady_clock::now() < end) {
        ::usleep(1000);
        is_true = condition();
    }
    return is_true;  // as it was: one that is just becoming another program isn't counted for a moment
}

// Sleepers that can be told by how long they sleep, and what goes on starting them, out of the group and
// without an environment: fast at first, and then for a minute. It sleeps as well in the end, so that none
// loses its parent by itself. The shell of the script becomes no other program: it would show no mark for a
// moment.
class Spawners {
  public:
    explicit Spawners(const std::string& number) : seconds_(base::concat("9", ::getpid(), ".", number)) {}
    ~Spawners() {
        for (int pass = 0; pass < 5; ++pass)
            for (int pid : running(seconds_))
                ::kill(pid, SIGKILL);
    }

    std::string script() const {
        std::string one = "env -i setsid sh -c 'while [ $((i+=1)) -le 1500 ]; do sleep " + seconds_ +
                          " & sleep 0.003; [ $i -le 300 ] || sleep 0.05; done; exec sleep " + seconds_ +
                          "' & ";
        return one + one + one + one + "sleep " + seconds_ + " & wait";
    }
    std::size_t count() const { return running(seconds_).size(); }
    bool have_begun() const {
        return comes_true([&] { return count() > 25; });
    }
    bool are_gone_within(std::chrono::seconds limit) const {
        return comes_true([&] { return count() == 0; }, limit);
    }

  private:
    std::string seconds_;
};

}  // namespace

TEST_CASE("a guard leaves nothing of what forks while it kills") {
    Spawners spawners("1");
    int parent = ::fork();
    if (parent == 0) {
        auto guard = process::Guard::start(mark("none"));
        auto shell = process::spawn_shell({spawners.script(), "/", {}, ""});
        if (shell) process::add_live_group({shell->pid, false});
        if (spawners.have_begun()) ::raise(SIGKILL);
        ::_exit(1);
    }
    int status = 0;
    ::waitpid(parent, &status, 0);
    CHECK(WIFSIGNALED(status));
    CHECK(spawners.are_gone_within(patience));
}

TEST_CASE("a family that is killed leaves nothing of what forks meanwhile, though found by a mark alone") {
    Spawners spawners("2");
    process::Environment marked = mark("spawning");
    auto shell = process::spawn_shell({spawners.script(), "/", marked, ""});
    REQUIRE(shell.has_value());
    REQUIRE(spawners.have_begun());
    process::Family({}, marked).kill();
    CHECK(spawners.are_gone_within(patience));
    ::waitpid(shell->pid, nullptr, 0);
}

TEST_CASE("what a family had when it was told to end goes on, and is killed though its parent has ended") {
    Spawners spawners("3");
    auto shell = process::spawn_shell({spawners.script(), "/", {}, ""});
    REQUIRE(shell.has_value());
    REQUIRE(spawners.have_begun());
    process::Family family({shell->pid});
    family.terminate();
    CHECK(comes_true([&] { return !is_alive(shell->pid); }));
    auto count = spawners.count();
    CHECK(comes_true([&] { return spawners.count() > count; }));
    family.kill();
    CHECK(spawners.are_gone_within(patience));
    ::waitpid(shell->pid, nullptr, 0);
}

TEST_CASE("who was stopped by others stays so when a family is told to end, and dies with it") {
    test::TemporaryDirectory directory;
    int group = start_bare(directory, out_of_the_group);
    int pid = 0;
    std::ifstream(directory / "pid") >> pid;
    REQUIRE(pid > 0);
    ::kill(pid, SIGSTOP);
    REQUIRE(comes_true([&] { return state(pid) == "T"; }));
    process::Family family({group});
    family.terminate();
    CHECK(comes_true([&] { return !is_alive(group); }));
    CHECK(state(pid) == "T");
    CHECK(family.kill() == 1);
    CHECK(is_gone_within(pid, patience));
    ::waitpid(group, nullptr, 0);
}

TEST_CASE("a guard leaves a group alone that was taken off the list") {
    int pid = left_behind(in_the_group, false, false);
    int group = ::getpgid(pid);
    CHECK(is_spared(pid));
    ::kill(-group, SIGKILL);
}

TEST_CASE("a lock that a guard keeps is free when what a killed process left behind is gone") {
    test::TemporaryDirectory directory;
    process::Environment killed = mark("locked");
    int parent = ::fork();
    if (parent == 0) {
        int lock = ::open((directory / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        auto guard = ::flock(lock, LOCK_EX) == 0 ? process::Guard::start(killed, {lock})
                                                 : base::system_error("cannot lock");
        start_escapee(killed, directory / "pid");
        ::raise(SIGKILL);
    }
    ::waitpid(parent, nullptr, 0);
    int pid = 0;
    std::ifstream(directory / "pid") >> pid;
    REQUIRE(pid > 0);
    io::UniqueFd lock(::open((directory / "lock").c_str(), O_RDWR | O_CLOEXEC));
    auto end = std::chrono::steady_clock::now() + patience;
    while (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && std::chrono::steady_clock::now() < end)
        ;
    CHECK_FALSE(is_alive(pid));
    CHECK(::flock(lock.get(), LOCK_EX | LOCK_NB) == 0);
}

TEST_CASE("a guard removes the file that a killed process would leave, before it lets go of the lock") {
    test::TemporaryDirectory directory;
    std::ofstream(directory / "leftover") << "x";
    int parent = ::fork();
    if (parent == 0) {
        int lock = ::open((directory / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (::flock(lock, LOCK_EX) != 0) ::_exit(1);
        auto guard =
            process::Guard::start(mark("leftover"), {lock}, {directory / "leftover", directory / "absent"});
        ::raise(SIGKILL);
    }
    ::waitpid(parent, nullptr, 0);
    io::UniqueFd lock(::open((directory / "lock").c_str(), O_RDWR | O_CLOEXEC));
    REQUIRE(lock);
    while (::flock(lock.get(), LOCK_EX) != 0 && errno == EINTR)
        ;
    CHECK_FALSE(std::filesystem::exists(directory / "leftover"));
}

TEST_CASE("a guard that is let go kills nobody") {
    test::TemporaryDirectory directory;
    int pid = 0;
    {
        auto guard = process::Guard::start(mark("in order"));
        REQUIRE(guard.has_value());
        pid = start_escapee(mark("in order"), directory / "pid");
    }
    CHECK(is_alive(pid));
    CHECK(ends_by_mark(mark("in order"), pid));
}
