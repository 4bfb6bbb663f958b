// A dialog with a child: stdin that stays open, and output as it arrives.
#include "io_helper.hpp"
#include "process/child_process.hpp"

#include <csignal>

using process::ChildDialog;
using process::ChildResult;
using process::ChildSpec;

namespace {

// A child, and what it has printed.
struct Talk {
    explicit Talk(std::string script) {
        std::signal(SIGPIPE, SIG_IGN);
        spec.script = std::move(script);
        spec.directory = "/";
        spec.stop = std::make_shared<process::ChildStop>();
        spec.dialog = std::make_shared<ChildDialog>(
            [this](std::string_view piece) {
                output += piece;
                if (on_output) on_output();
            },
            [this](std::string_view piece) { error_output += piece; });
    }

    ChildResult run() {
        test::asio::io_context loop(1);
        ChildResult result;
        test::run(loop, [](ChildSpec child, ChildResult& into) -> test::asio::awaitable<void> {
            into = co_await process::run_child(std::move(child));
        }(spec, result));
        return result;
    }

    ChildSpec spec;
    std::string output, error_output;
    std::function<void()> on_output;
};

}  // namespace

TEST_CASE("a child reads what is sent to it while it runs") {
    Talk talk("while read -r line; do echo \"got $line\"; done; echo end; echo noise >&2");
    talk.spec.dialog->send("one\n");
    talk.on_output = [&] {
        if (talk.output == "got one\n") talk.spec.dialog->send("two\n");
        if (talk.output == "got one\ngot two\n") talk.spec.dialog->close_input();
    };
    ChildResult result = talk.run();
    CHECK(result.succeeded());
    CHECK(talk.output == "got one\ngot two\nend\n");
    CHECK(talk.error_output == "noise\n");
    CHECK(result.output.empty());
}

TEST_CASE("a dialog carries megabytes both ways at the same time") {
    Talk talk("cat");
    std::string sent(5'000'000, 'x');
    talk.spec.dialog->send(sent);
    talk.spec.dialog->close_input();
    CHECK(talk.run().succeeded());
    CHECK(talk.output == sent);
}

TEST_CASE("a dialog with a child that reads nothing ends with the child") {
    Talk talk("exec 0<&-; echo started; exit 7");
    talk.spec.dialog->send(std::string(5'000'000, 'x'));
    ChildResult result = talk.run();
    CHECK(result.end == ChildResult::End::exited);
    CHECK(result.code == 7);
    CHECK(talk.output == "started\n");
}

TEST_CASE("a child in a dialog can be ended, which then has not been closed") {
    Talk talk("echo started; exec sleep 1000");
    talk.on_output = [&] { talk.spec.stop->request(); };
    CHECK(talk.run().end == ChildResult::End::cancelled);
}

TEST_CASE("a child gets variables that are not a part of its mark") {
    Talk talk("echo $BARNUM_IO_TEST $OTHER");
    talk.spec.environment = {{"BARNUM_IO_TEST", "mark"}};
    talk.spec.unmarked = {{"OTHER", "more"}};
    talk.spec.dialog->close_input();
    talk.run();
    CHECK(talk.output == "mark more\n");
}

TEST_CASE("a script has arguments, and its name in messages stays sh") {
    Talk talk("exec printf '%s|' \"$0\" \"$@\"");
    talk.spec.arguments = {"a b", "", "$HOME '"};
    talk.spec.dialog->close_input();
    talk.run();
    CHECK(talk.output == "sh|a b||$HOME '|");
}
