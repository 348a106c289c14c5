const CHARSET = /charset\s*=\s*["']?([\w-]+)/i

/** Decodes a page with the encoding from its byte order mark, its content type or its own head. */
export function decodePage(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>, type: string): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2))
  const mark =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined
  const head = new TextDecoder().decode(bytes.slice(0, 2000))
  const [, name = 'utf-8'] = CHARSET.exec(type) ?? CHARSET.exec(head) ?? []
  try {
    return new TextDecoder(mark ?? name).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
