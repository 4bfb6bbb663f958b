// The tasks of a report: lines of JSON in the order of their rows, in one array of bytes. Only the lines that are looked at
// are made into objects: all of them may have some hundred megabytes. Pure.

const NEWLINE = 10;
const PAUSE_AFTER = 2000;  // lines, in a search
const decoder = new TextDecoder();

export class Details {
    #bytes;
    #starts;

    constructor(bytes) {
        this.#bytes = bytes;
        this.#starts = startsOf(bytes);
    }

    get lines() {
        return this.#starts.length - 1;
    }

    #text(line) {
        return decoder.decode(this.#bytes.subarray(this.#starts[line], this.#starts[line + 1]));
    }

    // A line begins with {"row":N.
    #row(line) {
        const start = this.#starts[line];
        return Number(/^\{\s*"row"\s*:\s*(\d+)/.exec(decoder.decode(this.#bytes.subarray(start, start + 40)))?.[1] ?? NaN);
    }

    // The task of a row, or null.
    task(row) {
        let low = 0;
        let high = this.lines;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.#row(middle) < row) low = middle + 1;
            else high = middle;
        }
        return low < this.lines && this.#row(low) === row ? JSON.parse(this.#text(low)) : null;
    }

    // The rows of the tasks whose value, responses or failures contain the text, regardless of case: { rows, more }. `pause` is
    // awaited now and then, so that a page is not held up.
    async search(text, pause, most = 100000) {
        const wanted = text.toLowerCase();
        const rows = [];
        for (let line = 0; line < this.lines; ++line) {
            if (line % PAUSE_AFTER === PAUSE_AFTER - 1) await pause();
            const task = JSON.parse(this.#text(line));
            if (!contains(task, wanted)) continue;
            if (rows.length === most) return { rows, more: true };
            rows.push(task.row);
        }
        return { rows, more: false };
    }
}

function startsOf(bytes) {
    const starts = [0];
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
    if (starts[starts.length - 1] !== bytes.length) starts.push(bytes.length);
    return starts;
}

function contains(task, wanted) {
    const holds = (text) => typeof text === 'string' && text.toLowerCase().includes(wanted);
    return holds(task.value) || task.attempts.some(({ response, failure }) => holds(response) || holds(failure?.message));
}
