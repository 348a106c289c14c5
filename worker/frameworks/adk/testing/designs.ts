/** Designs for tests. */
import { UnreadableDesignError } from '../../unreadable-design.ts'
import { readDesign } from '../read-design.ts'

export type Texts = Record<string, string>

export const filesOf = (texts: Texts) =>
  Object.entries(texts).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }))

/** Reads a design from the text of each file. */
export const readTexts = (texts: Texts) => readDesign(filesOf(texts))

/** Returns why a design cannot be read, one sentence for each problem; none for one that can. */
export function problemsOf(texts: Texts): string[] {
  try {
    readTexts(texts)
    return []
  } catch (error) {
    if (!(error instanceof UnreadableDesignError)) throw error
    return error.problems.map(({ file, line, reason }) => `${file}:${line ?? ''} ${reason}`)
  }
}

/** An agent of one file, with more lines. */
export const llmAgent = (more = '', name = 'desk') =>
  `name: ${name}\nmodel: gemini-2.5-flash\ninstruction: Answer.\n${more}`
