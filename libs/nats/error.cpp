#include "nats/error.hpp"

#include "nats/api_error.hpp"

#include <boost/system/error_category.hpp>

namespace nats {

namespace {

// Boost's categories are never deleted by their base.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
// The texts are for debuggers only.
class Category final : public boost::system::error_category {
  public:
    explicit Category(const char* name) : name_(name) {}
    const char* name() const noexcept override { return name_; }
    std::string message(int code) const override { return "error " + std::to_string(code); }

  private:
    const char* name_;
};
#pragma GCC diagnostic pop

}  // namespace

boost::system::error_code make_error_code(Errc code) {
    static const Category category("nats");
    return {static_cast<int>(code), category};
}

boost::system::error_code make_error_code(ApiErrc code) {
    static const Category category("nats API");
    return {static_cast<int>(code), category};
}

}  // namespace nats
