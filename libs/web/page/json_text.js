// Reads JSON text part by part, without making values of it: `1.0` stays `1.0`, and keys keep their order. Pure.
// The text is known to be valid, so only brackets and strings matter. Nothing is recursive: text may be nested to any depth.

export const KINDS = { object: '{', array: '[' };

const isSpace = (code) => code === 0x20 || code === 0x0A || code === 0x0D || code === 0x09;

export function skipSpace(text, at) {
    while (at < text.length && isSpace(text.charCodeAt(at))) ++at;
    return at;
}

// Behind the string that begins at `at`.
function stringEnd(text, at) {
    for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
        if (end < 0) return text.length;
        let slashes = 0;
        while (text[end - 1 - slashes] === '\\') ++slashes;
        if (slashes % 2 === 0) return end + 1;
    }
}

// Behind the value that begins at `at`.
export function valueEnd(text, at) {
    let depth = 0;
    do {
        const c = text[at];
        if (c === '"') at = stringEnd(text, at);
        else if (c === '{' || c === '[') ++depth, ++at;
        else if (c === '}' || c === ']') --depth, ++at;
        else if (depth > 0) ++at;
        else at = scalarEnd(text, at);
    } while (depth > 0 && at < text.length);
    return at;
}

function scalarEnd(text, at) {
    while (at < text.length && !isSpace(text.charCodeAt(at)) && !',]}:'.includes(text[at])) ++at;
    return at;
}

// The members of the object or array that begins at `at`: { keys (where each key begins, or null in an array), starts, ends },
// three arrays of offsets.
export function members(text, at) {
    const isObject = text[at] === '{';
    const found = { keys: isObject ? [] : null, starts: [], ends: [] };
    at = skipSpace(text, at + 1);
    while (at < text.length && text[at] !== '}' && text[at] !== ']') {
        if (isObject) {
            found.keys.push(at);
            at = skipSpace(text, stringEnd(text, at));
            at = skipSpace(text, at + 1);
        }
        found.starts.push(at);
        at = valueEnd(text, at);
        found.ends.push(at);
        at = skipSpace(text, at);
        if (text[at] === ',') at = skipSpace(text, at + 1);
    }
    return found;
}

// The text of the string that begins at `at`.
export function stringAt(text, at, end = stringEnd(text, at)) {
    return JSON.parse(text.slice(at, end));
}

export function isJson(text) {
    try {
        JSON.parse(text);
        return true;
    } catch {
        return false;
    }
}
