/** Files stored in flows as `data:<type>;base64,<bytes>,filename:<name>`. */

const MEGABYTE = 1024 * 1024
/** Keeps flows with files below the maximum size. */
const MAX_MEGABYTES = 4

/** Reads a file as a value. Throws an error with a user-facing message when it is too large or can't be read. */
export async function readFile(file: File): Promise<string> {
  if (file.size > MAX_MEGABYTES * MEGABYTE) {
    throw new Error(`${file.name} is too large to store in a flow. The limit is ${MAX_MEGABYTES} MB.`)
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `data:${file.type || 'application/octet-stream'};base64,${btoa(binary)},filename:${file.name}`
}

/** Returns the file name, or the key of a stored file; undefined for an empty value. */
export function fileNameOf(value: string): string | undefined {
  if (value === '') return undefined
  const stored = /^FILE-STORAGE::(.+)$/.exec(value)?.[1]
  return stored ?? /^data:[^,]*,[^,]*,filename:(.*)$/s.exec(value)?.[1] ?? 'A file'
}
