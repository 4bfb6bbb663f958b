#include "process/child_process.hpp"

#include "io_helper.hpp"
#include "process/spawn.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <fstream>
#include <sys/wait.h>

using namespace std::chrono_literals;
using process::ChildResult;
using process::ChildSpec;

namespace {

test::asio::awaitable<void> run_into(ChildSpec spec, ChildResult* result) {
    *result = co_await process::run_child(std::move(spec));
}

ChildResult run(ChildSpec spec) {
    std::signal(SIGPIPE, SIG_IGN);
    if (spec.directory.empty()) spec.directory = "/";
    test::asio::io_context loop(1);
    ChildResult result;
    test::run(loop, run_into(std::move(spec), &result));
    return result;
}

ChildSpec script(std::string text) {
    ChildSpec spec;
    spec.script = std::move(text);
    return spec;
}

bool exists(int pid) {
    return ::kill(pid, 0) == 0;
}

// A killed process is gone once init has reaped it.
void check_gone(const std::string& pid_text) {
    int pid = std::stoi(pid_text);
    auto end = std::chrono::steady_clock::now() + test::patience;
    while (exists(pid) && std::chrono::steady_clock::now() < end)
        ::usleep(1000);
    CHECK_FALSE(exists(pid));
}

std::size_t open_descriptors() {
    auto list = std::filesystem::directory_iterator("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(list), end(list)));
}

}  // namespace

TEST_CASE("all of the input is there when the child starts, whatever becomes of its parent") {
    for (std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{65537}, std::size_t{3'000'000}}) {
        process::ShellRequest request{"sleep 0.05; wc -c", "/", {}, std::string(size, 'x')};
        auto shell = process::spawn_shell(request);
        REQUIRE(shell.has_value());
        request.input = "";  // nobody writes any more
        char digits[32] = {};
        REQUIRE(::read(shell->output.get(), digits, sizeof digits - 1) > 0);
        CHECK(std::stoul(digits) == size);
        ::waitpid(shell->pid, nullptr, 0);
    }
}

TEST_CASE("a child gets its input and its output and exit code come back") {
    ChildSpec spec = script("cat; echo oops >&2; exit 3");
    spec.input = "hello";
    ChildResult result = run(spec);
    CHECK(result.end == ChildResult::End::exited);
    CHECK(result.code == 3);
    CHECK(result.output == "hello");
    CHECK(result.error_output == "oops\n");
    CHECK(describe(result) == "exited with code 3");
}

TEST_CASE("a result says what the child and the descendants that it has waited for have used") {
    ChildResult idle = run(script("exec true"));
    CHECK_FALSE(idle.use.peak_memory);  // less than that of the test
    ChildResult busy = run(script("python3 -c 'x = bytearray(400000000); sum(range(10**6))'; sleep 0.2"));
    REQUIRE(busy.succeeded());
    REQUIRE(busy.use.peak_memory);
    CHECK(*busy.use.peak_memory > 400'000'000);
    CHECK(busy.use.cpu > idle.use.cpu);
    // Its descendants' time counts, its waiting does not.
    ChildResult waiting = run(script("sleep 1"));
    CHECK(waiting.use.cpu < 1s);
}

TEST_CASE("8 MB go through cat") {
    ChildSpec spec = script("cat");
    spec.input = std::string(8'000'000, 'x');
    ChildResult result = run(spec);
    CHECK(result.succeeded());
    CHECK((result.output == spec.input.text()));
}

TEST_CASE("a child gets an open file as it stands, and leaves it to its owner") {
    test::TemporaryDirectory directory;
    std::ofstream(directory / "file") << std::string(100'000, 'x') << "end";
    io::UniqueFd file(::open((directory / "file").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    std::filesystem::remove(directory / "file");
    ChildSpec spec = script("tail -c 3; grep flags: /proc/$$/fdinfo/0");
    spec.input = "not this";
    spec.input_file = file.get();
    ChildResult result = run(spec);
    REQUIRE(result.succeeded());
    CHECK(result.output.starts_with("end"));
    std::size_t digits = result.output.find_first_of("01234567");
    REQUIRE(digits != std::string::npos);
    CHECK((std::stoi(result.output.substr(digits), nullptr, 8) & O_NONBLOCK) == 0);
    CHECK(::fcntl(file.get(), F_GETFD) == FD_CLOEXEC);
}

TEST_CASE("a child may leave its input unread") {
    ChildSpec spec = script("exec 0<&-; echo done");
    spec.input = std::string(1'000'000, 'x');
    ChildResult result = run(spec);
    CHECK(result.succeeded());
    CHECK(result.output == "done\n");
}

TEST_CASE("a child runs in its directory, with the variables put over ours") {
    test::TemporaryDirectory directory;
    ::setenv("BARNUM_IO_TEST", "ours", 1);
    ChildSpec spec = script("pwd -P; echo $BARNUM_IO_TEST $OTHER");
    spec.directory = directory.path();
    spec.environment = {{"BARNUM_IO_TEST", "given"}, {"OTHER", "x"}};
    CHECK(run(spec).output == std::filesystem::canonical(directory.path()).string() + "\ngiven x\n");
}

TEST_CASE("a child has only fds 0 to 2, default signals and a process group of its own") {
    int leaked = ::open("/dev/null", O_RDONLY);  // not close-on-exec
    std::signal(SIGUSR1, SIG_IGN);
    ChildResult result =
        run(script("for f in 3 4 5 6 7 8 9; do [ ! -e /proc/$$/fd/$f ] || echo $f; done; "
                   "grep -o 'SigIgn.*' /proc/$$/status; ps -o pgid= $$; echo $$"));
    std::signal(SIGUSR1, SIG_DFL);
    ::close(leaked);
    INFO(result.output << result.error_output);
    std::istringstream words(result.output);
    std::string label, ignored;
    int group = 0;
    int process = -1;
    words >> label >> ignored >> group >> process;
    CHECK(label == "SigIgn:");
    constexpr unsigned long settable = 0x7fffffff;  // 32 and 33 are the C library's own
    CHECK((std::stoul(ignored, nullptr, 16) & settable) == 0);
    CHECK(group == process);
}

TEST_CASE("a timeout ends the whole group, even where SIGTERM is ignored") {
    ChildResult result;
    for (auto timeout = 1s; result.output.empty() && timeout < 100s;
         timeout *= 4) {  // for a shell that is slow
        ChildSpec spec = script("trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000");
        spec.timeout = timeout;
        auto begun = std::chrono::steady_clock::now();
        result = run(spec);
        CHECK(result.end == ChildResult::End::timed_out);
        CHECK(std::chrono::steady_clock::now() - begun >= timeout);
    }
    check_gone(result.output);
}

TEST_CASE("a shell that leaves a child with its pipe behind is done soon after, and the child gone") {
    ChildResult result = run(script("sleep 1000 & echo $!"));
    CHECK(result.succeeded());
    check_gone(result.output);
}

TEST_CASE("endless output is cut off") {
    ChildSpec spec = script("yes");
    spec.max_output = 1'000'000;
    CHECK(run(spec).end == ChildResult::End::too_much_output);
}

TEST_CASE("of stderr the last 64 KiB are kept") {
    ChildResult result = run(script("head -c 300000 /dev/zero | tr '\\0' x >&2; echo end >&2"));
    CHECK(result.error_output.size() == 64 * 1024);
    CHECK(result.error_output.ends_with("xend\n"));
}

TEST_CASE("a child that is killed says by what") {
    ChildResult result = run(script("kill -SEGV $$"));
    CHECK(result.end == ChildResult::End::signalled);
    CHECK(result.code == SIGSEGV);
    CHECK(describe(result) == "was killed by SIGSEGV (11)");
}

TEST_CASE("a directory that isn't there is said") {
    ChildSpec spec = script("true");
    spec.directory = "/no/such/directory";
    ChildResult result = run(spec);
    CHECK(result.end == ChildResult::End::not_started);
    CHECK(result.message.find("/no/such/directory") != std::string::npos);
}

namespace {

test::asio::awaitable<void> cancel_when_started(test::asio::cancellation_signal* signal, std::string path) {
    test::asio::steady_timer timer(co_await test::asio::this_coro::executor);
    while (!std::filesystem::exists(path)) {
        timer.expires_after(5ms);
        co_await timer.async_wait(test::asio::use_awaitable);
    }
    signal->emit(test::asio::cancellation_type::terminal);
}

}  // namespace

// A signal to all: the child dies of it, and whoever waits for the child is cancelled, a few turns of the
// loop later, or when all that is known of the child has been handled.
TEST_CASE("a child that dies of the signal that cancels us is cancelled") {
    constexpr int all = 100;
    for (int turns : {0, 1, 2, all}) {
        test::TemporaryDirectory directory;
        test::asio::io_context loop(1);
        test::asio::cancellation_signal signal;
        ChildResult result;
        bool ended = false;
        ChildSpec spec = script("echo $$ > started.new; mv started.new started; exec sleep 1000");
        spec.directory = directory.path();
        test::asio::co_spawn(
            loop, run_into(std::move(spec), &result),
            test::asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { ended = true; }));
        while (!std::filesystem::exists(directory / "started"))
            loop.run_for(1ms);
        pid_t pid = 0;
        std::ifstream(directory / "started") >> pid;
        REQUIRE(::kill(pid, SIGTERM) == 0);
        siginfo_t dead{};
        REQUIRE(::waitid(P_PID, static_cast<id_t>(pid), &dead, WEXITED | WNOWAIT) == 0);
        for (int turn = 0; turn < turns; ++turn)
            loop.poll_one();
        REQUIRE_FALSE(ended);
        signal.emit(test::asio::cancellation_type::terminal);
        while (!ended)
            loop.run_for(1s);
        CHECK(result.end == ChildResult::End::cancelled);
    }
}

TEST_CASE("a terminal cancellation ends the child and is answered") {
    test::TemporaryDirectory directory;
    test::asio::io_context loop(1);
    test::asio::cancellation_signal signal;
    ChildSpec spec = script("echo $$; touch started; sleep 1000");
    spec.directory = directory.path();
    ChildResult result;
    bool ended = false;
    test::asio::co_spawn(
        loop, run_into(std::move(spec), &result),
        test::asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { ended = true; }));
    test::run(loop, cancel_when_started(&signal, directory / "started"));
    loop.run_for(test::patience);
    CHECK(ended);
    CHECK(result.end == ChildResult::End::cancelled);
    check_gone(result.output);
}

TEST_CASE("what a detached child leaves behind lives on") {
    test::TemporaryDirectory directory;
    ChildSpec spec = script("{ until [ -e go ]; do sleep 0.01; done; touch answer; } &");
    spec.directory = directory.path();
    spec.detached = true;
    CHECK(run(spec).succeeded());
    std::ofstream(directory / "go").close();
    auto end = std::chrono::steady_clock::now() + test::patience;
    while (!std::filesystem::exists(directory / "answer") && std::chrono::steady_clock::now() < end)
        ::usleep(1000);
    CHECK(std::filesystem::exists(directory / "answer"));
}

TEST_CASE(
    "a shell that shares our streams begins only when it is told to, and never if nobody can any more") {
    std::signal(SIGPIPE, SIG_IGN);
    test::TemporaryDirectory directory;
    for (bool told : {true, false}) {
        auto shell = process::spawn_shell(
            {"touch $0 began; cat >input", directory.path(), {}, "", process::ShellStreams::shared});
        REQUIRE(shell.has_value());
        if (told)
            let_begin(*shell);
        else
            shell->begin.reset();
        int status = -1;
        REQUIRE(::waitpid(shell->pid, &status, 0) == shell->pid);
        CHECK((status == 0) == told);
        CHECK(std::filesystem::remove(directory / "began") == told);
        CHECK(std::filesystem::remove(directory / "sh") == told);  // what $0 is by `sh -c`
        CHECK(std::filesystem::remove(directory / "input") == told);
    }
}

TEST_CASE("200 children leave no descriptor and no zombie") {
    run(script("true"));
    std::size_t before = open_descriptors();
    for (int i = 0; i < 200; ++i)
        CHECK(run(script("echo x")).output == "x\n");
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}
