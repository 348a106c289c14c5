import { describe, expect, it } from 'vitest'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import { drawChat, outputOf, runChat } from '../testing/chat.ts'

const promptOf = (template: string, promptValues = '') => ({ inputs: { template, promptValues } })

const llmFlow = drawChat(
  {
    scripted_0: {},
    promptTemplate_0: promptOf('Name a maker of {product}', '{"product":"{{question}}"}'),
    llmChain_0: {},
  },
  ['scripted_0 > llmChain_0.model', 'promptTemplate_0 > llmChain_0.prompt'],
)

describe('an LLM chain', () => {
  it('fills in its prompt, streams the answer, and is one step', async () => {
    const model = scriptedModel(['So', 'cks'])
    const ended = await runChat(llmFlow, { models: model, question: 'say "socks" \n{product}' })
    expect(ended).toMatchObject({ state: 'FINISHED', text: 'Socks', tokens: 'Socks', ran: ['llmChain_0'] })
    expect(model.streams).toBe(1)
    expect(toldTo(model)).toEqual(['user: Name a maker of say \\"socks\\" \\n{product}'])
    expect(outputOf(ended).usageMetadata).toMatchObject({ total_tokens: 12 })
  })

  it('gives the question to the only name without a value, and names several', async () => {
    const model = scriptedModel(['ok'])
    const asked = (template: string) =>
      runChat(
        drawChat({ scripted_0: {}, promptTemplate_0: promptOf(template), llmChain_0: {} }, [
          'scripted_0 > llmChain_0.model',
          'promptTemplate_0 > llmChain_0.prompt',
        ]),
        { models: model },
      )
    await asked('Say {{this}} to {who}')
    expect(toldTo(model)).toEqual(['user: Say {this} to hello'])
    expect((await asked('{a} and {b}')).error).toBe(
      'Error in LLM Chain node: These values of the prompt are missing: a, b. Set them in Format prompt values.',
    )
  })

  it('hands its prediction to the prompt of the next chain', async () => {
    const flow = drawChat(
      {
        scripted_0: {},
        promptTemplate_0: promptOf('First {question}'),
        llmChain_0: { output: 'outputPrediction' },
        promptTemplate_1: promptOf('Then {result}', '{"result":"{{llmChain_0.data.instance}}"}'),
        llmChain_1: {},
      },
      [
        'scripted_0 > llmChain_0.model',
        'promptTemplate_0 > llmChain_0.prompt',
        'llmChain_0 > promptTemplate_1.promptValues',
        'scripted_0 > llmChain_1.model',
        'promptTemplate_1 > llmChain_1.prompt',
      ],
    )
    const model = scriptedModel(['a "quoted"\nline'], ['done'])
    const ended = await runChat(flow, { models: model })
    expect(ended).toMatchObject({ text: 'done', tokens: 'done', ran: ['llmChain_0', 'llmChain_1'] })
    expect(toldTo(model, 1)).toEqual(['user: Then a \\"quoted\\"\\nline'])
  })

  it('names what is not connected', async () => {
    const flow = drawChat({ scripted_0: {}, llmChain_0: {} }, ['scripted_0 > llmChain_0.model'])
    expect((await runChat(flow, { models: scriptedModel(['x']) })).error).toContain(
      'Prompt is missing. Connect a node that gives BasePromptTemplate',
    )
  })
})

describe('a conversation chain', () => {
  const flow = drawChat(
    { scripted_0: {}, bufferMemory_0: {}, conversationChain_0: { inputs: { systemMessagePrompt: 'Be {brief}' } } },
    ['scripted_0 > conversationChain_0.model', 'bufferMemory_0 > conversationChain_0.memory'],
  )
  const pastHistory = [
    { role: 'user' as const, content: 'I am Ann' },
    { role: 'assistant' as const, content: 'Hi Ann' },
  ]

  it('tells the model the conversation of the session', async () => {
    const model = scriptedModel(['Ann'])
    const ended = await runChat(flow, { models: model, question: 'Who am I?', pastHistory })
    expect(toldTo(model)).toEqual(['system: Be {brief}', 'user: I am Ann', 'assistant: Hi Ann', 'user: Who am I?'])
    expect(outputOf(ended)).toMatchObject({ content: 'Ann', memoryType: 'Buffer Memory' })
  })

  it('puts the conversation where a chat prompt names the memory', async () => {
    const named = drawChat(
      {
        scripted_0: {},
        bufferMemory_0: {},
        chatPromptTemplate_0: {
          inputs: { systemMessagePrompt: 'So far: {chat_history}', humanMessagePrompt: 'Q: {text}' },
        },
        conversationChain_0: {},
      },
      [
        'scripted_0 > conversationChain_0.model',
        'bufferMemory_0 > conversationChain_0.memory',
        'chatPromptTemplate_0 > conversationChain_0.chatPromptTemplate',
      ],
    )
    const model = scriptedModel(['ok'])
    await runChat(named, { models: model, question: 'Who?', pastHistory })
    expect(toldTo(model)).toEqual(['system: So far: Human: I am Ann\nAssistant: Hi Ann', 'user: Q: Who?'])
  })
})

describe('texts of chat flows', () => {
  it('resolve variables everywhere, and the question only where variables are accepted', async () => {
    const flow = drawChat(
      {
        scripted_0: {},
        promptTemplate_0: promptOf('{{$vars.greeting}} {{question}} {text}'),
        llmChain_0: {},
      },
      ['scripted_0 > llmChain_0.model', 'promptTemplate_0 > llmChain_0.prompt'],
    )
    const model = scriptedModel(['ok'])
    await runChat(flow, { models: model, variables: { greeting: 'Moin' }, question: '{{$vars.greeting}}' })
    expect(toldTo(model)).toEqual(['user: Moin {question} {{$vars.greeting}}'])
  })

  it('take the caller’s inputs as values', async () => {
    const model = scriptedModel(['ok'])
    const overrides = { promptTemplate_0: { template: 'Own {product}', promptValues: { product: '{{question}}' } } }
    await runChat(llmFlow, { models: model, overrides })
    expect(toldTo(model)).toEqual(['user: Own {{question}}'])
  })
})
