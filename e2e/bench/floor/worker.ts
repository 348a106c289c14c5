/**
 * The least that could answer a prediction: one call that reads, one or more to the model, one that writes. It uses no
 * library, its SQL is fixed, and it runs as it stands, without its types, in Miniflare as that comes.
 */
interface Env {
  DATABASE: string
  MODEL: string
}

interface Completion {
  choices: { message: { content: string } }[]
  usage: object
}

interface FloorRequest {
  question: string
  modelCalls?: number
  /** Forwards the tokens of the model's answer. */
  streaming?: boolean
}

/**
 * What a worker that looks at tokens cannot do without: it reads each chunk, writes every two milliseconds, and stores the
 * answer when it has ended.
 */
async function streamTokens(
  url: string,
  messages: object[],
  store: (text: string) => Promise<void>,
): Promise<Response> {
  const body = JSON.stringify({ model: 'scripted', stream: true, messages })
  const { body: answer } = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!answer) throw new Error('The model did not answer')
  const reader = answer.getReader()
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
  let [text, unsent, sentAt] = ['', '', 0]
  const tokens = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (;;) {
        const { done, value } = await reader.read()
        unsent += decoder.decode(value, { stream: !done })
        const now = Date.now()
        if (done || now - sentAt >= 2) {
          if (unsent !== '') controller.enqueue(encoder.encode(unsent))
          text += unsent
          unsent = ''
          sentAt = now
        }
        if (done) break
      }
      await store(text)
      controller.close()
    },
  })
  return new Response(tokens)
}

async function post<Result>(url: string, body: object): Promise<Result> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Result
}

export default {
  async fetch(request: Request, { DATABASE, MODEL }: Env): Promise<Response> {
    const { question, modelCalls = 1, streaming } = (await request.json()) as FloorRequest
    const [session, id, now] = [crypto.randomUUID(), crypto.randomUUID(), new Date().toISOString()]
    const read = await post<[[{ id: string }], ...{ role: string; content: string }[][]]>(`${DATABASE}/read`, {
      parameters: [['f'], ['w'], ['w'], ['hash'], [session], [session]],
    })
    const messages = [{ role: 'system', content: 'Answer.' }, ...(read[4] ?? []), { role: 'user', content: question }]
    const trace: object[] = [{ node: 'start', output: question }]
    const store = async (text: string) => {
      await post(`${DATABASE}/write`, {
        parameters: [
          [id, 'w', read[0][0].id, session, 'FINISHED', JSON.stringify(trace), now],
          [crypto.randomUUID(), 'w', read[0][0].id, session, 'userMessage', question, now],
          [crypto.randomUUID(), 'w', read[0][0].id, session, 'apiMessage', text, now],
        ],
      })
    }
    const url = `${MODEL}/chat/completions`
    if (streaming) return streamTokens(url, messages, store)
    let text = ''
    for (let call = 0; call < modelCalls; call++) {
      const answer = await post<Completion>(url, { model: 'scripted', messages })
      text = answer.choices[0]?.message.content ?? ''
      messages.push({ role: 'assistant', content: text })
      trace.push({ node: 'llm', output: text, usage: answer.usage })
    }
    await store(text)
    return Response.json({ text, question, chatId: session, sessionId: session, executionId: id, trace })
  },
}
