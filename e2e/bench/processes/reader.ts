/** The process of those who read streams: makes the calls that it is sent, and answers when their tokens came. */
import { Agent, request } from 'node:http'

export interface Streams {
  url: string
  body: object
  /** What each token's event begins with. */
  mark: string
  /** Tokens of each stream. */
  tokens: number
  atOnce: number
}

export interface StreamTimes {
  /** Milliseconds of each call until its first token. */
  first: number[]
  /** Tokens of all calls, from the first to the last. */
  perSecond: number
}

process.on('message', async (streams: Streams) => {
  const agent = new Agent({ keepAlive: true })
  const read = await Promise.all(Array.from({ length: streams.atOnce }, () => readTokens(streams, agent)))
  agent.destroy()
  const span = Math.max(...read.map(({ last }) => last)) - Math.min(...read.map(({ first }) => first))
  process.send?.({
    first: read.map(({ begin, first }) => first - begin),
    perSecond: (1000 * streams.tokens * streams.atOnce) / span,
  } satisfies StreamTimes)
})
process.once('disconnect', () => process.exit())

/** Milliseconds on this process's clock. Throws when the stream does not hold every token as an event of its own. */
function readTokens({ url, body, mark, tokens }: Streams, agent: Agent) {
  const payload = Buffer.from(JSON.stringify(body))
  const headers = { 'content-type': 'application/json', 'content-length': payload.length }
  const begin = performance.now()
  return new Promise<{ begin: number; first: number; last: number }>((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const count = counter(mark)
      let [first, last] = [0, 0]
      response.on('data', (bytes: Buffer) => {
        if (count.read(bytes) === 0) return
        last = performance.now()
        first ||= last
      })
      response.on('error', reject)
      response.on('end', () => {
        if (count.total() === tokens) resolve({ begin, first, last })
        else reject(new Error(`${url} answered ${response.statusCode} with ${count.total()} of ${tokens} tokens`))
      })
    })
    sent.on('error', reject)
    sent.end(payload)
  })
}

/** Counts a text in bytes that come in pieces. */
function counter(mark: string) {
  let total = 0
  let rest = ''
  return {
    total: () => total,
    read(bytes: Buffer): number {
      const pieces = (rest + bytes.toString('latin1')).split(mark)
      rest = (pieces.at(-1) ?? '').slice(1 - mark.length)
      total += pieces.length - 1
      return pieces.length - 1
    },
  }
}
process.send?.('ready')
