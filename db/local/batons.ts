/** What names a stream in its next request: its id and the number of its turn, so that each baton is valid once. */
import { randomBytes } from 'node:crypto'
import { ProtocolError } from './protocol.ts'
import type { Stream } from './stream.ts'

export interface NamedStream {
  readonly id: string
  readonly stream: Stream
  turn: number
  isExpired: boolean
  timer?: NodeJS.Timeout
}

interface Batons {
  add(stream: Stream): NamedStream
  /** Begins the stream's next turn. Throws ProtocolError for a baton that is unknown, used or expired. */
  find(baton: string): NamedStream
  /** Returns the baton of the next turn, until which the stream waits only so long. */
  give(named: NamedStream): string
  /** Returns false when it is forgotten already. */
  forget(named: NamedStream): boolean
  all(): NamedStream[]
}

/** Milliseconds for which a stream that expired is remembered. */
const REMEMBERED_MS = 300_000

/** @param end - called for a stream that was idle too long */
export function openBatons(idleMs: number, end: (named: NamedStream) => void): Batons {
  const byId = new Map<string, NamedStream>()
  return {
    add(stream) {
      const named = { id: randomBytes(24).toString('base64url'), stream, turn: 0, isExpired: false }
      byId.set(named.id, named)
      return named
    },
    find(baton) {
      const [id = '', turn] = baton.split('.')
      const named = byId.get(id)
      if (!named) throw new ProtocolError('Received an invalid baton')
      if (named.isExpired) throw new ProtocolError('The stream has expired due to inactivity', 'STREAM_EXPIRED')
      if (turn !== String(named.turn)) throw new ProtocolError('Received a baton that has already been used')
      clearTimeout(named.timer)
      named.turn++
      return named
    },
    give(named) {
      named.timer = setTimeout(() => {
        end(named)
        named.isExpired = true
        byId.set(named.id, named)
        named.timer = setTimeout(() => byId.delete(named.id), REMEMBERED_MS).unref()
      }, idleMs)
      return `${named.id}.${named.turn}`
    },
    forget(named) {
      clearTimeout(named.timer)
      return byId.delete(named.id) && !named.isExpired
    },
    all: () => [...byId.values()],
  }
}
