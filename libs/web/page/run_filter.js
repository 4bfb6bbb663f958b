// Which runs a filter shows. Pure.

export const RUN_STATES = [
    { key: '', title: 'all', states: null },
    { key: 'living', title: 'live', states: ['running', 'paused'] },
    { key: 'waiting', title: 'waiting', states: ['waiting'] },
    { key: 'finished', title: 'finished', states: ['finished'] },
    { key: 'failed', title: 'failed', states: ['failed'] },
    { key: 'interrupted', title: 'interrupted', states: ['interrupted'] },
    { key: 'lost', title: 'lost', states: ['lost', 'damaged'] },
];

// query: { state: a key of RUN_STATES, text }. Each word of the text must be in the run's name, id, config, directory or result.
export function matches(run, { state = '', text = '' }) {
    const states = RUN_STATES.find(({ key }) => key === state)?.states;
    if (states && !states.includes(run.state)) return false;
    const all = [run.name, run.id, run.workflow, run.config, run.directory, run.result, run.state, run.user].join('\n').toLowerCase();
    return text.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
