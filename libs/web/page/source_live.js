// Where the page gets its data from when `barnum serve` has sent it. source_report.js has the same functions.

import { fromBase64 } from './batch.js';
import { openEvents } from './events.js';

export const can = { act: true, live: true, pools: true, runs: true, why: true };

// A failure that the server has explained; `status` is that of HTTP, or 0 if there was no answer.
class SourceError extends Error {
    constructor(message, status) {
        super(message);
        this.status = status;
    }
}

async function request(path, options = {}) {
    let response;
    try {
        response = await fetch(path, { cache: 'no-store', credentials: 'same-origin', ...options });
    } catch {
        throw new SourceError('The server does not answer.', 0);
    }
    if (!response.ok) throw new SourceError(await reasonOf(response), response.status);
    return response;
}

async function reasonOf(response) {
    try {
        return (await response.json()).error;
    } catch {
        return `The server answered with ${response.status}.`;
    }
}

const get = async (path) => (await request(path)).json();

async function post(path, body) {
    const response = await request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    return response.status === 204 ? {} : response.json();
}

const runPath = (id) => `/api/runs/${encodeURIComponent(id)}`;

export const login = (token) => post('/api/login', { token });
export const session = () => get('/api/session');
export const runs = async () => (await get('/api/runs')).runs;
export const run = (id) => get(runPath(id));
export const task = (id, row) => get(`${runPath(id)}/tasks/${row}`);
export const why = async (id, row) => (await get(`${runPath(id)}/tasks/${row}/why`)).text;
export const search = (id, text) => get(`${runPath(id)}/search?text=${encodeURIComponent(text)}`);
export const questions = async () => (await get('/api/questions')).questions;
export const pools = async () => (await get('/api/pools')).pools;
export const act = (id, verb, body) => post(`${runPath(id)}/${verb}`, body ?? {});

// The batches of a run from a position to now, as an ArrayBuffer.
export async function trace(id, from) {
    return (await request(`${runPath(id)}/trace?from=${from}`)).arrayBuffer();
}

// Calls onLines with [lines] as they are written, until the returned function is called or the task has ended (onEnd).
export function output(id, row, onLines, onEnd) {
    const events = new EventSource(`${runPath(id)}/tasks/${row}/output`);
    const stop = () => events.close();
    events.addEventListener('output', (event) => onLines(JSON.parse(event.data).lines));
    events.addEventListener('end', () => {
        stop();
        onEnd?.();
    });
    events.addEventListener('error', () => events.readyState === EventSource.CLOSED && onEnd?.());
    events.addEventListener('open', () => onLines(null));  // also when it is opened again: it begins anew
    return stop;
}

// Subscribes to: { runs, pools: true, run: ID, from: () => position }. handlers: { runs, pools, trace (ArrayBuffer), state,
// run, up (), down () } by the names of the events. Goes on after a lost connection where it was. Returns a function that ends it.
export function subscribe(wanted, handlers) {
    const address = () => {
        const search = new URLSearchParams();
        if (wanted.runs) search.set('runs', '1');
        if (wanted.pools) search.set('pools', '1');
        if (wanted.run) {
            search.set('run', wanted.run);
            search.set('from', wanted.from());
        }
        return `/api/events?${search}`;
    };
    const json = (handler) => (data) => handler?.(JSON.parse(data));
    return openEvents(address, {
        runs: json(handlers.runs),
        pools: json((data) => handlers.pools?.(data.pools)),
        state: json(handlers.state),
        usage: json(handlers.usage),
        run: json(handlers.run),
        trace: (data) => handlers.trace?.(fromBase64(data)),
    }, handlers);
}
