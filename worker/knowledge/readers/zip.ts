/**
 * The only way into zip files. It reads their directory, refuses what would not fit before anything is unpacked, and counts
 * the bytes that really come out, whatever the directory says. Names of parts are keys, never paths.
 */
import { Inflate } from 'fflate'
import { UnreadableError } from '../types.ts'
import type { OpenFile } from './types.ts'

const MAX_PARTS = 10_000
/** Packed bytes at once: deflate makes at most 1,032 times as many of them. */
const PACKED_AT_ONCE = 4096

const BROKEN = 'This file is broken or incomplete. Save it again and send it once more.'
const ENCRYPTED = 'This file is encrypted. Save it without a password, and send it again.'

interface Part {
  method: number
  packedSize: number
  size: number
  /** Where its local header begins. */
  offset: number
}

export interface Zip {
  names: string[]
  has(name: string): boolean
  /** Passes the bytes of a part on, as they are unpacked. @throws UnreadableError */
  unpack(name: string, onBytes: (bytes: Uint8Array) => void): void
  /** For parts that must be known as a whole. @throws UnreadableError when it is missing, broken or longer than that */
  text(name: string, maxChars?: number): string
}

/** @throws UnreadableError when it is broken, encrypted or would unpack to too much */
export function openZip({ bytes, limits }: OpenFile): Zip {
  const parts = readDirectory(bytes)
  let declared = 0
  for (const { size } of parts.values()) declared += size
  if (declared > limits.unzippedBytes) throw tooMuch(limits.unzippedBytes)
  let left = limits.unzippedBytes

  const unpack: Zip['unpack'] = (name, onBytes) => {
    const part = parts.get(name)
    if (!part) throw new UnreadableError(BROKEN)
    let size = 0
    const count = (some: Uint8Array) => {
      size += some.length
      left -= some.length
      if (left < 0) throw tooMuch(limits.unzippedBytes)
      if (size > part.size) throw new UnreadableError(BROKEN)
      if (some.length > 0) onBytes(some)
    }
    unpackPart(packedBytes(bytes, part), part.method, count)
    if (size !== part.size) throw new UnreadableError(BROKEN)
  }

  return {
    names: [...parts.keys()],
    has: (name) => parts.has(name),
    unpack,
    text(name, maxChars = 5_000_000) {
      const decode = partDecoder()
      let text = ''
      unpack(name, (some) => {
        text += decode(some)
        if (text.length > maxChars) throw new UnreadableError('A part of this file is too long. Divide it.')
      })
      return text + decode()
    },
  }
}

/** Returns a function that decodes the bytes of an XML part one after the other: UTF-8, or UTF-16 if it is marked so. */
export function partDecoder(): (bytes?: Uint8Array) => string {
  let decoder: TextDecoder | undefined
  return (bytes) => {
    decoder ??= new TextDecoder(bytes && bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8')
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  }
}

const tooMuch = (limit: number) =>
  new UnreadableError(`This file unpacks to more than ${Math.ceil(limit / 1024 ** 2)} MB. Divide it.`)

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_SIZE = 22
const MAX_COMMENT = 0xffff

function readDirectory(bytes: Uint8Array): Map<string, Part> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  if (count > MAX_PARTS) throw new UnreadableError(`This file has more than ${MAX_PARTS} parts. Divide it.`)
  const parts = new Map<string, Part>()
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY) throw new UnreadableError(BROKEN)
    if (view.getUint16(at + 8, true) & 1) throw new UnreadableError(ENCRYPTED)
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    parts.set(name, {
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return parts
}

/** Returns where the record stands that ends every zip file, before a comment. */
function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_SIZE - MAX_COMMENT)
  for (let at = view.byteLength - END_SIZE; at >= first; at--) if (view.getUint32(at, true) === END) return at
  throw new UnreadableError(BROKEN)
}

function packedBytes(bytes: Uint8Array, { offset, packedSize }: Part): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL) throw new UnreadableError(BROKEN)
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + packedSize > bytes.length) throw new UnreadableError(BROKEN)
  return bytes.subarray(start, start + packedSize)
}

function unpackPart(packed: Uint8Array, method: number, onBytes: (bytes: Uint8Array) => void): void {
  if (method !== 0 && method !== 8) throw new UnreadableError(BROKEN)
  const inflate = method === 8 ? new Inflate(onBytes) : undefined
  for (let at = 0; at < packed.length; at += PACKED_AT_ONCE) {
    const some = packed.subarray(at, at + PACKED_AT_ONCE)
    if (inflate) pushPacked(inflate, some, at + PACKED_AT_ONCE >= packed.length)
    else onBytes(some)
  }
}

function pushPacked(inflate: Inflate, some: Uint8Array, isLast: boolean): void {
  try {
    inflate.push(some, isLast)
  } catch (error) {
    throw error instanceof UnreadableError ? error : new UnreadableError(BROKEN)
  }
}
