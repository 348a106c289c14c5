/** A subset of Node's `crypto`: digests, HMAC, random values, comparison. */
import type { DigestRequest, GuestHost, Load } from './host.ts'

declare const host: GuestHost
declare const load: Load

const { Buffer } = load('buffer')

type Data = string | ArrayBufferView

const bytesOf = (data: Data, encoding?: string) =>
  typeof data === 'string' ? Buffer.from(data, encoding) : Buffer.from(data)

function createDigest(start: Omit<DigestRequest, 'data'>) {
  const parts: unknown[] = []
  return {
    update(data: Data, encoding?: string) {
      parts.push(bytesOf(data, encoding))
      return this
    },
    digest(encoding?: string) {
      const data = Buffer.concat(parts).toString('base64')
      const result = Buffer.from(host.digest(JSON.stringify({ ...start, data })), 'base64')
      return encoding && encoding !== 'buffer' ? result.toString(encoding) : result
    },
  }
}

const createHash = (algorithm: string) => createDigest({ algorithm })
const createHmac = (algorithm: string, key: Data) => createDigest({ algorithm, key: bytesOf(key).toString('base64') })
const randomBytes = (count: number) => Buffer.from(host.randomBytes(count), 'base64')

function randomInt(low: number, high?: number): number {
  const [from, to] = high === undefined ? [0, low] : [low, high]
  return from + Math.floor((randomBytes(6).readUIntBE(0, 6) / 2 ** 48) * (to - from))
}

function randomUUID(): string {
  const bytes = randomBytes(16)
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const hex: string = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) throw new RangeError('Input buffers must have the same byte length')
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] as number)), 0) === 0
}

export default { createHash, createHmac, randomBytes, randomInt, randomUUID, timingSafeEqual }
