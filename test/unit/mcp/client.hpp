// A client of a machine, for tests: sends lines, and keeps what the machine wants.
#pragma once

#include "base/text.hpp"
#include "mcp/machine.hpp"

#include <string>
#include <string_view>
#include <vector>

inline mcp::Offer small_offer() {
    mcp::Offer offer;
    offer.name = "test";
    offer.title = "Test";
    offer.version = "1.0";
    offer.instructions = "Use it.";
    mcp::Tool tool;
    tool.name = "look";
    tool.title = "Look";
    tool.description = "Looks.";
    tool.input_schema = R"({"type":"object","properties":{"a":{},"bound_seconds":{}}})";
    tool.output_schema = R"({"type":"object"})";
    tool.hints.is_read_only = true;
    offer.tools.push_back(tool);
    tool.name = "wait";
    tool.waits = true;
    offer.tools.push_back(tool);
    offer.prompts.push_back({"greet", "Greet", "Greets.", {{"who", "Whom", true}}});
    offer.templates.push_back({"test://things/{id}", "thing", "Thing", "A thing", "text/plain"});
    offer.is_subscribable = [](std::string_view uri) { return uri.starts_with("test://things/"); };
    return offer;
}

class Client {
  public:
    explicit Client(mcp::Offer offer = small_offer()) : machine(std::move(offer)) {}

    // What the machine sends at this line, with a line feed between two.
    std::string send(std::string_view line) { return take(machine.received(line)); }
    std::string request(std::string_view id, std::string_view method, std::string_view params = "{}") {
        return send(base::concat(R"({"jsonrpc":"2.0","id":)", id, R"(,"method":")", method, R"(","params":)",
                                 params, "}"));
    }
    std::string cancel(std::string_view id) {
        return send(base::concat(
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)", id, "}}"));
    }
    std::string initialize(std::string_view version = "2025-11-25") {
        return request("0", "initialize",
                       base::concat(R"({"protocolVersion":")", version,
                                    R"(","capabilities":{},"clientInfo":{"name":"tester","version":"1"}})"));
    }
    // In the stateless age. `members`: of the params, each with a comma after it.
    std::string stateless(std::string_view id, std::string_view method, std::string_view members = "") {
        return request(
            id, method,
            base::concat("{", members, R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)",
                         R"("io.modelcontextprotocol/clientInfo":{"name":"new","version":"1"},)",
                         R"("io.modelcontextprotocol/clientCapabilities":{}}})"));
    }
    std::string finish(mcp::CallId id, mcp::Outcome outcome) {
        return take(machine.finished(id, std::move(outcome)));
    }

    std::string take(mcp::Actions actions) {
        std::string sent;
        for (mcp::Action& action : actions) {
            if (auto* send = std::get_if<mcp::Send>(&action))
                sent += base::concat(sent.empty() ? "" : "\n", send->line);
            if (auto* start = std::get_if<mcp::Start>(&action)) started.push_back(*start);
            if (auto* cancel = std::get_if<mcp::Cancel>(&action)) cancelled.push_back(cancel->id);
            if (auto* unheard = std::get_if<mcp::Unheard>(&action)) unheard_of.push_back(unheard->id);
            if (auto* watch = std::get_if<mcp::Watch>(&action)) watched = watch->uris;
        }
        return sent;
    }

    mcp::Machine machine;
    std::vector<mcp::Start> started;
    std::vector<mcp::CallId> cancelled;
    std::vector<mcp::CallId> unheard_of;
    std::set<std::string> watched;
};

inline bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}
