/** Files as `data:<type>;base64,<bytes>,filename:<name>`, which a save keeps and names in its place. */
import { tryParseJson } from '#contract/data/json.ts'
import { storedFileNames } from '#contract/document-stores/file-inputs.ts'

const MEGABYTE = 1024 * 1024
/** Keeps flows with files below the maximum size. */
const MAX_MEGABYTES = 4

/** Reads a file as a value. Throws an error with a user-facing message when it is too large or can't be read. */
export async function readFile(file: File): Promise<string> {
  checkSize(file.name, file.size)
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `data:${file.type || 'application/octet-stream'};base64,${btoa(binary)},filename:${file.name}`
}

/** Reads several files as one value, JSON text of a list. Throws as `readFile` does. */
export async function readFiles(files: readonly File[]): Promise<string> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  checkSize('The folder', bytes)
  return JSON.stringify(await Promise.all(files.map(readFile)))
}

function checkSize(name: string, bytes: number): void {
  if (bytes <= MAX_MEGABYTES * MEGABYTE) return
  throw new Error(`${name} is too large to store in a flow. The limit is ${MAX_MEGABYTES} MB.`)
}

/** Returns the number of files in a value: a list, one file, or the list of stored ones. */
export function countFiles(value: unknown): number {
  if (typeof value !== 'string' || value === '') return 0
  const list: unknown = tryParseJson(value.replace(/^FILE-STORAGE::/, ''))
  return Array.isArray(list) ? list.length : 1
}

/** Returns the names of a file, or of stored ones; undefined for an empty value. */
export function fileNameOf(value: string): string | undefined {
  if (value === '') return undefined
  return storedFileNames(value)?.join(', ') ?? /^data:[^,]*,[^,]*,filename:(.*)$/s.exec(value)?.[1] ?? 'A file'
}
