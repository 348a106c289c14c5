/** The open streams of clients. */
import { type NamedStream, openBatons } from './batons.ts'
import { openCheckpoints } from './checkpoints.ts'
import { openPool } from './connections.ts'
import { type AnswerMeter, type Limits, meterAnswers, openGate } from './limits.ts'
import { type PipelineRequest, type PipelineResponse, ProtocolError, type StreamResult } from './protocol.ts'
import { Stream } from './stream.ts'
import { createWriteLock } from './write-lock.ts'

export interface Streams {
  /** Throws ProtocolError for a baton that is unknown, used or expired, and SqldError when too many are served. */
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
  const batons = openBatons(limits.idleStreamMs, end)
  let isClosed = false

  async function start(): Promise<NamedStream> {
    await gate.enter()
    assertOpen()
    return batons.add(new Stream({ pool, lock, rowBytes: limits.rowBytes }))
  }

  /** A request that is still being read would open the file again. */
  function assertOpen(): void {
    if (isClosed) throw new ProtocolError('The database is closed')
  }

  function end(named: NamedStream): void {
    named.stream.close()
    if (batons.forget(named)) gate.leave()
  }

  return {
    async run(request) {
      assertOpen()
      const used = typeof request.baton === 'string' ? batons.find(request.baton) : await start()
      const meter = meterAnswer()
      const results: StreamResult[] = []
      try {
        for (const one of request.requests) {
          const answer = used.stream.answer(one, meter)
          results.push(answer instanceof Promise ? await answer : answer)
        }
      } catch (error) {
        end(used)
        meter.release()
        throw error
      }
      if (used.stream.closed) end(used)
      return { response: { baton: used.stream.closed ? null : batons.give(used), base_url: null, results }, meter }
    },
    writes: () => writes,
    async close() {
      isClosed = true
      for (const named of batons.all()) end(named)
      await checkpoints.close()
      pool.close()
    },
  }
}
