// Attempts of which none overlaps the next, in order: a line of the timeline. A million of them can be drawn at any scale,
// since what is thinner than a pixel is summed up for the pixel. Pure.

export const FAILED = { none: 0, retried: 1, dropped: 2 };
export const LEVELS = 4;  // of how much of a pixel is covered: 1 to LEVELS

export class Sublane {
    length = 0;
    rows = new Uint32Array(16);
    #failed = new Uint32Array(17);   // of the attempts before each: how many have failed
    #dropped = new Uint32Array(17);  // … and were dropped
    #busy = new Float64Array(17);    // … and how long they took together, in ms

    constructor(trace) {
        this.trace = trace;
    }

    start(index) {
        const row = this.rows[index];
        const started = this.trace.started[row];
        return started >= 0 ? started : this.trace.ended[row];
    }

    end(index) {
        return Math.max(this.trace.ended[this.rows[index]], this.start(index));
    }

    // The attempt must not begin before the last one has ended.
    push(row, failed) {
        const at = this.length++;
        if (at === this.rows.length) this.#grow();
        this.rows[at] = row;
        this.#failed[at + 1] = this.#failed[at] + (failed === FAILED.none ? 0 : 1);
        this.#dropped[at + 1] = this.#dropped[at] + (failed === FAILED.dropped ? 1 : 0);
        this.#busy[at + 1] = this.#busy[at] + this.end(at) - this.start(at);
    }

    #grow() {
        const larger = (array, Type) => {
            const grown = new Type(array.length * 2);
            grown.set(array);
            return grown;
        };
        this.rows = larger(this.rows, Uint32Array);
        this.#failed = larger(this.#failed, Uint32Array);
        this.#dropped = larger(this.#dropped, Uint32Array);
        this.#busy = larger(this.#busy, Float64Array);
    }

    failedIn(first, after) {
        if (this.#dropped[after] > this.#dropped[first]) return FAILED.dropped;
        return this.#failed[after] > this.#failed[first] ? FAILED.retried : FAILED.none;
    }

    busyIn(first, after) {
        return this.#busy[after] - this.#busy[first];
    }

    // The first attempt, from `first` on, that ends after `time`; `length` if there is none.
    firstEndingAfter(time) {
        return this.#find(0, (index) => this.end(index) > time);
    }

    // The same for beginning at `time` or later. Looks near `first` first: in a drawing the next one is near.
    firstFrom(time, first) {
        let step = 1;
        let low = first;
        while (low + step < this.length && this.start(low + step) < time) {
            low += step;
            step *= 2;
        }
        return this.#find(low, (index) => this.start(index) >= time, Math.min(this.length, low + step));
    }

    #find(low, holds, high = this.length) {
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (holds(middle)) high = middle;
            else low = middle + 1;
        }
        return low;
    }

    // The attempt nearest to `time`, if it is at most `slack` ms away: its index, or -1.
    nearest(time, slack) {
        const after = this.firstEndingAfter(time);
        let best = -1;
        let distance = slack;
        for (const index of [after, after - 1]) {
            if (index < 0 || index >= this.length) continue;
            const away = Math.max(0, this.start(index) - time, time - this.end(index));
            if (away > distance) continue;
            distance = away;
            best = index;
        }
        return best;
    }

    // What to draw of [from, to] on `width` pixels, in order: bar(x, end, index) for an attempt that is a pixel or wider,
    // pixels(x, end, level, failed) for pixels of which parts are covered by thinner ones.
    draw(from, to, width, bar, pixels) {
        const scale = width / (to - from);
        const run = { x: -1, end: -1, level: 0, failed: FAILED.none };
        const flush = () => run.end > run.x && pixels(run.x, run.end, run.level, run.failed);
        let index = this.firstEndingAfter(from);
        while (index < this.length && this.start(index) < to) {
            const x = (this.start(index) - from) * scale;
            const end = (this.end(index) - from) * scale;
            if (end - x >= 1) {
                bar(Math.max(0, x), Math.min(width, end), index++);
                continue;
            }
            const pixel = Math.max(0, Math.floor(x));
            const next = Math.max(index + 1, this.firstFrom(from + (pixel + 1) / scale, index));
            const level = Math.max(1, Math.min(LEVELS, Math.round(this.busyIn(index, next) * scale * LEVELS)));
            extend(run, pixel, level, this.failedIn(index, next), flush);
            index = next;
        }
        flush();
    }
}

// Pixels that look alike become one rectangle.
function extend(run, pixel, level, failed, flush) {
    if (pixel > run.end || level !== run.level || failed !== run.failed) {
        flush();
        run.x = pixel;
        run.level = level;
        run.failed = failed;
    }
    run.end = pixel + 1;
}
