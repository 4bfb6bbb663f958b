#include <boost/asio/impl/src.hpp>
#include <boost/process/v2/src.hpp>
