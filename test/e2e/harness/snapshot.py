"""What is in folders, so that a test can say that a program has left them alone."""

import stat


def snapshot(*folders, without=()):
    """{path: what it is} of everything below the folders; a folder that is not there has nothing in it. `without` are
    paths to pass over, with all below them."""
    found = {}
    for folder in folders:
        if folder.exists():
            found[str(folder)] = _look(folder)
        for path in sorted(folder.rglob("*")):
            if not any(path == other or other in path.parents for other in without):
                found[str(path)] = _look(path)
    return found


def _look(path):
    status = path.lstat()
    content = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
    return (stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode), status.st_mtime_ns, content)
