import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Event, openScene, type Scene } from '#worker/areas/predictions/testing/scene.ts'
import { chain, directReply, edge, llm, node, start } from '../../e2e/support/flows.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

const city = { llmStructuredOutput: [{ key: 'city', type: 'string', description: 'a city' }] }
const tokensOf = (events: Event[]) => events.filter(({ event }) => event === 'token').map(({ data }) => data)
const asked = () => scene.model.requests.map(({ body }) => body)

/** Answers in JSON, and refuses schemas. */
function refuseSchemas(json: object) {
  scene.model.always(({ response_format: format }) =>
    format?.type === 'json_schema'
      ? { error: { status: 400, message: 'This response_format type is unavailable now' } }
      : { json },
  )
}

describe('a server without JSON schemas', () => {
  it('answers an LLM with JSON structured output', async () => {
    refuseSchemas({ city: 'Rome' })
    const flow = await scene.save(chain(start(), llm(scene.model.baseUrl, 0, city)))
    const { body } = await scene.ask(flow, { question: 'Which one?' })
    expect(JSON.parse(body.text as string)).toEqual({ city: 'Rome' })
    expect(asked().map(({ response_format }) => response_format?.type)).toEqual(['json_schema', 'json_object'])
  })

  it('chooses the way of a Condition Agent', async () => {
    refuseSchemas({ output: 'food' })
    const model = { conditionAgentModel: 'chatOpenAICustom', modelName: 'scripted', basepath: scene.model.baseUrl }
    const agent = node('conditionAgentAgentflow', 0, {
      conditionAgentModel: 'chatOpenAICustom',
      conditionAgentModelConfig: model,
      conditionAgentInstructions: 'Route',
      conditionAgentInput: '{{ question }}',
      conditionAgentScenarios: [{ scenario: 'food' }, { scenario: 'rest' }],
    })
    const [first, food, rest] = [start(), directReply('FOOD', 0), directReply('REST', 1)]
    const flow = await scene.save({
      nodes: [first, agent, food, rest],
      edges: [edge(first, agent), edge(agent, food, 0), edge(agent, rest, 1)],
    })
    expect((await scene.ask(flow, { question: 'Pizza?' })).body).toMatchObject({ text: 'FOOD' })
  })
})

describe('a server that may not stream', () => {
  const refuseStreams = () =>
    scene.model.always(({ stream }) =>
      stream
        ? { error: { status: 400, message: 'Your organization must be verified to stream this model.' } }
        : { text: 'all of it' },
    )

  it('is not asked to where Streaming is off, and its whole answer is one token event', async () => {
    refuseStreams()
    const off = llm(scene.model.baseUrl)
    off.data.inputs = {
      ...off.data.inputs,
      llmModelConfig: { modelName: 'scripted', basepath: scene.model.baseUrl, streaming: false },
    }
    const events = await scene.stream(`/prediction/${await scene.save(chain(start(), off))}`, { question: 'x' })
    expect(tokensOf(events)).toEqual(['all of it'])
    expect(events.at(-1)?.event).toBe('end')
    expect(asked().map(({ stream }) => stream ?? false)).toEqual([false])
  })

  it('is asked again without where Streaming is on', async () => {
    refuseStreams()
    const flow = await scene.save(chain(start(), llm(scene.model.baseUrl)))
    expect(tokensOf(await scene.stream(`/prediction/${flow}`, { question: 'x' }))).toEqual(['all of it'])
    expect(asked().map(({ stream }) => stream ?? false)).toEqual([true, false])
  })
})
