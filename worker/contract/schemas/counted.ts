/** A list of runs counts no further, unless its page lies there: what it costs does not grow with the number of runs. */
export const MAX_COUNTED = 10_000
