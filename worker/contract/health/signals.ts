/** Sent in place of a cron to learn how many runs the worker works on. No call from outside can send it. */
export const RUNS_ASKED = 'runs'
