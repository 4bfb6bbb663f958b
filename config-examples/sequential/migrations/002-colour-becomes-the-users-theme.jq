.user.theme = .colour | del(.colour)
