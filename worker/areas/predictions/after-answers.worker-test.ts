import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HIDDEN } from '#contract/data/secrets.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, code, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from './testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterEach(() => scene.model.reset())
afterAll(() => scene.close())

const question = { question: 'When do you open?' }
const flow = () => chain(start(), directReply('At nine.'))
const follows = (prompt?: string) => ({
  followUpPrompts: JSON.stringify({
    status: true,
    selectedProvider: 'chatOpenAICustom',
    chatOpenAICustom: { modelName: 'scripted', basepath: scene.model.baseUrl, temperature: '0.5', prompt },
  }),
})
const processing = (customFunction: string) => ({
  chatbotConfig: JSON.stringify({ postProcessing: { enabled: true, customFunction: JSON.stringify(customFunction) } }),
})

describe('follow-up prompts', () => {
  it('come with an answer as the text of a text of a list', async () => {
    scene.model.reply({ json: { questions: ['On Sundays too?', ' ', 'On Sundays too?', 'And when do you close?'] } })
    const { body } = await scene.ask(await scene.save(flow(), follows('{history} What next? $&')), question)
    expect(body.text).toBe('At nine.')
    expect(JSON.parse(JSON.parse(body.followUpPrompts as string))).toEqual([
      'On Sundays too?',
      'And when do you close?',
    ])
    expect(scene.model.requests[0]?.body.messages[0]?.content).toBe(
      'human: When do you open?\nai: At nine. What next? $&',
    )
    expect((await scene.messagesOf(body.executionId)).at(-1)?.followUpPrompts).toBe(
      '["On Sundays too?","And when do you close?"]',
    )
  })

  it('come in a stream after the answer, as a text of a list in its metadata', async () => {
    scene.model.reply({ json: { questions: ['On Sundays too?'] } })
    const events = await scene.stream(`/prediction/${await scene.save(flow(), follows())}`, question)
    const names = events.map(({ event }) => event)
    expect(names.slice(-2)).toEqual(['metadata', 'end'])
    expect(names.indexOf('token')).toBeLessThan(names.indexOf('metadata'))
    expect(events.at(-2)?.data).toMatchObject({ followUpPrompts: '["On Sundays too?"]' })
  })

  it('do not repeat the secret of their credential', async () => {
    const key = 'sk-of-the-questions'
    const hosts = [scene.model.host]
    const credential = { name: 'Key', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: key }, hosts }
    const { id } = (await scene.call<{ id: string }>('POST', '/credentials', credential)).body
    const settings = JSON.parse(follows().followUpPrompts)
    settings.chatOpenAICustom.credentialId = id
    scene.model.reply({ json: { questions: [`Is ${key} yours?`] } })
    const { body } = await scene.ask(await scene.save(flow(), { followUpPrompts: JSON.stringify(settings) }), question)
    expect(scene.model.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(JSON.parse(JSON.parse(body.followUpPrompts as string))).toEqual([`Is ${HIDDEN} yours?`])
  })

  it.each([
    ['the model refuses', () => ({ error: { status: 400, message: 'No' } })],
    ['the model writes no list', () => ({ text: 'Ask about Sundays' })],
  ])('are left out when %s, and the answer stays', async (_, reply) => {
    scene.model.always(reply)
    const { status, body } = await scene.ask(await scene.save(flow(), follows()), question)
    expect(status).toBe(200)
    expect(body.text).toBe('At nine.')
    expect(body).not.toHaveProperty('followUpPrompts')
  })

  it('are not written after a failed run, nor when switched off', async () => {
    await scene.ask(await scene.save(chain(start(), code('throw new Error("no")')), follows()), question)
    const off = { followUpPrompts: follows().followUpPrompts.replace('true', 'false') }
    await scene.ask(await scene.save(flow(), off), question)
    expect(scene.model.requests).toEqual([])
  })
})

describe('post-processing', () => {
  it('changes the answer before anybody gets it', async () => {
    const flowId = await scene.save(flow(), processing('return $flow.rawOutput.toUpperCase() + " " + $flow.chatId'))
    const { body } = await scene.ask(flowId, { ...question, chatId: chatIdOf('c1') })
    expect(body.text).toBe(`AT NINE. ${chatIdOf('c1')}`)
    expect(JSON.stringify(body)).not.toContain('At nine')
    expect((await scene.messagesOf(body.executionId)).at(-1)?.content).toBe(`AT NINE. ${chatIdOf('c1')}`)
  })

  it('answers callers with JSON where they ask for a stream', async () => {
    const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl)), processing('return "changed"'))
    const response = await scene.heddle.fetch(`/api/v1/prediction/${flowId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...question, streaming: true }),
    })
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({ text: 'changed' })
  })

  it('streams the changed answer alone to the canvas', async () => {
    scene.model.reply({ text: ['At ', 'nine'] })
    const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl)), processing('return "changed"'))
    const events = await scene.stream(`/internal-prediction/${flowId}`, question, scene.ann)
    expect(events.filter(({ event }) => event === 'token').map(({ data }) => data)).toEqual(['changed'])
  })

  it('fails the run when the code fails, without the raw answer', async () => {
    const flowId = await scene.save(flow(), processing('throw new Error("broken")'))
    const { status, body } = await scene.ask(flowId, question)
    expect(status).toBe(500)
    expect(body.message).toMatch(/^Post-processing failed: .*broken/)
    expect(JSON.stringify(body)).not.toContain('At nine')
  })

  it('runs no code that is switched off', async () => {
    const chatbotConfig = processing('return "changed"').chatbotConfig.replace('true', 'false')
    expect((await scene.ask(await scene.save(flow(), { chatbotConfig }), question)).body.text).toBe('At nine.')
  })
})
