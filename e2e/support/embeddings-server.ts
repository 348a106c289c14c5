/** Stands for a provider of embeddings in tests: OpenAI's wire format, with every text that it was asked for. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EmbeddingsServer {
  /** What an embedder's `basepath` is set to. */
  baseUrl: string
  /** `127.0.0.1:<port>`, for ALLOW_PRIVATE_HOSTS. */
  host: string
  /** The texts of each request that was answered with vectors. */
  requests: string[][]
  /** Answers the next requests with these errors instead. */
  refuse(...refusals: { status: number; message: string }[]): void
  /** After so many more requests, further ones get no answer until `release`. Resolves when the first of them came. */
  hold(after?: number): Promise<void>
  release(): void
  /** Resolves when a caller goes away without an answer. */
  abandoned(): Promise<void>
  close(): Promise<void>
}

const DIMENSIONS = 8

/** Listens on `port` of 127.0.0.1; without it on a free one. */
export async function startEmbeddingsServer(port = 0): Promise<EmbeddingsServer> {
  const requests: string[][] = []
  const refusals: { status: number; message: string }[] = []
  let free = 0
  let held: PromiseWithResolvers<void> | undefined
  let came: PromiseWithResolvers<void> | undefined
  let gone = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    response.on('close', () => !response.writableEnded && gone.resolve())
    let text = ''
    for await (const piece of request) text += piece
    if (free > 0) free--
    else {
      came?.resolve()
      await held?.promise
    }
    if (response.destroyed) return
    response.setHeader('content-type', 'application/json')
    const refusal = refusals.shift()
    if (refusal) {
      response.statusCode = refusal.status
      return response.end(JSON.stringify({ error: { message: refusal.message, type: 'refused' } }))
    }
    const { input, model } = JSON.parse(text) as { input: string | string[]; model: string }
    const texts = typeof input === 'string' ? [input] : input
    requests.push(texts)
    const data = texts.map((each, index) => ({ object: 'embedding', index, embedding: vectorOf(each) }))
    const tokens = texts.length * 3
    response.end(
      JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ host, requests, baseUrl: `http://${host}/v1` },
    refuse: (...next) => void refusals.push(...next),
    hold(after = 0) {
      free = after
      held = Promise.withResolvers()
      came = Promise.withResolvers()
      return came.promise
    },
    release() {
      free = 0
      held?.resolve()
      held = undefined
      came = undefined
    },
    abandoned() {
      gone = Promise.withResolvers()
      return gone.promise
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Equal texts have equal vectors. */
function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0.01)
  for (let at = 0; at < text.length; at++) {
    const place = (text.charCodeAt(at) * 31 + at) % DIMENSIONS
    vector[place] = (vector[place] as number) + 1
  }
  return vector
}
