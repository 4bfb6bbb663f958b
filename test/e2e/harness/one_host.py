"""Marks tests that do not apply to a pool over several hosts."""


def one_host(because):
    """For a test, or a class of them, that is not run once more over an engine."""
    def mark(what):
        what.why_one_host = because
        return what
    return mark


def why_one_host(test):
    """The reason, or '': of the test, or of its class."""
    return getattr(getattr(test, test._testMethodName), "why_one_host", "") or getattr(type(test), "why_one_host", "")
