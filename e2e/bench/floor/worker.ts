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

interface Asked {
  question: string
  modelCalls?: number
  /** Forwards the model's answer and does nothing else. */
  streaming?: boolean
}

/** What a worker that looks at tokens cannot do without: it reads each chunk, and writes every two milliseconds. */
async function forwardTokens(url: string, question: string): Promise<Response> {
  const body = JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: question }] })
  const { body: answer } = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!answer) throw new Error('The model did not answer')
  const reader = answer.getReader()
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
  let [text, sentAt] = ['', 0]
  const tokens = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (;;) {
        const { done, value } = await reader.read()
        text += decoder.decode(value, { stream: !done })
        const now = Date.now()
        if (done || now - sentAt >= 2) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          text = ''
          sentAt = now
        }
        if (done) return controller.close()
      }
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
    const { question, modelCalls = 1, ...asked } = (await request.json()) as Asked
    if (asked.streaming) return forwardTokens(`${MODEL}/chat/completions`, question)
    const [session, id, now] = [crypto.randomUUID(), crypto.randomUUID(), new Date().toISOString()]
    const read = await post<[[{ id: string }], ...{ role: string; content: string }[][]]>(`${DATABASE}/read`, {
      parameters: [['f'], ['w'], ['w'], ['hash'], [session], [session]],
    })
    const messages = [{ role: 'system', content: 'Answer.' }, ...(read[4] ?? []), { role: 'user', content: question }]
    const trace: object[] = [{ node: 'start', output: question }]
    let text = ''
    for (let call = 0; call < modelCalls; call++) {
      const answer = await post<Completion>(`${MODEL}/chat/completions`, { model: 'scripted', messages })
      text = answer.choices[0]?.message.content ?? ''
      messages.push({ role: 'assistant', content: text })
      trace.push({ node: 'llm', output: text, usage: answer.usage })
    }
    const flow = read[0][0].id
    await post(`${DATABASE}/write`, {
      parameters: [
        [id, 'w', flow, session, 'FINISHED', JSON.stringify(trace), now],
        [crypto.randomUUID(), 'w', flow, session, 'userMessage', question, now],
        [crypto.randomUUID(), 'w', flow, session, 'apiMessage', text, now],
      ],
    })
    return Response.json({ text, question, chatId: session, sessionId: session, executionId: id, trace })
  },
}
