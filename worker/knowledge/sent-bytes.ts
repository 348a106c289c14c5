import type { SentInput } from '#contract/document-stores/file-inputs.ts'

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Returns the bytes of a file that came as text, undefined when it is not base64. */
export function bytesOfInput(sent: SentInput | undefined): Uint8Array | undefined {
  return sent && BASE64.test(sent.base64) ? new Uint8Array(Buffer.from(sent.base64, 'base64')) : undefined
}
