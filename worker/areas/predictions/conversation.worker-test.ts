/** What the nodes of a run and the next question of its session are told of what was said: as flows from Flowise count on it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, code, directReply, llm, node, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from './testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

/** What the model was told in its n-th call: `user (writer): Dear Ann`. */
const told = (call: number) =>
  scene.model.requests[call]?.body.messages.map(({ role, content, name }) => {
    return `${role}${name ? ` (${name})` : ''}: ${content}`
  })

const asUser = { llmReturnResponseAs: 'userMessage' }

describe('a model is told', () => {
  it('which node spoke', async () => {
    const writer = llm(scene.model.baseUrl, 0, asUser)
    writer.data.label = 'Writer <1>'
    const flow = await scene.save(chain(start(), writer, llm(scene.model.baseUrl, 1), llm(scene.model.baseUrl, 2)))
    scene.model.reply({ text: 'Dear Ann' }, { text: 'Too short' }, { text: 'Done' })
    await scene.ask(flow, { question: 'Write' })
    expect(told(2)).toEqual(['user: Write', 'user (writer__1_): Dear Ann', 'assistant (llm_1): Too short'])
  })

  it('last what the person said who let the run go on', async () => {
    const ask = node('humanInputAgentflow', 0, { humanInputDescriptionType: 'fixed', humanInputDescription: 'Send?' })
    const flow = chain(start(), llm(scene.model.baseUrl, 0), ask, llm(scene.model.baseUrl, 1))
    const proceed = flow.edges.find(({ source }) => source === ask.id)
    if (proceed) proceed.sourceHandle = `${ask.id}-output-0`
    const id = await scene.save(flow)
    scene.model.reply({ text: 'Dear Ann' }, { text: 'Sent' })
    const { body } = await scene.ask(id, { question: 'Write', chatId: chatIdOf('proceed') })
    expect(body.text).toBe('Dear Ann\n\nSend?')
    const { body: end } = await scene.ask(id, { chatId: chatIdOf('proceed'), humanInput: { type: 'proceed' } })
    expect(end.text).toBe('Sent')
    expect(told(1)?.slice(-2)).toEqual(['assistant: Dear Ann\n\nSend?', 'user: Proceed'])
  })

  it('what the first node asked, when that was not the question', async () => {
    const own = {
      ...asUser,
      llmEnableMemory: false,
      llmMessages: [{ role: 'user', content: 'Translate {{question}}' }],
    }
    const flow = await scene.save(chain(start(), llm(scene.model.baseUrl, 0, own), llm(scene.model.baseUrl, 1)))
    scene.model.reply({ text: 'Hallo' }, { text: 'Done' })
    await scene.ask(flow, { question: 'Hello' })
    expect(told(1)).toEqual(['user: Translate Hello', 'user (llm_0): Hallo'])
  })

  it('what another flow was asked, when that came first', async () => {
    const child = await scene.save(chain(start(), directReply('The child’s answer')))
    const call = node('executeFlowAgentflow', 0, {
      executeFlowSelectedFlow: child,
      executeFlowInput: 'Tell me of {{question}}',
      executeFlowReturnResponseAs: 'userMessage',
    })
    const flow = await scene.save(chain(start(), call, llm(scene.model.baseUrl)))
    await scene.ask(flow, { question: 'looms' })
    expect(told(0)).toEqual(['user: Tell me of looms', 'user (executeflow_0): The child’s answer'])
  })
})

describe('the flow state', () => {
  const state = [
    { key: 'list', value: '' },
    { key: 'count', value: '' },
  ]

  it('keeps the lists, numbers and objects that a node gives', async () => {
    const first = code('return { list: [1, 2, { a: 3 }], count: 3 }', 0, {
      customFunctionUpdateState: [
        { key: 'list', value: '<p>{{ output.list }}</p>' },
        { key: 'count', value: '{{ output.count }}' },
      ],
    })
    const second = code('return $flow.state.list.map((one) => one.a ?? one)', 1, {
      customFunctionUpdateState: [{ key: 'list', value: '{{ output }}' }],
    })
    const third = code('return $flow.state.list.map((one) => one * $flow.state.count).join("+")', 2)
    const flow = await scene.save(chain(start({ startState: state }), first, second, third))
    expect((await scene.ask(flow, { question: 'Go' })).body.text).toBe('3+6+9')
  })
})

describe('a form', () => {
  const form = () =>
    start({
      startInputType: 'formInput',
      formTitle: 'Order',
      formInputTypes: [{ type: 'string', label: 'City', name: 'city' }],
    })
  const reply = directReply('{{question}} in {{$form.city}}')

  it('is known to every later question of its session, and to no other', async () => {
    const flow = await scene.save(chain(form(), reply))
    await scene.ask(flow, { form: { city: 'Bern' }, chatId: chatIdOf('form') })
    const { body } = await scene.ask(flow, { question: 'Rain', chatId: chatIdOf('form') })
    expect(body).toMatchObject({ text: 'Rain in Bern', question: 'Rain' })
    const [first] = await scene.traceOf(body.executionId)
    expect(first?.data.output).toMatchObject({ form: { city: 'Bern' } })
    expect((await scene.ask(flow, { question: 'Snow', chatId: chatIdOf('form') })).body.text).toBe('Snow in Bern')
    expect((await scene.ask(flow, { question: 'Sun', chatId: chatIdOf('other') })).body.text).toBe(
      'Sun in {{$form.city}}',
    )
  })

  it('a form that is sent again replaces the earlier one', async () => {
    const flow = await scene.save(chain(form(), reply))
    await scene.ask(flow, { form: { city: 'Bern' }, chatId: chatIdOf('anew') })
    await scene.ask(flow, { form: { city: 'Oslo' }, chatId: chatIdOf('anew') })
    expect((await scene.ask(flow, { question: 'Rain', chatId: chatIdOf('anew') })).body.text).toBe('Rain in Oslo')
  })
})

describe('a call without a question', () => {
  it.each([{}, { question: '' }, { question: null }, { form: {} }, { form: null, question: '' }])(
    'runs the flow: %j',
    async (body) => {
      const flow = await scene.save(chain(start(), directReply('Here I am.{{question}}')))
      const answer = await scene.ask(flow, body)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ text: 'Here I am.', question: '' })
    },
  )

  it('runs a flow with a form, too', async () => {
    const flow = await scene.save(chain(start({ startInputType: 'formInput' }), directReply('Hello')))
    expect((await scene.ask(flow, {})).body.text).toBe('Hello')
  })
})
