/** What changed in the source files of a flow. Pure. */
import type { SourceHead } from '../sources.ts'
import type { Mark } from './diff.ts'

export interface SourceChange {
  name: string
  mark: Mark
  /** Bytes before and after; undefined where there was no such file. */
  before: number | undefined
  after: number | undefined
}

/** Returns the files that were added, removed or changed, by name. */
export function diffSources(before: readonly SourceHead[], after: readonly SourceHead[]): SourceChange[] {
  const [old, now] = [before, after].map((files) => new Map(files.map((file) => [file.name, file]))) as [Heads, Heads]
  const names = [...new Set([...old.keys(), ...now.keys()])].sort()
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)]
    if (was?.digest === is?.digest) return []
    const mark = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    return { name, mark, before: was?.size, after: is?.size }
  })
}

type Heads = Map<string, SourceHead>
