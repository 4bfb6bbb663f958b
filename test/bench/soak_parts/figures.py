"""What the daemon took of the machine, life by life, and whether that stayed flat."""

from statistics import mean, median

FEWEST_LIVES = 9  # fewer say nothing about a trend from life to life
SHORTEST_SECONDS = 60  # less says nothing about what happens within a life
MOST_THREADS = 4

# What a daemon may take more at the end than at the beginning, from one third of its lives to the other.
MORE_DESCRIPTORS = 3
MORE_RSS = 1.05
MORE_FILES = 1.25
SOME_FILES = 20

# Within a life the ids of answered requests are remembered on purpose, with the answers while there is room.
REMEMBERED_ANSWERS = 100_000
RSS_BYTES_AN_ANSWER = 700
RSS_KB_BESIDES = 1000


class Figures:
    def __init__(self, lives, files):
        """`files`: how many there were in the pool, one count after the other."""
        self.lives = [life for life in lives if life.warm()]
        self.files = files
        self.problems = []

    def lines(self):
        if not self.lives:
            return [f"the lives are too short for figures ({len(self.files)} counts of files)"]
        return [self._over_lives("descriptors", lambda s: s.descriptors, lambda a, b: b <= a + MORE_DESCRIPTORS),
                self._threads(),
                self._over_lives("memory (VmRSS, kB)", lambda s: s.rss_kb, lambda a, b: b <= a * MORE_RSS),
                self._within_a_life(),
                self._files()]

    def _over_lives(self, what, of, is_flat):
        peaks = [max(map(of, life.warm())) for life in self.lives]
        third = max(1, len(peaks) // 3)
        first, last = median(peaks[:third]), median(peaks[-third:])
        if len(peaks) >= FEWEST_LIVES and not is_flat(first, last):
            self.problems.append(f"{what}: {first} in the first lives, {last} in the last")
        return (f"{what}, at most in a life: {first:.0f} in the first third of {len(peaks)} lives, {last:.0f} in the "
                f"last; {min(peaks)} to {max(peaks)} over all")

    def _threads(self):
        most = max(sample.threads for life in self.lives for sample in life.warm())
        if most > MOST_THREADS:
            self.problems.append(f"{most} threads")
        return f"threads: at most {most}"

    def _within_a_life(self):
        growths = [life.warm()[-1].rss_kb - life.warm()[0].rss_kb for life in self.lives]
        answers = [life.answers for life in self.lives]
        allowed = RSS_KB_BESIDES + min(mean(answers), REMEMBERED_ANSWERS) * RSS_BYTES_AN_ANSWER / 1024
        if self._is_long() and mean(growths) > allowed:
            self.problems.append(f"memory grows by {mean(growths):.0f} kB within a life; {allowed:.0f} are explained")
        return (f"memory within a life: {mean(growths):+.0f} kB on average over {mean(answers):.0f} answers "
                f"(at most {max(growths):+d} kB)")

    def _files(self):
        third = max(1, len(self.files) // 3)
        first, last = mean(self.files[:third]), mean(self.files[-third:])
        if self._is_long() and last > first * MORE_FILES + SOME_FILES:
            self.problems.append(f"files in the pool: {first:.0f} at first, {last:.0f} at last")
        return (f"files in the pool: {first:.0f} in the first third of the time, {last:.0f} in the last; "
                f"at most {max(self.files)}")

    def _is_long(self):
        return sum(life.warm()[-1].age for life in self.lives) >= SHORTEST_SECONDS
