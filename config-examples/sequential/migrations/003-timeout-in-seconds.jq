.timeout_seconds = .timeout * 60 | del(.timeout)
