// What the streams, subjects and consumers of a pool are called, and what these names say. Pure.
#pragma once

#include "edge/engine.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace nats_engine {

// A letter or digit, and up to 199 letters, digits, '.', '_' and '-'. Others cannot be on an engine.
bool is_task_id(std::string_view id);
// The id as one word of a subject: a '.' becomes '~'.
std::string subject_word(std::string_view id);

// The name of a queue's consumer: "p10_2d06800538d394c2", for priority 10. It depends on the queue alone.
std::string consumer_name(const edge::Queue& queue);
// The queue as the description of its consumer: {"labels":["gpu"],"priority":10}
std::string queue_description(const edge::Queue& queue);
// `text` may be of any content. Empty if it describes no queue.
std::optional<edge::Queue> parse_queue_description(std::string_view text);

// A header of a task's message: the task may have been delivered before.
inline constexpr std::string_view repeated_task = "Troupe-Repeated";

class Names {
  public:
    explicit Names(const std::string& pool);

    const std::string& queue_stream() const { return queue_stream_; }
    const std::string& record_stream() const { return record_stream_; }
    std::string all_tasks() const { return tasks_ + ">"; }
    std::string all_records() const { return records_ + ">"; }
    std::string all_notices() const { return notices_ + ">"; }

    // `consumer`: of the task's queue.
    std::string task(std::string_view consumer, const edge::TaskId& task) const;
    std::string tasks_of(std::string_view consumer) const;
    std::string record(const edge::TaskId& task) const;
    // A subject among the records, until these are numbered. No task has it.
    std::string beginning() const { return records_ + "~first"; }
    std::string notice(const edge::TaskId& task) const;
    // The subjects of messages to an edge, and to all.
    std::string control(const edge::EdgeId& edge) const;
    const std::string& everyone() const { return everyone_; }

    // A word in the subjects with which a check tries out what the user may do. No task has it.
    static constexpr std::string_view tried_word = "~check";
    std::string tried_task(std::string_view consumer) const {
        return tasks_ + std::string(consumer) + "." + std::string(tried_word);
    }
    std::string tried_record() const { return records_ + std::string(tried_word); }
    std::string tried_notice() const { return notices_ + std::string(tried_word); }

    // The task that the subject of a task, a record or a notice names. Empty if it is none.
    std::optional<edge::TaskId> task_of(std::string_view subject) const;

    // What subjects of the same use have in common: their permissions are the same.
    std::string kind_of(std::string_view subject) const;

  private:
    std::string queue_stream_;
    std::string record_stream_;
    std::string tasks_;
    std::string records_;
    std::string notices_;
    std::string edges_;
    std::string everyone_;
};

}  // namespace nats_engine
