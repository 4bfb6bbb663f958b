// Where the page gets its data from in a report: one file with one run in it. The same functions as in source_live.js.

import { fromBase64 } from './batch.js';
import { Details } from './report_details.js';

const pause = () => new Promise((go) => setTimeout(go));

// `text`: the JSON of the element `barnum-report`.
export function openReport(text) {
    return new ReportSource(JSON.parse(text));
}

class ReportSource {
    can = { act: false, live: false, pools: false, runs: false, why: false };
    #report;
    #details = null;  // promise of them, from the first use on

    constructor(report) {
        this.#report = report;
        this.written = report.written;
        this.id = report.run.run.id;
    }

    session = async () => ({ user: '', host: '', version: this.#report.version });
    login = async () => {};

    async run() {
        const { run, sums, sample } = this.#report;
        return { ...run, sums: sample ? sums : null, sample };
    }

    async trace() {
        return inflate(this.#take('trace'));
    }

    // What is decompressed is not kept in the other form as well.
    #take(member) {
        const text = this.#report[member];
        this.#report[member] = '';
        return fromBase64(text);
    }

    async #opened() {
        return this.#details ??= inflate(this.#take('details')).then((buffer) => new Details(new Uint8Array(buffer)));
    }

    async task(id, row) {
        const task = (await this.#opened()).task(row);
        if (task === null) throw new Error('The report does not contain this task.');
        return task;
    }

    async search(id, text) {
        return (await this.#opened()).search(text, pause);
    }

    output(id, row, onLines, onEnd) {
        this.task(id, row).then((task) => onLines(task.output ?? []), () => {}).then(onEnd);
        return () => {};
    }

    questions = async () => this.#report.questions;

    subscribe(wanted, handlers) {
        handlers.runs({ changed: [this.#report.run.run], removed: [] });
        return () => {};
    }
}

async function inflate(buffer) {
    const stream = new Blob([buffer]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream).arrayBuffer();
}
