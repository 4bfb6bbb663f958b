// What a task writes, as it writes it: kept at the end of the text unless the reader has scrolled away.

import { fill, h, setText } from './dom.js';
import { longText } from './shown_text.js';
import * as format from './format.js';

const MOST_LINES = 5000;  // shown; the oldest go first
const AT_ONCE = 500;      // lines added per frame
const LINE = 600;         // characters of a line that are shown at first

export class OutputView {
    #pending = [];
    #frame = 0;
    #stop = null;
    #source = '';
    #count = 0;

    constructor(app, run, row) {
        this.lines = h('div', { class: 'output-lines scroll', tabindex: 0, role: 'log', 'aria-label': 'Output', 'aria-live': 'off' });
        this.status = h('span', { class: 'muted', role: 'status' });
        this.element = h('div', { class: 'output' }, this.lines, this.status);
        setText(this.status, 'reading…');
        this.#stop = app.source.output(run, row, (lines) => this.#take(lines), () => this.#ended());
    }

    unmount() {
        this.#stop();
        cancelAnimationFrame(this.#frame);
    }

    #take(lines) {
        if (lines === null) {
            fill(this.lines);
            this.#pending = [];
            this.#source = '';
            this.#count = 0;
            return;
        }
        for (const line of lines) this.#pending.push(line);
        this.#request();
    }

    #ended() {
        this.over = true;
        this.#request();
    }

    #request() {
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            this.#draw();
        });
    }

    #draw() {
        const { lines } = this;
        const follows = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 30;
        const batch = this.#pending.splice(0, AT_ONCE);
        for (const line of batch) this.#add(line);
        this.#count += batch.length;
        while (lines.childElementCount > MOST_LINES) lines.firstChild.remove();
        if (follows) lines.scrollTop = lines.scrollHeight;
        lines.hidden = lines.childElementCount === 0;
        if (this.#pending.length) this.#request();
        else setText(this.status, this.#statusText());
    }

    #statusText() {
        const { childElementCount: shown } = this.lines;
        if (this.#count === 0) return this.over ? 'It has written nothing that was kept.' : 'nothing yet';
        return (this.over ? format.plural(this.#count, 'line') : `${format.plural(this.#count, 'line')}, and going on`)
            + (shown === MOST_LINES ? `; the last ${format.count(MOST_LINES)} are shown` : '');
    }

    #add(line) {
        const source = `attempt ${line.attempt} · ${line.phase}`;
        if (source !== this.#source) {
            this.#source = source;
            this.lines.append(h('div', { class: 'output-source' }, source));
        }
        this.lines.append(line.omitted !== undefined ? h('div', { class: 'output-source' }, `${format.size(line.omitted)} left out`) : oneLine(line));
    }
}

function oneLine({ stream, time, text }) {
    return h('div', { class: stream === 'err' ? 'output-line err' : 'output-line' },
        h('span', { class: 'output-time', title: format.exactTime(time) }, format.time(time, time)),
        longText(text, LINE));
}
