/** Turns the bytes of a text file into text. */
import { UnreadableError } from '../types.ts'
import { tooMuchText } from './limits.ts'
import type { OpenFile } from './types.ts'

const BYTES_AT_ONCE = 1024 ** 2

/**
 * Returns the text without byte order mark: UTF-16 if it is marked so, otherwise UTF-8, otherwise Windows-1252.
 * @throws UnreadableError when it is no text, or more than the limit
 */
export function decodeText({
  bytes,
  limits,
}: Pick<OpenFile, 'bytes'> & { limits: Pick<OpenFile['limits'], 'chars'> }): string {
  const marked = markedEncoding(bytes)
  if (!marked && bytes.includes(0))
    throw new UnreadableError('This file is not text. Save it as PDF, DOCX or plain text, and send it again.')
  if (marked) return decodeAs(marked, bytes, limits.chars)
  try {
    return decodeAs('utf-8', bytes, limits.chars)
  } catch (error) {
    if (error instanceof UnreadableError) throw error
    return decodeAs('windows-1252', bytes, limits.chars)
  }
}

function markedEncoding([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** Decodes in parts, so that too long a text is refused before it fills the memory. */
function decodeAs(encoding: string, bytes: Uint8Array, maxChars: number): string {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8', ignoreBOM: false })
  let text = ''
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    text += decoder.decode(bytes.subarray(at, at + BYTES_AT_ONCE), { stream: true })
    if (text.length > maxChars) throw new UnreadableError(tooMuchText(maxChars))
  }
  return text + decoder.decode()
}
