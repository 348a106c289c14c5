/** The process of the callers: makes the calls that it is sent and answers how long they took. */
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { load } from '../calls.ts'
import { quantile } from '../table.ts'

export interface Calls {
  url: string
  headers?: Record<string, string>
  body: object
  /** What a good answer holds. */
  expected: string
  count: number
  atOnce: number
}

export interface CallTimes {
  p50: number
  p95: number
  perSecond: number
}

process.on('message', async (calls: Calls) => {
  // Connections of its own for each round: a server may close those that stood idle meanwhile.
  const agent = new Agent({ keepAlive: true })
  const { times, perSecond } = await load(() => call(calls, agent), calls)
  agent.destroy()
  process.send?.({ p50: quantile(times, 0.5), p95: quantile(times, 0.95), perSecond } satisfies CallTimes)
})
process.once('disconnect', () => process.exit())

async function call({ url, headers, body, expected }: Calls, agent: Agent): Promise<void> {
  const payload = Buffer.from(JSON.stringify(body))
  const { status, answer } = await new Promise<{ status?: number | undefined; answer: string }>((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': payload.length, ...headers },
    })
    sent.on('response', (response) =>
      text(response).then((answer) => resolve({ status: response.statusCode, answer }), reject),
    )
    sent.on('error', reject)
    sent.end(payload)
  })
  if (status !== 200 || !answer.includes(expected))
    throw new Error(`${url} answered ${status}: ${answer.slice(0, 500)}`)
}
process.send?.('ready')
