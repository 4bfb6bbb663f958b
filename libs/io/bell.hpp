// Wakes coroutines because something has happened; they look for themselves what it was.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <list>
#include <memory>

namespace io {

// Wakes the one coroutine that waits for it. What rings before the next wait counts once. To be used from the
// executor's thread only.
class Bell {
  public:
    explicit Bell(const boost::asio::any_io_executor& executor) : timer_(executor) {}
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;

    void ring();
    // Returns when it has rung since the last wait, or after `longest`. A terminal cancellation of the caller
    // throws operation_aborted.
    boost::asio::awaitable<void> wait(std::chrono::steady_clock::duration longest = forever);

    static constexpr std::chrono::steady_clock::duration forever{std::chrono::hours(24 * 365)};

  private:
    boost::asio::steady_timer timer_;
    bool has_rung_ = false;
};

// The bells of those who watch something.
class Bells {
  public:
    // Watches for as long as it exists. The bell must outlive it.
    class Watch;

    Watch add(Bell& bell);
    bool empty() const { return !bells_ || bells_->empty(); }
    std::size_t size() const { return bells_ ? bells_->size() : 0; }
    void ring() const;

  private:
    std::shared_ptr<std::list<Bell*>> bells_;
};

class Bells::Watch {
  public:
    Watch() = default;
    Watch(Watch&& other) noexcept : bells_(std::move(other.bells_)), place_(other.place_) {}
    Watch& operator=(Watch&& other) noexcept;
    ~Watch() { end(); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

  private:
    friend class Bells;
    Watch(std::shared_ptr<std::list<Bell*>> bells, std::list<Bell*>::iterator place)
        : bells_(std::move(bells)), place_(place) {}
    void end();

    std::shared_ptr<std::list<Bell*>> bells_;
    std::list<Bell*>::iterator place_;
};

}  // namespace io
