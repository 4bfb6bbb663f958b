// The views by the names in the address.

import * as graph from './views/graph.js';
import * as login from './views/login.js';
import * as pools from './views/pools.js';
import * as questions from './views/questions.js';
import * as runs from './views/runs.js';
import * as task from './views/task.js';
import * as tasks from './views/tasks.js';
import * as timeline from './views/timeline.js';

export const VIEWS = { graph, login, pools, questions, runs, task, tasks, timeline };
