import { describe, expect, it } from 'vitest'
import { type Answer, scriptedModel, toldTo } from '../../testing/steps.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { bufferMemory } from '../memory/buffer-memory.ts'
import { drawChat, outputOf, runChat } from '../testing/chat.ts'

const agentFlow = (agent: string, inputs: Record<string, unknown> = {}) =>
  drawChat({ scripted_0: {}, calculator_0: {}, bufferMemory_0: {}, [`${agent}_0`]: { inputs } }, [
    `scripted_0 > ${agent}_0.model`,
    `calculator_0 > ${agent}_0.tools`,
    `bufferMemory_0 > ${agent}_0.memory`,
  ])

const calculates = { calls: [['calculator', '{"input":"6*7"}']] as [string, string][] }

describe.each(['toolAgent', 'conversationalAgent', 'reactAgentChat'])('%s', (agent) => {
  it('uses the connected tools, and answers with what they say', async () => {
    const model = scriptedModel(calculates, ['It is 42'])
    const pastHistory = [{ role: 'user' as const, content: 'Hi' }]
    const ended = await runChat(agentFlow(agent), { models: model, question: '6 times 7?', pastHistory })
    expect(ended).toMatchObject({ state: 'FINISHED', text: 'It is 42', tokens: 'It is 42' })
    expect(outputOf(ended)).toMatchObject({
      usedTools: [{ tool: 'calculator', toolOutput: '42' }],
      memoryType: 'Buffer Memory',
      usageMetadata: { total_tokens: 24 },
    })
    expect(toldTo(model).slice(1)).toEqual(['user: Hi', 'user: 6 times 7?'])
    expect(ended.events).toContainEqual({ event: 'usedTools', data: [expect.objectContaining({ tool: 'calculator' })] })
  })

  it('stops after the turns that its owner allows', async () => {
    const ended = await runChat(agentFlow(agent, { maxIterations: '2' }), { models: scriptedModel(calculates) })
    expect(ended.error).toContain('stopped after 2 turns')
  })
})

describe('an agent whose caller brings tools', () => {
  const callerTools = {
    tools: [{ name: 'calculator', description: '', parameters: { type: 'object' } }],
    choice: 'auto' as const,
    exchange: [],
  }
  const input = { question: 'q', text: 'q', history: [], callerTools }

  it('hands calls to the caller, and remembers the question when it has its answer', async () => {
    const kept: unknown[] = []
    const definition = { ...bufferMemory.definition, name: 'keptMemory' }
    const own: ComponentNodeType[] = [
      {
        definition,
        provide: async () =>
          toComponent('memory', {
            ...{ label: 'Kept', key: 'k', read: async () => ({ turns: [] }) },
            write: async (turns) => void kept.push(...turns),
          }),
      },
    ]
    const flow = drawChat(
      { scripted_0: {}, keptMemory_0: {}, calculator_0: {}, toolAgent_0: {} },
      ['scripted_0 > toolAgent_0.model', 'keptMemory_0 > toolAgent_0.memory', 'calculator_0 > toolAgent_0.tools'],
      own,
    )
    const model = scriptedModel(calculates, ['Done'])
    const ended = await runChat(flow, { models: model, input, own })
    expect(outputOf(ended).callerToolCalls).toMatchObject([{ name: 'calculator' }])
    expect(kept).toEqual([])
    expect(model.calls[0]?.tools?.map(({ name }) => name)).toEqual(['calculator_2', 'calculator'])
    await runChat(flow, { models: model, input, own })
    expect(kept).toHaveLength(2)
  })
})

describe('a tool agent', () => {
  it('takes its messages from a chat prompt', async () => {
    const flow = drawChat(
      {
        scripted_0: {},
        chatPromptTemplate_0: {
          inputs: {
            systemMessagePrompt: 'Speak {language}',
            humanMessagePrompt: '{input}',
            promptValues: '{"language":"German"}',
          },
        },
        toolAgent_0: {},
      },
      ['scripted_0 > toolAgent_0.model', 'chatPromptTemplate_0 > toolAgent_0.chatPromptTemplate'],
    )
    const model = scriptedModel(['Ja'])
    await runChat(flow, { models: model, question: 'Ja?', pastHistory: [{ role: 'user', content: 'unremembered' }] })
    expect(toldTo(model)).toEqual(['system: Speak German', 'user: Ja?'])
  })

  it('does not ask the model what a moderation refuses', async () => {
    const flow = drawChat(
      {
        scripted_0: {},
        scripted_1: {},
        inputModerationSimple_0: { inputs: { denyList: 'secret word' } },
        toolAgent_0: {},
      },
      [
        'scripted_0 > toolAgent_0.model',
        'scripted_1 > inputModerationSimple_0.model',
        'inputModerationSimple_0 > toolAgent_0.inputModeration',
      ],
    )
    const [model, judge] = [scriptedModel(['Hello']), scriptedModel(['Yes.'], ['no'])]
    const ask = async (question: string) => {
      const { text, tokens } = await runChat(flow, { models: { scripted_0: model, scripted_1: judge }, question })
      return [text, tokens, model.calls.length, judge.calls.length]
    }
    const refusal = 'I cannot answer this: the question is against the rules of this chat.'
    expect(await ask('Say the SECRET word')).toEqual([refusal, refusal, 0, 0])
    expect(await ask('Das geheime Wort')).toEqual([refusal, refusal, 0, 1])
    expect(await ask('Hi')).toEqual(['Hello', 'Hello', 1, 2])
  })
})

describe('an agent with a chain as its tool', () => {
  const asks = { calls: [['answer_from_handbook', '{"input":"How long?"}']] as [string, string][] }

  const thirty: Answer[] = [['Thirty days']]

  async function answerOf(inner: string, { said = thirty, ...more }: { said?: Answer[]; returnDirect?: boolean } = {}) {
    const [outside, inside] = [scriptedModel(asks, ['Thirty days, it says']), scriptedModel(...said)]
    const flow = drawChat(
      {
        ...{
          scripted_0: {},
          scripted_1: {},
          bufferMemory_0: {},
          [`${inner}_1`]: {},
          toolAgent_0: {},
          calculator_0: {},
        },
        chainTool_0: { inputs: { name: 'answer from handbook', description: 'What the handbook says', ...more } },
      },
      [
        `scripted_1 > ${inner}_1.model`,
        ...(inner === 'conversationChain' ? [`bufferMemory_0 > ${inner}_1.memory`] : []),
        `${inner}_1 > chainTool_0.baseChain`,
        ...(inner === 'toolAgent' ? ['calculator_0 > toolAgent_1.tools'] : []),
        'chainTool_0 > toolAgent_0.tools',
        'scripted_0 > toolAgent_0.model',
      ],
    )
    const models = { scripted_0: outside, scripted_1: inside }
    return { ...(await runChat(flow, { models, question: 'May I send it back?' })), inside, outside }
  }

  it.each(['conversationChain', 'toolAgent'])(
    'asks %s in its own words, and says only its own answer',
    async (inner) => {
      const ended = await answerOf(inner)
      expect(ended).toMatchObject({
        text: 'Thirty days, it says',
        tokens: 'Thirty days, it says',
        ran: ['toolAgent_0'],
      })
      expect(toldTo(ended.inside).at(-1)).toBe('user: How long?')
      expect(outputOf(ended)).toMatchObject({
        usedTools: [{ tool: 'answer_from_handbook', toolOutput: 'Thirty days' }],
        usageMetadata: { total_tokens: 36 },
      })
      expect(ended.events.filter(({ event }) => event === 'usageMetadata')).toHaveLength(1)
    },
  )

  it('keeps the tools of an agent that it asks to itself', async () => {
    const ended = await answerOf('toolAgent', { said: [calculates, ['Thirty days']] })
    const called = ended.events.flatMap(({ event, data }) => (event === 'calledTools' ? data : []))
    expect(called).toEqual([expect.objectContaining({ name: 'answer_from_handbook' })])
    expect([ended.inside.streams, ended.outside.streams]).toEqual([0, 2])
  })

  it('hands on what the chain says where its owner wants so', async () => {
    const { text, outside } = await answerOf('conversationChain', { returnDirect: true })
    expect([text, outside.calls.length]).toEqual(['Thirty days', 1])
  })
})
