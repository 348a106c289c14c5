/** The open streams of clients, each found by a baton that is valid for one request. */
import { randomBytes } from 'node:crypto'
import { openCheckpoints } from './checkpoints.ts'
import { openPool } from './connections.ts'
import { type AnswerMeter, type Limits, meterAnswers, openGate } from './limits.ts'
import { type PipelineRequest, type PipelineResponse, ProtocolError, type StreamResult } from './protocol.ts'
import { Stream } from './stream.ts'
import { createWriteLock } from './write-lock.ts'

export interface Streams {
  /** Throws ProtocolError for a baton that is unknown, used or expired, and LimitError when too many are served. */
  run(request: PipelineRequest): Promise<PipelineRun>
  /** Transactions that wrote, and statements that did outside of one. */
  writes(): number
  close(): Promise<void>
}

interface PipelineRun {
  response: PipelineResponse
  /** To be released once the response was sent. */
  meter: AnswerMeter
}

export function openStreams(file: string, limits: Limits): Streams {
  const pool = openPool(file)
  const checkpoints = openCheckpoints(file)
  let writes = 0
  const lock = createWriteLock({ waitMs: limits.writeWaitMs, turnMs: limits.transactionMs }, () => {
    writes++
    checkpoints.note()
  })
  const gate = openGate(limits)
  const meterAnswer = meterAnswers(limits)
  const open = new Set<Stream>()
  const kept = new Map<string, { stream: Stream; timer: NodeJS.Timeout }>()
  let isClosed = false

  async function start(): Promise<Stream> {
    await gate.enter()
    assertOpen()
    const stream = new Stream({ pool, lock, rowBytes: limits.rowBytes })
    open.add(stream)
    return stream
  }

  /** A request that is still being read would open the file again. */
  function assertOpen(): void {
    if (isClosed) throw new ProtocolError('The database is closed')
  }

  function find(baton: string): Stream {
    assertOpen()
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
    }, limits.idleStreamMs)
    kept.set(baton, { stream, timer })
    return baton
  }

  function end(stream: Stream): void {
    stream.close()
    forget(stream)
  }

  function forget(stream: Stream): void {
    if (open.delete(stream)) gate.leave()
  }

  return {
    async run(request) {
      if (!Array.isArray(request?.requests)) throw new ProtocolError('"requests" must be a list')
      const stream = typeof request.baton === 'string' ? find(request.baton) : await start()
      const meter = meterAnswer()
      const results: StreamResult[] = []
      for (const one of request.requests) {
        const answer = stream.answer(one, meter)
        results.push(answer instanceof Promise ? await answer : answer)
      }
      if (stream.closed) forget(stream)
      return { response: { baton: stream.closed ? null : keep(stream), base_url: null, results }, meter }
    },
    writes: () => writes,
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
