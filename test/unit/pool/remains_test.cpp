#include "pool/remains.hpp"

#include <catch2/catch.hpp>

using namespace pool;
using Task = Traces::Task;

namespace {

Traces leased() {
    Traces traces;
    traces.lease = traces.ready = true;
    traces.task = Task::content;
    return traces;
}

Traces unleased(Task task) {
    Traces traces;
    traces.ready = true;
    traces.task = task;
    return traces;
}

}  // namespace

TEST_CASE("an agent with a lease and its task is at work") {
    CHECK(judge(leased()) == Remains::at_work);
}

TEST_CASE("an agent that took its task file away is at work") {
    Traces traces = leased();
    traces.task = Task::none;
    CHECK(judge(traces) == Remains::at_work);
}

TEST_CASE("an agent whose task did not leave scratch still waits") {
    Traces traces = leased();
    traces.task = Task::none;
    traces.unsent = true;
    CHECK(judge(traces) == Remains::unassigned);
}

TEST_CASE("a response to a task that did not leave scratch is a premature one") {
    Traces traces = leased();
    traces.task = Task::none;
    traces.unsent = true;
    traces.response = true;
    CHECK(judge(traces) == Remains::unassigned);
}

TEST_CASE("a response to a leased task counts, whatever else is gone") {
    Traces traces;
    traces.lease = traces.response = true;
    CHECK(judge(traces) == Remains::at_work);
    traces.ready = traces.handed_back = true;
    CHECK(judge(traces) == Remains::at_work);
}

TEST_CASE("a leased task whose ready file is gone, or says so, was handed back") {
    Traces gone = leased();
    gone.ready = false;
    CHECK(judge(gone) == Remains::over);
    Traces said = leased();
    said.handed_back = true;
    CHECK(judge(said) == Remains::over);
}

TEST_CASE("a lease without any file of its agent means nothing") {
    Traces traces;
    traces.lease = true;
    CHECK(judge(traces) == Remains::over);
}

TEST_CASE("a task without a lease keeps its agent from getting a second one") {
    CHECK(judge(unleased(Task::content)) == Remains::at_work);
    CHECK(judge(unleased(Task::heartbeat)) == Remains::at_work);
}

TEST_CASE("an agent that was told of its kick is not at work") {
    CHECK(judge(unleased(Task::kicked)) == Remains::kicked);
}

TEST_CASE("a task without a lease and without its agent is a leftover") {
    Traces traces = unleased(Task::content);
    traces.ready = false;
    CHECK(judge(traces) == Remains::over);
}

TEST_CASE("agents that wait, premature responses and strangers' are left to the ordinary look") {
    CHECK(judge(unleased(Task::none)) == Remains::none);
    Traces premature = unleased(Task::none);
    premature.response = true;
    CHECK(judge(premature) == Remains::none);
    premature.ready = false;
    CHECK(judge(premature) == Remains::none);
}
