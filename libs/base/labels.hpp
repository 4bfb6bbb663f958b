// What a task needs of an agent, and what an agent offers: texts such as "reviewer". An agent fits a task if
// it has all labels of the task. One label has a further meaning: shell_label.
#pragma once

#include "base/error.hpp"

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace base {

// What is wrong with the text as a label: it is not 1 to 64 letters, digits, '-', '_', '.', '/' and ':'.
// Nothing if it is one.
std::optional<std::string> label_problem(std::string_view text);

// The label of agents that run the scripts of submitters, and of tasks that are such scripts. Agents with it
// fit no other tasks. Nobody sets it by hand: agents of the kind `shell` have it, and Commands "on": "pool".
inline constexpr std::string_view shell_label = "kind:shell";

// A set of labels, in alphabetical order.
class Labels {
  public:
    static constexpr std::size_t max_length = 64;  // of a label, in bytes
    static constexpr std::size_t max_count = 16;

    Labels() = default;
    // Fails if a text is not a label, or if there are too many. Repetitions are left out.
    static Result<Labels> of(std::vector<std::string> texts);
    // Parses "a,b", with at least one label; fails as of() does.
    static Result<Labels> parse(std::string_view text);

    bool empty() const { return texts_.empty(); }
    const std::vector<std::string>& texts() const { return texts_; }
    bool contain(const Labels& others) const;
    bool has(std::string_view text) const;
    // Whether an agent with these labels fits a task with those: it has all of them, and if it has
    // shell_label, so has the task.
    bool fit(const Labels& needed) const;
    // The labels that `others` does not have.
    Labels without(const Labels& others) const;
    // These and shell_label. Fails if that is too many.
    Result<Labels> with_shell_label() const;
    // "a,b" with the separator ","
    std::string joined(std::string_view separator) const;
    // "the label gpu", "the labels gpu, linux"
    std::string description() const;

    friend auto operator<=>(const Labels&, const Labels&) = default;

  private:
    std::vector<std::string> texts_;
};

}  // namespace base
