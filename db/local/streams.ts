/** The open streams of clients, each found by a baton that is valid for one request. */
import { randomBytes } from 'node:crypto'
import { openCheckpoints } from './checkpoints.ts'
import { openPool } from './connections.ts'
import { type PipelineRequest, type PipelineResponse, ProtocolError, type StreamResult } from './protocol.ts'
import { Stream } from './stream.ts'
import { createWriteLock } from './write-lock.ts'

export interface Streams {
  /** Throws ProtocolError for a baton that is unknown, used or expired. */
  run(request: PipelineRequest): Promise<PipelineResponse>
  close(): Promise<void>
}

export interface StreamTimes {
  /** Milliseconds until an idle stream's transaction is rolled back. */
  idleMs: number
  /** Milliseconds that a stream waits for its turn to write; longer than `idleMs`, so that it outlasts a dead client. */
  writeWaitMs: number
}

export function openStreams(file: string, { idleMs, writeWaitMs }: StreamTimes): Streams {
  const pool = openPool(file)
  const checkpoints = openCheckpoints(file)
  const writer = createWriteLock(writeWaitMs, checkpoints.note)
  const open = new Set<Stream>()
  const kept = new Map<string, { stream: Stream; timer: NodeJS.Timeout }>()
  let isClosed = false

  function find(baton: string | null | undefined): Stream {
    // A request that is still being read would open the file again.
    if (isClosed) throw new ProtocolError('The database is closed')
    if (baton === null || baton === undefined) {
      const stream = new Stream(pool, writer)
      open.add(stream)
      return stream
    }
    const found = kept.get(baton)
    if (!found) throw new ProtocolError('The stream has expired: its transaction was rolled back')
    clearTimeout(found.timer)
    kept.delete(baton)
    return found.stream
  }

  function keep(stream: Stream): string {
    const baton = randomBytes(24).toString('base64url')
    const timer = setTimeout(() => {
      kept.delete(baton)
      end(stream)
    }, idleMs)
    kept.set(baton, { stream, timer })
    return baton
  }

  function end(stream: Stream): void {
    stream.close()
    open.delete(stream)
  }

  return {
    async run(request) {
      if (!Array.isArray(request?.requests)) throw new ProtocolError('"requests" must be a list')
      const stream = find(request.baton)
      const results: StreamResult[] = []
      for (const one of request.requests) {
        const answer = stream.answer(one)
        results.push(answer instanceof Promise ? await answer : answer)
      }
      if (stream.closed) open.delete(stream)
      return { baton: stream.closed ? null : keep(stream), base_url: null, results }
    },
    async close() {
      isClosed = true
      for (const { timer } of kept.values()) clearTimeout(timer)
      kept.clear()
      for (const stream of open) end(stream)
      await checkpoints.close()
      pool.close()
    },
  }
}
