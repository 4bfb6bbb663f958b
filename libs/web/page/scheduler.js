// Collects what has changed and reports it: once per animation frame at most, and of data at most ten times a second.

const DATA_INTERVAL = 100;  // ms

// deliver(what): what is a Set of the names that were marked.
export class Scheduler {
    #what = new Set();
    #frame = 0;
    #timer = 0;
    #last = -Infinity;

    constructor(deliver) {
        this.deliver = deliver;
    }

    // Of data: waits until the last delivery is old enough.
    mark(name) {
        this.#what.add(name);
        if (this.#frame || this.#timer) return;
        const wait = this.#last + DATA_INTERVAL - performance.now();
        if (wait <= 0) this.#request();
        else this.#timer = setTimeout(() => this.#request(), wait);
    }

    // Of what a person has done: in the next frame.
    markNow(name) {
        this.#what.add(name);
        if (!this.#frame) this.#request();
    }

    // A hidden page gets no frames; the changes wait there as one set.
    #request() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        this.#frame = requestAnimationFrame(() => {
            this.#frame = 0;
            this.#last = performance.now();
            const what = this.#what;
            this.#what = new Set();
            this.deliver(what);
        });
    }
}
