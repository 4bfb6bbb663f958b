.user = { name: .user }
