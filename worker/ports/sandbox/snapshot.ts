/** Takes back everything that a run did to the interpreter, by restoring its memory. */
import { Buffer } from 'node:buffer'

const PAGE_BYTES = 64 * 1024
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES)

/** Pages by their addresses. */
type Snapshot = ReadonlyMap<number, Uint8Array>

/**
 * Copies the memory in use. Pages that hold nothing but zeros are left out: they belong to the stack, which is empty
 * between runs, and to the heap beyond what is allocated.
 */
export function takeSnapshot(memory: WebAssembly.Memory): Snapshot {
  const pages = new Map<number, Uint8Array>()
  for (let at = 0; at < memory.buffer.byteLength; at += PAGE_BYTES) {
    const page = Buffer.from(memory.buffer, at, PAGE_BYTES)
    if (!page.equals(EMPTY_PAGE)) pages.set(at, Uint8Array.from(page))
  }
  return pages
}

/** @param memory must not have grown since */
export function restore(memory: WebAssembly.Memory, snapshot: Snapshot): void {
  const bytes = new Uint8Array(memory.buffer)
  for (const [at, page] of snapshot) bytes.set(page, at)
}

/** Returns the address of the state of `Math.random`: the one number that a draw changed as QuickJS does (xorshift64*). */
export function findRandomState(memory: WebAssembly.Memory, before: Snapshot): number {
  for (const [at, page] of before) {
    const old = new DataView(page.buffer)
    const now = new DataView(memory.buffer, at, PAGE_BYTES)
    for (let offset = 0; offset < PAGE_BYTES; offset += 8) {
      if (old.getInt32(offset) === now.getInt32(offset)) continue
      if (nextState(old.getBigUint64(offset, true)) === now.getBigUint64(offset, true)) return at + offset
    }
  }
  throw new Error('The interpreter has no state of Math.random')
}

/** Replaces the state of `Math.random`, or else every run would draw the same numbers. */
export function reseed(memory: WebAssembly.Memory, address: number): void {
  const state = new Uint8Array(memory.buffer, address, 8)
  crypto.getRandomValues(state)
  // Zero would stay zero.
  state[0] = (state[0] as number) | 1
}

function nextState(state: bigint): bigint {
  const first = state ^ (state >> 12n)
  const second = BigInt.asUintN(64, first ^ (first << 25n))
  return second ^ (second >> 27n)
}
