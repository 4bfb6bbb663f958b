#include "config/graph.hpp"

#include "base/text.hpp"
#include "config/finally_steps.hpp"
#include "json/utf8.hpp"

#include <algorithm>
#include <string_view>

namespace config {

namespace {

// What the step has besides its action, and who does that if it is a person: "[pre, post, finally]"; may be
// empty.
std::string annotation_of(const Step& step) {
    std::string names;
    auto add = [&](bool has, std::string_view name) {
        if (has) names.append(names.empty() ? "" : ", ").append(name);
    };
    add(step.is_human(), "a person");
    add(step.pre.has_value(), "pre");
    add(step.post.has_value(), "post");
    add(step.finally.has_value(), "finally");
    add(step.gather.has_value(), "gather");
    return names.empty() ? "" : base::concat("[", names, "]");
}

std::string dot_escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string dot_id(const Step& step) {
    return base::concat("\"", dot_escaped(step.name), "\"");
}

// How the steps of one kind of action are drawn.
struct Look {
    std::string_view name;
    std::string_view color;
    std::string_view dot_shape;
    std::string_view open, close;  // around the label of a mermaid node: its shape
};
constexpr Look pool_look{"pool", "#e3f2fd", "box", "[", "]"};
constexpr Look command_look{"command", "#fff3e0", "diamond", "{", "}"};
constexpr Look human_look{"human", "#f3e5f5", "ellipse", "([", "])"};

Look look_of(const Step& step) {
    if (step.is_human()) return human_look;
    return command_of(step) == nullptr ? pool_look : command_look;
}

// Graphviz interprets HTML entities in labels.
std::string dot_name(const Step& step) {
    std::string out;
    for (char c : dot_escaped(step.name))
        out += c == '&' ? std::string("&amp;") : std::string(1, c);
    return out;
}

std::string dot_label(const Step& step) {
    std::string hooks = annotation_of(step);
    return hooks.empty() ? dot_name(step) : dot_name(step) + "\\n" + hooks;
}

std::string dot_node(const Step& step) {
    return base::concat("  ", dot_id(step), " [label=\"", dot_label(step),
                        "\", shape=", look_of(step).dot_shape, ", style=filled, fillcolor=\"",
                        look_of(step).color, "\"", step.next.empty() ? ", peripheries=2" : "", "];\n");
}

constexpr std::string_view dot_finally = " [style=dashed, label=\"finally\"];\n";

// A join: what the tasks of the gathered steps have as values goes into one task.
std::string dot_gather(const WorkflowConfig& config, std::size_t index) {
    const Step& step = config.steps[index];
    std::string id = base::concat("gather", index);
    std::string out = base::concat("  ", id, " [label=\"gather of\\n", dot_name(step),
                                   "\", shape=invtriangle, style=filled, fillcolor=\"#e8f5e9\"];\n");
    for (StepId of : step.gather->of)
        out += base::concat("  ", dot_id(config.step(of)), " -> ", id, " [style=dashed];\n");
    return out + base::concat("  ", id, " -> ", dot_id(config.step(step.gather->into)), " [style=dashed];\n");
}

std::string dot_edges(const WorkflowConfig& config, std::size_t index) {
    const Step& step = config.steps[index];
    std::string out;
    for (StepId next : step.next)
        out += base::concat("  ", dot_id(step), " -> ", dot_id(config.step(next)), ";\n");
    if (step.gather) return out + dot_gather(config, index);
    for (StepId next : finally_steps(config, step).named)
        out += base::concat("  ", dot_id(step), " -> ", dot_id(config.step(next)), dot_finally);
    return out;
}

// Mermaid supports HTML entities only, and takes "#" for the start of one.
std::string mermaid_escaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        auto [code_point, length] = json::utf8::first_code_point(text.substr(at));
        char c = text[at];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                        c == ' ' || c == '_' || c == '-' || c == '.' || code_point >= 0x80;
        out += is_plain ? std::string(text.substr(at, length)) : base::concat("#", code_point, ";");
        at += length;
    }
    return out;
}

std::string mermaid_id(std::size_t index) {
    return base::concat("s", index);
}

std::string mermaid_node(const Step& step, std::size_t index) {
    std::string hooks = annotation_of(step);
    std::string label = base::concat("\"", mermaid_escaped(step.name), hooks.empty() ? "" : "<br/>",
                                     hooks.empty() ? "" : mermaid_escaped(hooks), "\"");
    Look look = look_of(step);
    return base::concat("    ", mermaid_id(index), look.open, label, look.close, ":::", look.name,
                        step.next.empty() ? "_end" : "", "\n");
}

std::string mermaid_gather(const WorkflowConfig& config, std::size_t index) {
    const Step& step = config.steps[index];
    std::string id = base::concat("g", index);
    std::string out =
        base::concat("    ", id, "[\\\"gather of<br/>", mermaid_escaped(step.name), "\"/]:::gather\n");
    for (StepId of : step.gather->of)
        out += base::concat("    ", mermaid_id(of.value), " -.-> ", id, "\n");
    return out + base::concat("    ", id, " -.-> ", mermaid_id(step.gather->into.value), "\n");
}

std::string mermaid_edges(const WorkflowConfig& config, std::size_t index) {
    std::string out;
    const Step& step = config.steps[index];
    for (StepId next : step.next)
        out += base::concat("    ", mermaid_id(index), " --> ", mermaid_id(next.value), "\n");
    if (step.gather) return out + mermaid_gather(config, index);
    for (StepId next : finally_steps(config, step).named)
        out += base::concat("    ", mermaid_id(index), " -. finally .-> ", mermaid_id(next.value), "\n");
    return out;
}

std::string mermaid_styles() {
    std::string out;
    for (const Look& look : {pool_look, command_look, human_look})
        out += base::concat("    classDef ", look.name, " fill:", look.color, ",stroke:#333\n    classDef ",
                            look.name, "_end fill:", look.color, ",stroke:#333,stroke-width:4px\n");
    return out;
}

constexpr std::string_view mermaid_gather_style = "    classDef gather fill:#e8f5e9,stroke:#333\n";

}  // namespace

std::string dot_graph(const WorkflowConfig& config) {
    std::string out = "digraph workflow {\n  rankdir=TB;\n";
    for (const Step& step : config.steps)
        out += dot_node(step);
    for (std::size_t i = 0; i < config.steps.size(); ++i)
        out += dot_edges(config, i);
    return out + "}\n";
}

std::string mermaid_graph(const WorkflowConfig& config) {
    std::string out = "flowchart TD\n";
    for (std::size_t i = 0; i < config.steps.size(); ++i)
        out += mermaid_node(config.steps[i], i);
    for (std::size_t i = 0; i < config.steps.size(); ++i)
        out += mermaid_edges(config, i);
    bool gathers =
        std::ranges::any_of(config.steps, [](const Step& step) { return step.gather.has_value(); });
    return out.append(mermaid_styles()).append(gathers ? mermaid_gather_style : "");
}

}  // namespace config
