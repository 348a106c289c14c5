/** The checklist of an open canvas. */

import type { Problem } from '#contract/flow/rules/problem.ts'

export interface Problems {
  all: readonly Problem[]
  /** Issues by node id, joined in one line. */
  byNode: ReadonlyMap<string, string>
  /** Ids of the nodes with an error among their issues. */
  failing: ReadonlySet<string>
}

export const noProblems: Problems = { all: [], byNode: new Map(), failing: new Set() }
