// The address after the `#`, as an object, and back. Pure.
//   #/runs  #/run/ID/graph|tasks|timeline  #/run/ID/task/ROW  #/questions  #/question/ID/TASK  #/pools
// A `?name=value&…` after it is `query`: what a view filters and sorts by.

export const RUN_VIEWS = ['graph', 'tasks', 'timeline'];

// { view, run?, row?, task?, query }. What is not known is the list of runs.
export function parse(hash) {
    const [path, search] = split(hash.replace(/^#/, ''));
    const parts = path.split('/').filter((part) => part !== '').map(decode);
    const query = Object.fromEntries(new URLSearchParams(search));
    return { ...place(parts), query };
}

function split(text) {
    const at = text.indexOf('?');
    return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

function place(parts) {
    const [first, id, third, number] = parts;
    if (first === 'run' && id && third === 'task' && isNumber(number)) return { view: 'task', run: id, row: Number(number) };
    if (first === 'run' && id && RUN_VIEWS.includes(third)) return { view: third, run: id };
    if (first === 'run' && id) return { view: 'graph', run: id };
    if (first === 'question' && id && isNumber(third)) return { view: 'questions', asked: { run: id, task: Number(third) } };
    if (first === 'questions' || first === 'pools') return { view: first };
    return { view: 'runs' };
}

function isNumber(text) {
    return /^\d{1,10}$/.test(text ?? '');
}

// The address of a route; of `query`, what is empty is left out.
export function href(route) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(route.query ?? {})) {
        if (value !== '' && value !== null && value !== undefined) search.set(name, value);
    }
    const text = search.toString();
    return '#' + path(route) + (text ? '?' + text : '');
}

function path(route) {
    if (route.view === 'task') return `/run/${encodeURIComponent(route.run)}/task/${route.row}`;
    if (RUN_VIEWS.includes(route.view)) return `/run/${encodeURIComponent(route.run)}/${route.view}`;
    if (route.asked) return `/question/${encodeURIComponent(route.asked.run)}/${route.asked.task}`;
    return '/' + route.view;
}

// The token of `#token=…`, or null.
export function tokenOf(hash) {
    const found = /^#token=([^&]+)$/.exec(hash);
    return found ? decode(found[1]) : null;
}
