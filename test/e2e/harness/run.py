"""Runs one case: python3 -m harness.run CASE [PART-OF-A-NAME]. Prints each test's name and verdict.

Exit codes: 0 all passed, 1 something failed, 77 something was skipped and nothing failed.

Environment: BARNUM_BIN_DIRS (required) has the binaries, BARNUM_REQUIRE_ALL=1 makes a skip a failure, BARNUM_SANITIZED
says how the binaries were built, BARNUM_E2E_KEEP=1 keeps each test's folder. With BARNUM_OVER_ENGINE=1 the case's pools are over
two hosts (harness/two_hosts.py), and what only one host can show is left out, with the reason (harness/one_host.py). ctest sets
all that a case needs."""

import importlib.util
import os
import signal
import sys
import time
import traceback
import unittest
from pathlib import Path

from harness.environment import is_over_engine
from harness.one_host import why_one_host

CASES = Path(__file__).resolve().parents[1] / "cases"
SKIPPED = 77


def sentence(test):
    return test.id().rsplit(".", 1)[-1].removeprefix("test_").replace("_", " ")


class Report(unittest.TestResult):
    details = ""

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()
        self.verdict = "ok"
        self.details = ""

    def addError(self, test, err):
        super().addError(test, err)
        self._failed(err)
        self._print_if_no_test(test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._failed(err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self._failed(err, f"{subtest._subDescription()}\n")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.verdict = "SKIPPED"
        self.details = f"     {reason}"
        self._print_if_no_test(test)

    def stopTest(self, test):
        print(f"{self.verdict:4} {sentence(test)} ({time.monotonic() - self.began:.1f} s)", flush=True)
        if self.details:
            print(self.details, flush=True)
        if self.verdict == "FAILED" and hasattr(test, "processes"):
            test.print_logs()
        if hasattr(test, "home"):
            test.remove_home()
        super().stopTest(test)

    def _print_if_no_test(self, test):
        """What is done before and after all tests of a class or a module is not started and stopped as a test is."""
        if not isinstance(test, unittest.TestCase):
            print(f"{self.verdict} {test.id()}\n{self.details}", flush=True)

    def _failed(self, err, context=""):
        self.verdict = "FAILED"
        self.details += context + "".join(traceback.format_exception(*err))


def load(case):
    spec = importlib.util.spec_from_file_location(f"case_{case}", CASES / case / "test.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def flatten(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flatten(item)
        else:
            yield item


def without_those_of_one_host(tests):
    """Prints what is left out, a reason once."""
    told = set()
    for test in tests:
        reason = why_one_host(test)
        if not reason:
            yield test
            continue
        if reason not in told:
            print(f"not over an engine, because {reason}:", flush=True)
            told.add(reason)
        print(f"     {sentence(test)}", flush=True)


def main(argv):
    if len(argv) < 2 or not (CASES / argv[1] / "test.py").is_file():
        print(__doc__, "\n\nCases:", *sorted(p.parent.name for p in CASES.glob("*/test.py")), file=sys.stderr)
        return 2
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background job ignores, as its children do
    part = " ".join(argv[2:]).replace("_", " ")
    tests = [t for t in flatten(load(argv[1])) if part in sentence(t)]
    if is_over_engine():
        tests = list(without_those_of_one_host(tests))
    report = Report()
    unittest.TestSuite(tests).run(report)
    failed = len({t.id() for t, _ in report.failures + report.errors})
    used = sum(os.times()[:4])  # of all that was waited for
    print(f"{argv[1]}: {report.testsRun} tests, {failed} failed, {len(report.skipped)} skipped; {used:.1f} s of processor time")
    if report.failures or report.errors or not report.testsRun:
        return 1
    return SKIPPED if report.skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
