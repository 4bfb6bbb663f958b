// Sorts row numbers by keys of 32 bits in three passes, without a comparison. Pure.

const BITS = 11;
const SIZE = 1 << BITS;
const MOST = 0xFFFFFFFE;  // of a value; 0xFFFFFFFF is no value

// `rows` in the order of `keys` (numbers; NaN: none, last either way); stable. Keys are taken relative to the least one:
// whole numbers exactly if their range fits into 32 bits, others with that precision.
export function sortByKeys(rows, keys, descending) {
    return radixSort(rows, scaled(keys, descending));
}

function scaled(keys, descending) {
    let least = Infinity;
    let most = -Infinity;
    let whole = true;
    for (let i = 0; i < keys.length; ++i) {
        const key = keys[i];
        if (key < least) least = key;
        if (key > most) most = key;
        if (whole && key === key && key !== Math.floor(key)) whole = false;
    }
    const range = most - least;
    const factor = whole && range <= MOST ? 1 : range > 0 ? MOST / range : 1;
    const top = range * factor;
    const out = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; ++i) {
        const key = keys[i];
        const value = (key - least) * factor;
        out[i] = key === key ? (descending ? top - value : value) : 0xFFFFFFFF;
    }
    return out;
}

function radixSort(rows, keys) {
    let from = { rows: Uint32Array.from(rows), keys };
    let to = { rows: new Uint32Array(rows.length), keys: new Uint32Array(rows.length) };
    for (let shift = 0; shift < 32; shift += BITS) {
        if (pass(from, to, shift)) [from, to] = [to, from];
    }
    return from.rows;
}

// Whether there was anything to do: not if all have the same digit.
function pass(from, to, shift) {
    const starts = new Uint32Array(SIZE + 1);
    const n = from.keys.length;
    for (let i = 0; i < n; ++i) ++starts[(from.keys[i] >>> shift & (SIZE - 1)) + 1];
    if (n === 0 || starts[(from.keys[0] >>> shift & (SIZE - 1)) + 1] === n) return false;
    for (let digit = 0; digit < SIZE; ++digit) starts[digit + 1] += starts[digit];
    for (let i = 0; i < n; ++i) {
        const at = starts[from.keys[i] >>> shift & (SIZE - 1)]++;
        to.keys[at] = from.keys[i];
        to.rows[at] = from.rows[i];
    }
    return true;
}
