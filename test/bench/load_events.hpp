// The names of files that are new in a directory, by inotify.
#pragma once

#include "load_files.hpp"

#include <string>
#include <string_view>
#include <sys/inotify.h>
#include <unistd.h>

namespace load {

// An inotify instance that tells of files that were closed or moved there. Not blocking.
inline int watch_new_files(const std::string& directory) {
    int inotify = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (inotify < 0) die_errno("no inotify instance");
    if (::inotify_add_watch(inotify, directory.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0)
        die_errno("cannot watch " + directory);
    return inotify;
}

// Calls `on_name` for each name that is waiting. False if names were lost: the queue was full.
template<typename OnName>
bool for_each_name(int inotify, OnName on_name) {
    alignas(inotify_event) char buffer[16384];
    bool complete = true;
    ssize_t got = 0;
    while ((got = ::read(inotify, buffer, sizeof buffer)) > 0) {
        for (const char* at = buffer; at < buffer + got;) {
            auto* event = static_cast<const inotify_event*>(static_cast<const void*>(at));
            if (event->mask & IN_Q_OVERFLOW) complete = false;
            if (event->len > 0) on_name(std::string_view(event->name));
            at += sizeof(inotify_event) + event->len;
        }
    }
    return complete;
}

}  // namespace load
