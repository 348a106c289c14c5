/**
 * The least that could answer a prediction: one call that reads, one or more to the model, one that writes. It uses no
 * library, its SQL is fixed, and it runs as it stands, without its types.
 */
interface Env {
  DATABASE: string
  MODEL: string
}

interface Completion {
  choices: { message: { content: string } }[]
  usage: object
}

async function post<Result>(url: string, body: object): Promise<Result> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Result
}

export default {
  async fetch(request: Request, { DATABASE, MODEL }: Env): Promise<Response> {
    const { question, modelCalls = 1 } = (await request.json()) as { question: string; modelCalls?: number }
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
