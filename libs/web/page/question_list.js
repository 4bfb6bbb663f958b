// What waits for a person, over all runs: of the list of questions, and of the badge that counts them. Pure, but for the asking.

const AGAIN = 10000;  // ms, after which it asks in any case
const MOST = 500;     // questions in the answer of the server
const ASKING = new Set(['running', 'paused', 'waiting']);  // states of runs whose records have the number of waiting tasks

export class QuestionList {
    questions = null;  // null: not known yet
    error = '';
    #signature = '';
    #asked = -Infinity;
    #pending = false;
    #again = false;

    // changed(): there is another list, or another error
    constructor(source, changed) {
        Object.assign(this, { source, changed });
    }

    // Asks if the records have another number of waiting tasks than before, or the last answer is older than `again`.
    refresh(runs, now, force = false, again = AGAIN) {
        const signature = signatureOf(runs);
        const fresh = again === Infinity || now - this.#asked < again;
        if (!force && signature === this.#signature && fresh) return;
        this.#signature = signature;
        this.#asked = now;
        this.ask();
    }

    // After something has changed while an answer is under way, it is asked once more.
    async ask() {
        this.#again = this.#pending;
        if (this.#pending) return;
        this.#pending = true;
        try {
            this.questions = await this.source.questions();
            this.error = '';
        } catch (error) {
            this.error = error.message;
        }
        this.#pending = false;
        this.changed();
        if (this.#again) await this.ask();
    }

    // How many tasks wait. The records of runs come late, and do not contain answers that are kept; but the list has a limit.
    count(runs) {
        const recorded = runs.reduce((sum, run) => sum + (ASKING.has(run.state) ? run.tasks?.waiting_for_human ?? 0 : 0), 0);
        return this.questions === null || this.questions.length >= MOST ? recorded : this.questions.length;
    }

    find(asked) {
        return asked && this.questions?.find(({ run, task }) => run === asked.run && task === asked.task);
    }
}

export function signatureOf(runs) {
    return runs.filter((run) => run.tasks?.waiting_for_human).map((run) =>
        `${run.id} ${run.tasks.waiting_for_human} ${run.state}`).sort().join('\n');
}
