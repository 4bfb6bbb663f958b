// Shows a value or another text of any size: folded, searchable, and copied as it was written.

import { h, setText } from './dom.js';
import { copyButton } from './clipboard.js';
import { documentOf, MOST_HITS, occurrences, pathTo } from './document_tree.js';
import { stringAt } from './json_text.js';
import { longText, name } from './shown_text.js';
import * as format from './format.js';

const OPEN_AT_FIRST = 60;  // lines
const DEEPEST = 60;        // levels that are folded; what is deeper is shown as its text, since browsers cannot nest without end
const INLINE = 60;         // characters of an object or array that is shown on one line

// { element, focus() }: focus() goes to the search. `leftOut`: how many bytes of the text a report has not.
export function valueView(app, text, label, leftOut = 0) {
    const root = documentOf(text);
    const state = { text, root, hits: [], at: -1, marked: null };
    const tree = h('div', { class: 'value-tree', tabindex: 0, role: 'group', 'aria-label': label });
    state.top = makePart(state, root);
    tree.append(state.top.element);
    openSome(state.top);
    const needed = text.length > 200 || root.children?.().length > 1;
    const search = needed ? searchBox(state, label) : null;
    const element = h('div', { class: 'value' },
        h('div', { class: 'value-tools' }, search?.element, h('span', { class: 'muted' }, format.size(new Blob([text]).size), leftOut > 0 && `, and ${format.size(leftOut)} that the report leaves out`),
            copyButton(app, () => text)), tree);
    return { element, focus: () => search?.focus() };
}

function searchBox(state, label) {
    const input = h('input', { type: 'search', 'aria-label': `Search in: ${label}`, placeholder: 'Search', autocomplete: 'off', spellcheck: 'false' });
    const count = h('span', { class: 'muted', role: 'status' });
    const show = (by) => {
        state.at = state.hits.length ? (state.at + by + state.hits.length) % state.hits.length : -1;
        reveal(state);
        const many = state.hits.length === MOST_HITS ? `${format.count(MOST_HITS)}+` : format.count(state.hits.length);
        setText(count, input.value === '' ? '' : state.hits.length ? `${state.at + 1} of ${many}` : 'not found');
    };
    input.addEventListener('input', () => {
        state.hits = occurrences(state.text, input.value, state.root.kind !== 'lines');
        state.at = -1;
        show(1);
    });
    input.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        show(event.shiftKey ? -1 : 1);
    });
    return { element: h('span', { class: 'value-search' }, input, count), focus: () => input.focus() };
}

// Opens what leads to the present hit, and marks its line.
function reveal(state) {
    state.marked?.classList.remove('hit');
    state.marked = null;
    if (state.at < 0) return;
    let node = state.top;
    for (const index of pathTo(state.root, state.hits[state.at])) {
        if (!node.toggle) break;
        node.toggle(true);
        node = node.children[index];
    }
    state.marked = node.line;
    node.line.classList.add('hit');
    node.line.scrollIntoView({ block: 'nearest' });
}

// Opens levels, the outermost first, as long as the lines are few.
function openSome(top) {
    let lines = 1;
    for (let level = [top]; level.length && lines < OPEN_AT_FIRST;) {
        const next = [];
        for (const node of level) {
            if (!node.toggle || (node.short && node !== top)) continue;
            const count = node.part.children().length;
            if (count === 0) continue;
            if (lines > 1 && lines + count > OPEN_AT_FIRST) continue;
            node.toggle(true);
            lines += count;
            next.push(...node.children);
        }
        level = next;
    }
}

// { part, element, line, toggle?(open), children }
function makePart(state, part, depth = 0) {
    const node = { part, depth, children: [], short: false };
    const line = node.line = h('div', { class: 'part-line' });
    node.element = h('div', { class: 'part' }, line);
    if (part.children === undefined || depth === DEEPEST) {
        line.append(keyOf(part), leaf(state, part));
        return node;
    }
    node.short = part.kind !== 'lines' && part.kind !== 'range' && part.end - part.start <= INLINE;
    addFold(state, node);
    return node;
}

function addFold(state, node) {
    const { part, line } = node;
    const inside = h('div', { class: 'part-inside', hidden: true });
    const summary = h('span', { class: 'part-summary' }, summaryOf(state, part));
    const button = h('button', { type: 'button', class: 'fold', 'aria-expanded': 'false' }, keyOf(part), summary);
    node.toggle = (open) => {
        if (open && node.children.length === 0) {
            node.children = part.children().map((child) => makePart(state, child, node.depth + 1));
            inside.append(...node.children.map((child) => child.element));
        }
        inside.hidden = !open;
        button.setAttribute('aria-expanded', String(open));
    };
    button.addEventListener('click', () => node.toggle(inside.hidden));
    line.append(button);
    node.element.append(inside);
}

function keyOf(part) {
    if (part.key === null) return h('span');
    return h('span', { class: typeof part.key === 'number' ? 'part-index' : 'part-key' }, name(String(part.key), 200), ':');
}

function summaryOf(state, part) {
    if (part.kind === 'range') return `${format.count(part.from + 1)} … ${format.count(part.to)}`;
    if (part.kind === 'lines') return format.plural(part.count, 'line');
    if (part.end - part.start <= INLINE) return longText(state.text.slice(part.start, part.end), INLINE);
    const [open, close] = part.kind === 'object' ? '{}' : '[]';
    return `${open} ${format.plural(part.count, part.kind === 'object' ? 'member' : 'element')} ${close}`;
}

function leaf(state, part) {
    if (part.kind === 'string') {
        return h('span', { class: 'part-string' }, '"', longText(stringAt(state.text, part.start, part.end)), '"');
    }
    return h('span', { class: part.kind === 'line' ? 'part-text' : 'part-scalar' }, longText(state.text.slice(part.start, part.end).replace(/\n$/, '')));
}
