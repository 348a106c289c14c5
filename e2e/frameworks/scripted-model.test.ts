import { afterEach, describe, expect, it } from 'vitest'
import type { ModelServer } from '../support/model-server.ts'
import type { Script } from './recordings.ts'
import { startScriptedModel } from './scripted-model.ts'

let server: ModelServer | undefined
afterEach(() => server?.close())

async function start(...answers: Script['messages'][number]['answers'][]) {
  server = await startScriptedModel({ messages: answers.map((each) => ({ text: 'Hello', answers: each })) })
}

async function ask(model: string): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })
  const response = await fetch(`${server?.baseUrl}/chat/completions`, { method: 'POST', body })
  const answer = (await response.json()) as {
    choices?: { message: { content: string } }[]
    error?: { message: string }
  }
  return { status: response.status, text: answer.choices?.[0]?.message.content ?? answer.error?.message ?? '' }
}

describe('the scripted model', () => {
  it('gives each agent its own answers, one message after the other', async () => {
    await start({ left: ['L1', 'L2'], right: ['R1'] }, { left: ['L3'], right: [{ json: { r: 2 } }] })
    const texts: string[] = []
    for (const agent of ['right', 'left', 'left', 'left', 'right']) texts.push((await ask(agent)).text)
    expect(texts).toEqual(['R1', 'L1', 'L2', 'L3', '{"r":2}'])
  })

  it('answers a question too many with an error that names the agent', async () => {
    await start({ left: ['L1'] })
    await ask('left')
    expect(await ask('left')).toEqual({ status: 400, text: 'The script has no more answers for left.' })
    expect(await ask('right')).toEqual({ status: 400, text: 'The script has no more answers for right.' })
  })

  it('holds an answer back until another agent has asked for the same message', async () => {
    const held = { text: 'L2', whenAsked: 'right' }
    await start({ left: ['L1'], right: ['R1'] }, { left: [held], right: ['R2'], other: ['O2'] })
    await ask('left')
    await ask('right')
    const order: string[] = []
    const left = ask('left').then(({ text }) => order.push(text))
    await server?.received(3)
    // A whole round trip later, an answer that is not held back would be here.
    order.push((await ask('other')).text)
    await ask('right')
    await left
    expect(order).toEqual(['O2', 'L2'])
  })
})
