import { loadOnce } from '../../providers/load-once.ts'

/** Loads what reads answers, which only calls of models need. */
export const loadReading = loadOnce(() => import('./read-answers.ts'))
