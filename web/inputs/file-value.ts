/** A file inside a flow: `data:<type>;base64,<bytes>,filename:<name>`. */

const MEGABYTE = 1024 * 1024
/** The flow with its file must stay below what can be saved. */
const MAX_MEGABYTES = 4

/** The file as a value. Throws an Error for a person when it is too large to be kept in a flow, or cannot be read. */
export async function readFile(file: File): Promise<string> {
  if (file.size > MAX_MEGABYTES * MEGABYTE) {
    throw new Error(`${file.name} is too large to be kept in a flow: at most ${MAX_MEGABYTES} MB.`)
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `data:${file.type || 'application/octet-stream'};base64,${btoa(binary)},filename:${file.name}`
}

/** The file's name; undefined when the value holds none. Stored files are named by their key. */
export function fileNameOf(value: string): string | undefined {
  if (value === '') return undefined
  const stored = /^FILE-STORAGE::(.+)$/.exec(value)?.[1]
  return stored ?? /^data:[^,]*,[^,]*,filename:(.*)$/s.exec(value)?.[1] ?? 'A file'
}
