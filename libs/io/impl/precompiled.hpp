// The precompiled header of files that do I/O: what most of them include. A change of it recompiles all of
// them.
#pragma once

#include "base/precompiled.hpp"

#include <boost/asio.hpp>
#include <boost/process/v2/process.hpp>

#include <deque>
