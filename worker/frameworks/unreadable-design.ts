/** A reason why a design cannot be read, as a sentence. Lines and columns count from 1. */
export interface DesignProblem {
  /** Empty for the design as a whole. */
  file: string
  line?: number
  column?: number
  reason: string
}

/** All that has to be mended before a design can be read. Its message names every problem with file and line. */
export class UnreadableDesignError extends Error {
  readonly problems: readonly DesignProblem[]

  constructor(problems: readonly DesignProblem[]) {
    super(`Invalid Imported File: ${problems.map(sentence).join(' ')}`)
    this.problems = problems
  }
}

function sentence({ file, line, reason }: DesignProblem): string {
  const where = [file, ...(line === undefined ? [] : [`line ${line}`])].filter(Boolean).join(', ')
  return where ? `${where}: ${reason}` : reason
}
