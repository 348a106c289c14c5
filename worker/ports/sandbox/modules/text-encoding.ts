import type { Load } from './host.ts'

declare const load: Load

const { Buffer } = load('buffer')

class TextEncoder {
  readonly encoding = 'utf-8'
  encode(text = ''): Uint8Array {
    return Uint8Array.from(Buffer.from(String(text), 'utf8'))
  }
}

class TextDecoder {
  readonly encoding = 'utf-8'
  constructor(label = 'utf-8') {
    if (!/^utf-?8$/i.test(label)) throw new RangeError(`TextDecoder: only utf-8 is available, not ${label}`)
  }
  decode(bytes: Uint8Array | ArrayBuffer = new Uint8Array()): string {
    return Buffer.from(bytes).toString('utf8')
  }
}

const atob = (text: string): string => Buffer.from(String(text), 'base64').toString('latin1')
const btoa = (text: string): string => Buffer.from(String(text), 'latin1').toString('base64')

export default { TextEncoder, TextDecoder, atob, btoa }
