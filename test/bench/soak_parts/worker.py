"""A thread of the soak."""

import threading
import traceback


class Worker(threading.Thread):
    """Runs work(), which ends some time after stop(). What it throws is something wrong."""

    def __init__(self, ledger):
        super().__init__(daemon=True)
        self._ledger = ledger
        self.stopping = threading.Event()

    def stop(self):
        self.stopping.set()

    def end_at_once(self):
        """Ends the processes that it has started, whatever state it is in."""

    def run(self):
        try:
            self.work()
        except Exception:
            self._ledger.complain(f"{type(self).__name__} broke down:\n{traceback.format_exc()}")

    def work(self):
        raise NotImplementedError
