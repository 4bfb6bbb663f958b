// What the page knows: the runs, the run that is looked at with its trace, the pools. Kept up to date by the source's
// events; who shows something is reported by `mark(name)` that it has changed.

import { isLive } from './run_summary.js';
import { Trace } from './trace_store.js';

export class Model {
    runs = new Map();      // id -> run record
    runsKnown = false;
    run = null;            // see openRun()
    pools = null;          // null: not known yet
    lost = null;           // since when the connection is lost, in ms since 1970; null if it is not
    #stop = null;
    #wanted = '';

    constructor(source, mark, onRefused) {
        this.source = source;
        this.mark = mark;
        this.onRefused = onRefused;  // the token does not count, or there is none
    }

    // Brings what a route shows: its run if it has one, and from now on the changes.
    show(route) {
        if (route.run && (this.run?.id !== route.run || this.#failed)) this.openRun(route.run);
        this.#subscribe(route);
    }

    // The run that is shown could not be read.
    get #failed() {
        return this.route?.run === this.run?.id && this.run?.ready === false && this.run.error !== null;
    }

    // `run`: { id, info (GET /api/runs/ID, null until it is there), record, steps, trace, reported (newest event `state`, or null),
    // state (the same, but null while the run does not live), ready, error: sentence or null }.
    async openRun(id) {
        const run = this.run = { id, info: null, record: this.runs.get(id) ?? null, steps: [], trace: new Trace(), reported: null, state: null,
            ready: false, error: null };
        try {
            const [info, buffer] = await Promise.all([this.source.run(id), this.source.trace(id, '0.0')]);
            run.trace.append(buffer);
            run.trace.setSteps(info.steps);
            if (info.sums) run.trace.setSums(info.sums, info.steps);
            else run.trace.setUnreported(info.unreported ?? [], info.steps);
            Object.assign(run, { info, record: info.run, steps: info.steps, ready: true });
        } catch (error) {
            if (error.status === 401) this.onRefused();
            run.error = error.message;
        }
        if (this.run !== run) return;
        this.mark('run');
        this.mark('trace');
        this.#wanted = '';
        this.#subscribe(this.route);
    }

    #subscribe(route) {
        this.route = route;
        const run = route.run && this.run.ready ? route.run : null;
        const pools = route.view === 'pools';
        const wanted = `${pools} ${run}`;
        if (wanted === this.#wanted) return;
        this.#wanted = wanted;
        this.#stop?.();
        this.#stop = this.source.subscribe({ runs: true, pools, run, from: () => this.run.trace.position }, this.#handlers(run));
    }

    #handlers(run) {
        let complete = false;
        return {
            up: () => {
                complete = true;
                if (this.lost !== null && this.#failed) this.openRun(this.run.id);
                this.#setLost(null);
            },
            down: () => this.#down(),
            runs: (data) => {
                this.#takeRuns(data, complete);
                complete = false;
            },
            pools: (pools) => {
                this.pools = pools;
                this.mark('pools');
            },
            trace: (buffer) => this.#ofRun(run, () => this.#append(buffer)),
            state: (state) => this.#ofRun(run, () => this.#takeState(state)),
            usage: (rows) => this.#ofRun(run, () => this.#takeUsage(rows)),
            run: (record) => this.#ofRun(run, () => this.#takeRecord(record)),
        };
    }

    #ofRun(id, take) {
        if (this.run?.id === id) take();
    }

    // The first event of a connection has all runs, the others what has changed.
    #takeRuns({ changed, removed }, all) {
        if (all) this.runs.clear();
        for (const run of changed ?? []) this.runs.set(run.id, run);
        for (const id of removed ?? []) this.runs.delete(id);
        this.runsKnown = true;
        if (this.#failed && changed?.some((run) => run.id === this.run.id)) this.openRun(this.run.id);
        this.mark('runs');
    }

    #append(buffer) {
        const run = this.run;
        try {
            run.trace.append(buffer);
        } catch {
            this.openRun(run.id);  // another log than before: from its beginning
            return;
        }
        if (run.state) run.trace.setLive(run.state.running);
        while (run.info.agents.length < run.trace.agents.length) run.info.agents.push(run.trace.agents[run.info.agents.length]);
        this.mark('trace');
    }

    #takeState(state) {
        this.run.reported = state;
        this.#showState();
    }

    #takeUsage(rows) {
        this.run.trace.setUnreported(rows, this.run.steps);
        this.mark('trace');
    }

    // What a run has reported last does not count any more once it does not live.
    #showState() {
        const { run } = this;
        run.state = isLive(run.record) ? run.reported : null;
        run.trace.setLive(run.state?.running);
        this.mark('state');
    }

    #takeRecord(record) {
        if (record.gone) this.run.error = 'This run was removed.';
        else this.run.record = record;
        if (!isLive(this.run.record)) this.run.reported = null;
        this.#showState();
        this.mark('run');
    }

    #setLost(since) {
        if ((this.lost === null) === (since === null)) return;
        this.lost = since;
        this.mark('connection');
    }

    // If it cannot be opened again, the server is away, or has another token now.
    async #down() {
        if (this.lost === null) return this.#setLost(Date.now());
        try {
            await this.source.session();
        } catch (error) {
            if (error.status === 401) this.onRefused();
        }
    }

    // The runs, the one that was started last first.
    runList() {
        return [...this.runs.values()].sort((a, b) => b.started - a.started || (a.id < b.id ? -1 : 1));
    }

    close() {
        this.#stop?.();
        this.#wanted = '';
    }
}
