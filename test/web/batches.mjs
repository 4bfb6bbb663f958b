// Makes batches of a trace from rows and ends, for the tests: the independent writer of the format.

const NONE = 0xFFFFFFFF;

const ROWS = [['submitted', Float64Array, 0], ['id', Uint32Array, 0], ['parent', Uint32Array, NONE], ['of', Uint32Array, NONE],
    ['step', Uint16Array, 0], ['origin', Uint8Array, 0]];
const ENDS = [['started', Float64Array, NaN], ['ended', Float64Array, NaN], ['usd', Float32Array, NaN], ['row', Uint32Array, 0],
    ['pre', Uint32Array, NONE], ['post', Uint32Array, NONE], ['tokens', Uint32Array, 0], ['agent', Uint16Array, 0xFFFF],
    ['outcome', Uint8Array, 1], ['reason', Uint8Array, 0], ['flags', Uint8Array, 0]];

// An ArrayBuffer. Rows get their number as id unless they have one.
export function batch(firstRow, rows, ends = [], agents = []) {
    const bytes = [];
    const put = (array) => {
        bytes.push(...new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    };
    const pad = (size) => {
        while (bytes.length % size) bytes.push(0);
    };
    put(new Uint32Array([0x31525442, rows.length, ends.length, firstRow]));
    const numbered = rows.map((row, i) => ({ id: firstRow + i, ...row }));
    for (const [table, items] of [[ROWS, numbered], [ENDS, ends]]) {
        for (const [name, Type, otherwise] of table) {
            put(Type.from(items, (item) => item[name] ?? otherwise));
            pad(8);
        }
    }
    put(new Uint32Array([agents.length]));
    for (const agent of agents) {
        const text = new TextEncoder().encode(agent);
        put(new Uint32Array([text.length]));
        put(text);
        pad(4);
    }
    pad(8);
    return new Uint8Array(bytes).buffer;
}

// Several batches in one body.
export function body(...buffers) {
    const all = new Uint8Array(buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0));
    let at = 0;
    for (const buffer of buffers) {
        all.set(new Uint8Array(buffer), at);
        at += buffer.byteLength;
    }
    return all.buffer;
}
