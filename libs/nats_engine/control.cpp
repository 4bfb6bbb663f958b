#include "nats_engine/control.hpp"

#include "json/lenient_object.hpp"
#include "json/object_writer.hpp"
#include "nats_engine/name_table.hpp"
#include "nats_engine/names.hpp"
#include "nats_engine/record.hpp"

#include <array>
#include <utility>

namespace nats_engine {

namespace {

constexpr std::array traces{
    std::pair{edge::Trace::none, std::string_view("none")},
    std::pair{edge::Trace::ended, std::string_view("ended")},
    std::pair{edge::Trace::over, std::string_view("over")},
    std::pair{edge::Trace::awaited, std::string_view("awaited")},
    std::pair{edge::Trace::held, std::string_view("held")},
};

std::string text_of(const Asking& asking) {
    json::ObjectWriter object;
    object.text("kind", "ask").text("task", asking.task.text()).text("nonce", nonce_text(asking.nonce));
    if (asking.delivery) object.text("delivery", asking.delivery->text());
    return object.done();
}

std::string text_of(const Searching& searching) {
    json::ObjectWriter object;
    return object.text("kind", searching.for_submitters ? "waits" : "search")
        .text("task", searching.task.text())
        .text("edge", searching.seeker.text())
        .done();
}

std::string text_of(const Joining& joining) {
    return json::ObjectWriter().text("kind", "join").text("task", joining.task.text()).done();
}

std::string text_of(const Checking& checking) {
    return json::ObjectWriter().text("kind", "check").text("task", checking.task.text()).done();
}

std::string text_of(const MoreQueues& more) {
    return json::ObjectWriter().text("kind", "queues").text("edge", more.edge.text()).done();
}

std::string text_of(const AskingAll&) {
    return json::ObjectWriter().text("kind", "status").done();
}

std::optional<Control> parse_asking(const json::LenientObject& said) {
    std::string task = said.text("task");
    auto nonce = parse_nonce(said.text("nonce"));
    std::string delivery = said.text("delivery");
    if (!is_task_id(task) || !nonce) return std::nullopt;
    Asking asking{std::move(task), *nonce, std::nullopt};
    if (!delivery.empty()) asking.delivery = std::move(delivery);
    return asking;
}

std::optional<json::LenientObject> object_in(std::string_view text) {
    auto value = json::checked(text);
    if (!value || !value->is(json::Kind::object)) return std::nullopt;
    return json::LenientObject{*value};
}

}  // namespace

std::string control_text(const Control& control) {
    return std::visit([](const auto& one) { return text_of(one); }, control);
}

std::optional<Control> parse_control(std::string_view text) {
    auto said = object_in(text);
    if (!said) return std::nullopt;
    std::string kind = said->text("kind");
    std::string task = said->text("task");
    if (kind == "ask") return parse_asking(*said);
    if ((kind == "search" || kind == "waits") && is_task_id(task))
        return Searching{std::move(task), said->text("edge"), kind == "waits"};
    if (kind == "join" && is_task_id(task)) return Joining{std::move(task)};
    if (kind == "check" && is_task_id(task)) return Checking{std::move(task)};
    if (kind == "queues") return MoreQueues{said->text("edge")};
    if (kind == "status") return AskingAll{};
    return std::nullopt;
}

std::string answer_text(bool has) {
    return json::ObjectWriter().flag("has", has).done();
}

std::optional<bool> parse_answer(std::string_view text) {
    auto said = object_in(text);
    auto has = said ? said->of_kind("has", json::Kind::boolean) : std::nullopt;
    if (!has) return std::nullopt;
    return has->boolean();
}

std::string trace_text(edge::Trace trace) {
    return json::ObjectWriter().text("trace", name_in(traces, trace)).done();
}

std::optional<edge::Trace> parse_trace(std::string_view text) {
    auto said = object_in(text);
    return said ? value_in(traces, said->text("trace")) : std::nullopt;
}

}  // namespace nats_engine
