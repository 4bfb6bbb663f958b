// Precompiled header: what almost every file that does I/O includes.
#include <boost/asio.hpp>
#include <boost/process/v2/process.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
