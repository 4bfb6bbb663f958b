#include "pool/agent_files.hpp"

#include <catch2/catch.hpp>

using namespace pool;
using Task = AgentFiles::Task;

namespace {

AgentFiles leased() {
    AgentFiles files;
    files.lease = files.ready = true;
    files.task = Task::content;
    return files;
}

AgentFiles unleased(Task task) {
    AgentFiles files;
    files.ready = true;
    files.task = task;
    return files;
}

}  // namespace

TEST_CASE("an agent with a lease and its task is at work") {
    CHECK(classify(leased()) == RecoveredState::at_work);
}

TEST_CASE("an agent that took its task file away is at work") {
    AgentFiles files = leased();
    files.task = Task::none;
    CHECK(classify(files) == RecoveredState::at_work);
}

TEST_CASE("an agent whose task did not leave scratch still waits") {
    AgentFiles files = leased();
    files.task = Task::none;
    files.unsent = true;
    CHECK(classify(files) == RecoveredState::unassigned);
}

TEST_CASE("a response to a task that did not leave scratch is a premature one") {
    AgentFiles files = leased();
    files.task = Task::none;
    files.unsent = true;
    files.response = true;
    CHECK(classify(files) == RecoveredState::unassigned);
}

TEST_CASE("a response to a leased task counts, whatever else is gone") {
    AgentFiles files;
    files.lease = files.response = true;
    CHECK(classify(files) == RecoveredState::at_work);
    files.ready = files.handed_back = true;
    CHECK(classify(files) == RecoveredState::at_work);
}

TEST_CASE("a leased task whose ready file is gone, or says so, was handed back") {
    AgentFiles gone = leased();
    gone.ready = false;
    CHECK(classify(gone) == RecoveredState::gone);
    AgentFiles said = leased();
    said.handed_back = true;
    CHECK(classify(said) == RecoveredState::gone);
}

TEST_CASE("a lease without any file of its agent means nothing") {
    AgentFiles files;
    files.lease = true;
    CHECK(classify(files) == RecoveredState::gone);
}

TEST_CASE("a task without a lease keeps its agent from getting a second one") {
    CHECK(classify(unleased(Task::content)) == RecoveredState::at_work);
    CHECK(classify(unleased(Task::heartbeat)) == RecoveredState::at_work);
}

TEST_CASE("an agent that was told of its kick is not at work") {
    CHECK(classify(unleased(Task::kicked)) == RecoveredState::kicked);
}

TEST_CASE("a task without a lease and without its agent is a leftover") {
    AgentFiles files = unleased(Task::content);
    files.ready = false;
    CHECK(classify(files) == RecoveredState::gone);
}

TEST_CASE("agents that wait, premature responses and strangers' are left to the ordinary scan") {
    CHECK(classify(unleased(Task::none)) == RecoveredState::no_task);
    AgentFiles premature = unleased(Task::none);
    premature.response = true;
    CHECK(classify(premature) == RecoveredState::no_task);
    premature.ready = false;
    CHECK(classify(premature) == RecoveredState::no_task);
}
