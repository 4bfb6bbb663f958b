// A text as a tree of parts that are made when they are looked at: JSON by its members, other text by its lines. Pure.
// A part: { start, end (offsets in the text), kind: 'object' | 'array' | 'string' | 'scalar' | 'line' | 'range', key?: text or
// index, count?, children? (function) }. More than GROUP children are put into ranges of so many, and these likewise.

import { isJson, members, skipSpace, stringAt, valueEnd } from './json_text.js';

export const GROUP = 100;

export function documentOf(text) {
    return isJson(text) ? jsonPart(text, skipSpace(text, 0)) : linesPart(text);
}

function jsonPart(text, start, end = valueEnd(text, start), key = null) {
    const first = text[start];
    if (first === '"') return { kind: 'string', start, end, key };
    if (first !== '{' && first !== '[') return { kind: 'scalar', start, end, key };
    const inside = once(() => members(text, start));
    const child = (i) => {
        const { keys, starts, ends } = inside();
        return jsonPart(text, starts[i], ends[i], keys === null ? i : stringAt(text, keys[i]));
    };
    const extent = (i) => [inside().keys?.[i] ?? inside().starts[i], inside().ends[i]];
    return { kind: first === '{' ? 'object' : 'array', start, end, key,
        get count() {
            return inside().starts.length;
        },
        children: () => grouped(0, inside().starts.length, child, extent) };
}

function linesPart(text) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    const extent = (i) => [starts[i], starts[i + 1] ?? text.length];
    const child = (i) => ({ kind: 'line', start: extent(i)[0], end: extent(i)[1], key: null });
    return { kind: 'lines', start: 0, end: text.length, key: null, count: starts.length, children: () => grouped(0, starts.length, child, extent) };
}

function once(make) {
    let made = null;
    return () => made ??= make();
}

// The children [from, to), at most GROUP parts.
function grouped(from, to, child, extent) {
    let size = 1;
    while ((to - from) / size > GROUP) size *= GROUP;
    const parts = [];
    for (let i = from; i < to; i += size) {
        const end = Math.min(to, i + size);
        parts.push(size === 1 ? child(i) : { kind: 'range', start: extent(i)[0], end: extent(end - 1)[1], key: null, from: i, to: end,
            children: () => grouped(i, end, child, extent) });
    }
    return parts;
}

// The indexes of the children that lead to the part at an offset of the text. A key belongs to its value.
export function pathTo(root, offset) {
    const path = [];
    for (let part = root; part.children;) {
        const children = part.children();
        const index = children.findIndex((child) => child.end > offset);
        if (index < 0) break;
        path.push(index);
        part = children[index];
    }
    return path;
}

export const MOST_HITS = 1000;

// Where a text occurs, regardless of case: offsets, at most MOST_HITS. In JSON it is looked for as it is written there.
export function occurrences(text, wanted, json) {
    if (wanted === '') return [];
    const written = json ? JSON.stringify(wanted).slice(1, -1) : wanted;
    const pattern = new RegExp(written.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
    const found = [];
    for (const hit of text.matchAll(pattern)) {
        if (found.push(hit.index) === MOST_HITS) break;
    }
    return found;
}
