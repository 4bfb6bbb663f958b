// The server's side of the Model Context Protocol: whatever a client sends, in whatever pieces it comes,
// everything that is sent is a message, each request is answered once unless it was cancelled, no call stays
// open, and nothing else is said of what was cancelled.
#include "base/line_splitter.hpp"
#include "fuzz.hpp"
#include "json/json.hpp"
#include "mcp/machine.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using fuzz::must;
using namespace mcp;

constexpr std::size_t longest_message = 2000;

Offer offer() {
    Offer offer;
    offer.name = "f";
    offer.version = "1";
    offer.page = 1;
    offer.longest_message = longest_message;
    Tool tool;
    tool.name = "t";
    tool.input_schema = tool.output_schema = R"({"type":"object"})";
    offer.tools = {tool, tool};
    offer.prompts.push_back({"p", "P", "", {{"a", "", true}}});
    offer.templates.push_back({"x://{i}", "n", "", "", ""});
    offer.is_subscribable = [](std::string_view uri) { return uri.starts_with("x:"); };
    return offer;
}

class Session {
  public:
    // Gives the machine the lines as the shell does.
    void add(std::string_view piece) {
        lines_.add(piece, [this](std::string_view text) { line(text); });
    }
    void end() {
        line(lines_.take_rest());
        while (!running_.empty())
            finish(running_.begin()->first);
        carry_out(machine_.ended());
        must(machine_.ended().empty(), "a machine ends once");
        for (const auto& [id, count] : open_)
            must(count <= cancelled_[id], "each request is answered, unless it was cancelled");
    }
    const std::vector<std::string>& sent() const { return sent_; }

  private:
    void line(std::string_view text) {
        if (text.size() <= longest_message) note_requests(text);
        carry_out(machine_.received(text));
        carry_out(machine_.resource_updated("x:"));
        carry_out(machine_.resource_list_changed());
        // Every third call stays open for a while.
        if (running_.size() >= 3) finish(running_.begin()->first);
    }
    void note_requests(std::string_view text) {
        auto value = json::checked(text);
        if (!value) return;
        if (!value->is(json::Kind::array)) return note_request(*value);
        if (!has_batches_) return;
        ++batches_;
        for (json::View element : value->elements())
            note_request(element);
    }
    void note_request(json::View value) {
        Message message = read_message(value);
        if (!message.id.empty()) ++open_[message.id];
        if (message.method != "notifications/cancelled" || !message.params) return;
        if (auto id = message.params->find("requestId")) ++cancelled_[std::string(id->text())];
    }
    void finish(CallId id) {
        Call call = std::move(running_.at(id));
        running_.erase(id);
        bool wants_progress = machine_.wants_progress(id);
        Actions progress = machine_.progressed(id, 1, 2, "\n");
        must(progress.size() == (wants_progress ? 1U : 0U), "progress is sent to who wants to know");
        carry_out(std::move(progress));
        must(machine_.progressed(id, 1, 2, "").empty(), "progress grows");
        finished_.insert(id);
        carry_out(machine_.finished(id, outcome(id, call)));
    }
    static Outcome outcome(CallId id, const Call& call) {
        if (id % 5 == 4) return InternalError{"\""};
        if (const auto* tool = std::get_if<CallTool>(&call)) return tool_outcome(id, *tool);
        if (std::holds_alternative<ListResources>(call)) return ResourceList{{Resource(), Resource()}};
        if (const auto* prompt = std::get_if<GetPrompt>(&call)) return PromptText{prompt->arguments.at("a")};
        if (const auto* complete = std::get_if<Complete>(&call)) return Completion{{complete->value}};
        const std::string& uri = std::get<ReadResource>(call).uri;
        if (id % 2 == 0) return NotFound{uri};
        return ResourceText{uri, "text/plain", uri};
    }
    static Outcome tool_outcome(CallId id, const CallTool& call) {
        if (id % 3 == 0) return ToolFailure{call.arguments};
        return ToolResult{call.arguments, {{"x:1", "n", "t", "d", "m"}}};
    }
    // Of a call that was cancelled, the outcome may come all the same.
    void cancel(CallId id) {
        must(running_.erase(id) == 1, "a call is cancelled while it runs");
        must(!machine_.wants_progress(id), "of a cancelled call nobody wants to know more");
        if (id % 2 == 0) return;
        for (const Action& action : machine_.finished(id, ToolFailure{"late"})) {
            const auto* unheard = std::get_if<Unheard>(&action);
            must(unheard && unheard->id == id, "the outcome of a cancelled call is not sent");
        }
    }
    void carry_out(Actions actions) {
        for (Action& action : actions) {
            if (auto* send = std::get_if<Send>(&action)) note_sent(send->line);
            if (auto* start = std::get_if<Start>(&action))
                must(running_.emplace(start->id, std::move(start->what)).second, "a call starts once");
            if (auto* cancelled = std::get_if<Cancel>(&action)) cancel(cancelled->id);
            if (auto* unheard = std::get_if<Unheard>(&action))
                must(finished_.erase(unheard->id) == 1, "an outcome is unheard once");
        }
    }
    void note_sent(const std::string& line) {
        sent_.push_back(line);
        must(line.find('\n') == std::string::npos, "a message is one line");
        auto value = json::checked(line, json::Dialect::json, json::max_depth + 10);
        must(value.has_value(), "a message is JSON");
        if (value->is(json::Kind::object)) return answer(*value);
        must(--batches_ >= 0 && !value->elements().empty(), "a batch is answered together, and once");
        for (json::View element : value->elements())
            answer(element);
    }
    void answer(json::View value) {
        must(value.find("jsonrpc")->is_string("2.0"), "a message says what it is");
        if (value.find("method")) return;
        auto result = value.find("result");
        must(result.has_value() != value.find("error").has_value(), "an answer has one of both");
        auto revision = result ? result->find("protocolVersion") : std::nullopt;
        if (revision && revision->is_string("2025-03-26")) has_batches_ = true;
        if (auto id = value.find("id"))
            must(--open_[std::string(id->text())] >= 0, "a request is answered once");
    }

    Machine machine_{offer()};
    base::LineSplitter lines_{longest_message + 1};
    std::map<CallId, Call> running_;
    std::set<CallId> finished_;
    std::map<std::string, int> open_;       // requests that are not answered, by their ids
    std::map<std::string, int> cancelled_;  // how often, by their ids
    bool has_batches_ = false;
    int batches_ = 0;  // that are not answered
    std::vector<std::string> sent_;
};

}  // namespace

void fuzz::target(std::string_view input) {
    Session whole;
    whole.add(input);
    whole.end();
    Session in_pieces;
    for (Pieces pieces(input); !pieces.done();)
        in_pieces.add(pieces.next());
    in_pieces.end();
    must(whole.sent() == in_pieces.sent(), "pieces make no difference");
}
