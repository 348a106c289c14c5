/** Unpacks the streams of a PDF once, only to count what comes out: the reader of PDFs unpacks each as a whole. */
import { Inflate } from 'fflate'
import { UnreadableError } from '../types.ts'

const STREAM = [...'stream'].map((letter) => letter.charCodeAt(0))
/** Deflate makes at most so many bytes of one. */
const MOST_PER_BYTE = 1032
/** Packed bytes at once, and at least where little room is left: each piece costs a copy of the window. */
const PACKED_AT_ONCE = 4096
const LEAST_AT_ONCE = 512
/** How often a stream may be packed in another one. */
const MAX_NESTING = 3
/** The most bytes of a stream. A page of text or drawings takes some megabytes at most. */
const MAX_STREAM_BYTES = 64 * 1024 ** 2

const TOO_MUCH = 'This PDF unpacks to too much. Divide it, or export it again.'

/**
 * Returns the bytes of all streams, each counted to where its data ends: the length and the end that the file declares may
 * lie.
 * @throws UnreadableError when the streams unpack to more than the limit
 */
export function checkPdfStreams(bytes: Uint8Array, maxBytes: number): number {
  let left = maxBytes
  for (let at = nextStream(bytes, 0); at !== -1; at = nextStream(bytes, at)) {
    if (!isPacked(bytes, at)) continue
    left -= unpackedSize(bytes.subarray(at), Math.min(left, MAX_STREAM_BYTES))
    if (left < 0) throw new UnreadableError(TOO_MUCH)
  }
  return maxBytes - left
}

/** Returns the bytes that were packed and unpacked: those that unpack to nothing cost time as well. */
function unpackedSize(rest: Uint8Array, most: number): number {
  let size = 0
  const count = (some: number) => {
    size += some
    if (size > most) throw new UnreadableError(TOO_MUCH)
  }
  const unpacking = startUnpacking(count, 1)
  for (let at = 0; at < rest.length && !unpacking.isOver(); ) {
    // No more than the room that is left can take.
    const fitting = Math.max(LEAST_AT_ONCE, Math.ceil((most - size) / MOST_PER_BYTE))
    const some = rest.subarray(at, at + Math.min(PACKED_AT_ONCE, fitting))
    at += some.length
    count(some.length)
    unpacking.push(some)
  }
  return size
}

interface Unpacking {
  push(packed: Uint8Array): void
  isOver(): boolean
}

/** The library keeps here that the last block has been unpacked. */
interface InflateState {
  s: { f?: number; l?: unknown }
}

const HEADER = 2

function startUnpacking(count: (bytes: number) => void, nesting: number): Unpacking {
  let inner: Unpacking | undefined
  let isFirst = true
  let isBroken = false
  let header = HEADER
  const inflate = new Inflate((some) => {
    count(some.length)
    if (isFirst && some.length >= HEADER) {
      isFirst = false
      if (isPacked(some, 0)) inner = nesting < MAX_NESTING ? startUnpacking(count, nesting + 1) : undefined
    }
    for (let at = 0; inner && at < some.length && !inner.isOver(); at += PACKED_AT_ONCE)
      inner.push(some.subarray(at, at + PACKED_AT_ONCE))
  })
  return {
    isOver() {
      const { f, l } = (inflate as unknown as InflateState).s
      return isBroken || (f === 1 && !l)
    },
    push(packed) {
      const bytes = packed.subarray(header)
      header = Math.max(0, header - packed.length)
      try {
        if (bytes.length > 0) inflate.push(bytes)
      } catch (error) {
        if (error instanceof UnreadableError) throw error
        // Broken streams are the reader's to judge.
        isBroken = true
      }
    },
  }
}

/** The two bytes with which deflated data begins, whose checksum tells them from others. */
function isPacked(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at] ?? 0
  const second = bytes[at + 1] ?? 0
  return (first & 0x0f) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0
}

/** Returns where the data of the next stream begins, or -1. */
function nextStream(bytes: Uint8Array, from: number): number {
  const [first = 0] = STREAM
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (!STREAM.every((code, index) => bytes[at + index] === code)) continue
    return afterLineEnd(bytes, at + STREAM.length)
  }
  return -1
}

function afterLineEnd(bytes: Uint8Array, at: number): number {
  const next = bytes[at] === 0x0d ? at + 1 : at
  return bytes[next] === 0x0a ? next + 1 : next
}
