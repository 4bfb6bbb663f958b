// When a search in a run that goes on is repeated. Pure.

const PAUSE = 2000;  // ms between an answer and the next question, at least
const SHARE = 4;     // times as long as the answer took, so that the server does other things too

// found: { text, position (of the trace when it was asked), asked, answered: ms, NaN while it is not }
export function isOld({ text, position, asked, answered }, now, time) {
    return Boolean(text) && position !== now && time - answered >= Math.max(PAUSE, SHARE * (answered - asked));
}
