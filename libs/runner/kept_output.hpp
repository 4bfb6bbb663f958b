// Keeps what the commands and hooks of a run write, as far as output/keeper decides: the shell around it.
// What comes is written in the next turn of the event loop, or 20 ms after the last write. Output that cannot
// be written is lost, which is logged once; the run goes on.
#pragma once

#include "config/workflow_config.hpp"
#include "output/keeper.hpp"
#include "output/redaction.hpp"
#include "runner/attempt.hpp"
#include "runner/output_files.hpp"
#include "workflow/attempt.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace runner {

// All calls from the executor's thread.
class KeptOutput : public std::enable_shared_from_this<KeptOutput> {
  public:
    // `directory` is that of the output (runner/output_files); `limit` as for output::Keeper.
    KeptOutput(boost::asio::any_io_executor executor, std::string directory, std::optional<std::size_t> limit,
               std::shared_ptr<const output::Redaction> redaction);

    // What one source writes. Its end is that of this object, which the KeptOutput must outlive.
    class Writer {
      public:
        Writer(KeptOutput& output, output::Source source);
        ~Writer();
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;

        void add(output::Stream stream, std::string_view piece);

      private:
        KeptOutput& output_;
        std::uint64_t source_;
    };

    // No Writer is left: writes the rest, and removes what is not kept. Nothing waits afterwards.
    void finish();

  private:
    void changed();
    void write();
    void rewrite();
    void failed(const base::Error& error);

    boost::asio::steady_timer timer_;  // its expiry is the earliest time of the next write
    output::Keeper keeper_;
    OutputFiles files_;
    bool will_write_ = false;
    bool was_removed_ = false;
    bool has_failed_ = false;  // and this was logged
};

// What writes in this phase of the attempt.
output::Source source_of(const config::WorkflowConfig& config, const Attempt& attempt, workflow::Phase phase);

}  // namespace runner
