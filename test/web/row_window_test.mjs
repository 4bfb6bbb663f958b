import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_PIXELS, areaHeight, placeAt, rowsInSight, shiftAfter, topToShow } from '../../libs/web/page/row_window.js';

const ROW = 28;
const VIEW = 600;
const MANY = 1000000;

test('short lists scroll as they are', () => {
    assert.equal(areaHeight(100, ROW), 2800);
    assert.equal(shiftAfter({ scroll: 0, shift: 0 }, 500, 100, ROW, VIEW), 0);
    assert.deepEqual(placeAt(1000, 100, ROW, VIEW), { scroll: 1000, shift: 0 });
    assert.deepEqual(placeAt(99999, 100, ROW, VIEW), { scroll: 2200, shift: 0 });
    assert.deepEqual(placeAt(500, 3, ROW, VIEW), { scroll: 0, shift: 0 });
});

test('long lists: a small movement moves as far, a jump goes to the same share', () => {
    assert.equal(areaHeight(MANY, ROW), MOST_PIXELS);
    const was = { scroll: 1000, shift: 5000 };
    assert.equal(shiftAfter(was, 1100, MANY, ROW, VIEW), 5000);
    const middle = (MOST_PIXELS - VIEW) / 2;
    assert.equal(middle + shiftAfter(was, middle, MANY, ROW, VIEW), (MANY * ROW - VIEW) / 2);
});

test('long lists: the first and the last row are reached, however one scrolls', () => {
    const last = MANY * ROW - VIEW;
    let place = { scroll: 0, shift: 0 };
    for (let scroll = 0; scroll < 100000; scroll += 100) place = { scroll, shift: shiftAfter(place, scroll, MANY, ROW, VIEW) };
    assert.equal(place.scroll + place.shift, place.scroll, 'the first rows follow each other');
    for (let scroll = 100000; scroll >= 0; scroll -= 100) place = { scroll, shift: shiftAfter(place, scroll, MANY, ROW, VIEW) };
    assert.equal(place.scroll + place.shift, 0);
    const end = MOST_PIXELS - VIEW;
    assert.equal(end + shiftAfter({ scroll: end - 100, shift: 7 }, end, MANY, ROW, VIEW), last);
    assert.equal(shiftAfter({ scroll: 100, shift: 900 }, 0, MANY, ROW, VIEW), 0);
});

test('each row can be put into sight', () => {
    for (const index of [0, 1, 333333, 999998, 999999]) {
        const top = topToShow(index, 5000000, ROW, VIEW);
        const place = placeAt(top, MANY, ROW, VIEW);
        assert.ok(place.scroll >= 0 && place.scroll <= MOST_PIXELS - VIEW);
        const [first, end] = rowsInSight(place.scroll + place.shift, MANY, ROW, VIEW, 0);
        assert.ok(first <= index && index < end, String(index));
    }
    assert.equal(topToShow(10, 0, ROW, VIEW), 0, 'what is in sight does not move');
});

test('rows in sight, with some beyond the edges', () => {
    assert.deepEqual(rowsInSight(0, 1000, ROW, VIEW, 5), [0, 27]);
    assert.deepEqual(rowsInSight(2800, 1000, ROW, VIEW, 5), [95, 127]);
    assert.deepEqual(rowsInSight(0, 0, ROW, VIEW, 5), [0, 0]);
    assert.deepEqual(rowsInSight(9999, 10, ROW, VIEW, 5), [10, 10]);
});
