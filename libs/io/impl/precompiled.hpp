// Precompiled: what most files that do I/O include. Whoever changes it compiles all of those.
#pragma once

#include "base/precompiled.hpp"

#include <boost/asio.hpp>
#include <boost/process/v2/process.hpp>

#include <deque>
