/** The files of a design as a person gives them: bounded as the source files of a flow. */
import { isRelativePath, MAX_SOURCE_BYTES, MAX_SOURCES } from '#contract/flow/sources.ts'
import { UnreadableDesignError } from './unreadable-design.ts'

export interface GivenFile {
  /** A relative path: `agents/root_agent.yaml`. */
  name: string
  bytes: Uint8Array
}

interface GivenFiles {
  /** By the path inside the folder of the design. */
  files: ReadonlyMap<string, GivenFile>
  /** The folder that all files were given in. */
  folder?: string
}

/**
 * Returns the files by name, without the folder that all of them are in.
 * @throws UnreadableDesignError for too many or too large ones, and for names that lead elsewhere or are there twice
 */
export function openFiles(given: readonly GivenFile[]): GivenFiles {
  refuseUnbounded(given)
  const folder = commonFolder(given.map(({ name }) => name))
  const start = folder === undefined ? 0 : folder.length + 1
  const files = new Map<string, GivenFile>()
  for (const file of given) {
    const name = file.name.slice(start)
    if (files.has(name))
      throw new UnreadableDesignError([{ file: file.name, reason: 'There are two files of this name.' }])
    files.set(name, file)
  }
  return { files, folder }
}

function refuseUnbounded(given: readonly GivenFile[]): void {
  const [first] = given
  if (!first) throw new UnreadableDesignError([{ file: '', reason: 'There is no file.' }])
  if (given.length > MAX_SOURCES)
    throw new UnreadableDesignError([{ file: '', reason: `A design may have at most ${MAX_SOURCES} files.` }])
  if (given.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_SOURCE_BYTES)
    throw new UnreadableDesignError([
      { file: '', reason: `The files of a design may have at most ${MAX_SOURCE_BYTES / 1024 / 1024} MB in total.` },
    ])
  const elsewhere = given.filter(({ name }) => !isRelativePath(name))
  if (elsewhere.length > 0)
    throw new UnreadableDesignError(
      elsewhere.map(({ name }) => ({ file: name, reason: 'Its name must be a relative path inside the design.' })),
    )
}

function commonFolder(names: readonly string[]): string | undefined {
  const [first = ''] = names
  const end = first.indexOf('/')
  const start = first.slice(0, end + 1)
  return end > 0 && names.every((name) => name.startsWith(start)) ? start.slice(0, -1) : undefined
}

/** Returns a file's text with its byte order mark, so that places in it stay. @throws UnreadableDesignError if it is not UTF-8 */
export function readText(name: string, { bytes }: GivenFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UnreadableDesignError([
      { file: name, line: lineOfBadByte(bytes), column: 1, reason: 'It is not text in UTF-8.' },
    ])
  }
}

function lineOfBadByte(bytes: Uint8Array): number {
  const text = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes)
  return text.slice(0, text.indexOf('\ufffd')).split('\n').length
}
