/** A file inside a flow: `data:<type>;base64,<bytes>,filename:<name>`. */

export async function readFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `data:${file.type || 'application/octet-stream'};base64,${btoa(binary)},filename:${file.name}`
}

/** The file's name; undefined when the value holds none. Stored files are named by their key. */
export function fileNameOf(value: string): string | undefined {
  if (value === '') return undefined
  const stored = /^FILE-STORAGE::(.+)$/.exec(value)?.[1]
  return stored ?? /,filename:([^,]*)$/.exec(value)?.[1] ?? 'A file'
}
