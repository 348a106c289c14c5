import { expect, it } from 'vitest'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import { drawChat, type Inputs, outputOf, runChat } from '../testing/chat.ts'

const EARLIER = [
  { role: 'user' as const, content: 'I am Ann, and I knit socks.' },
  { role: 'assistant' as const, content: 'Nice to meet you, Ann.' },
]

/** Talks with a chain whose memory has a model of its own. */
async function talk(memory: string, inputs: Inputs = {}, pastHistory = EARLIER) {
  const flow = drawChat({ scripted_0: {}, scripted_1: {}, [`${memory}_0`]: { inputs }, conversationChain_0: {} }, [
    'scripted_0 > conversationChain_0.model',
    `scripted_1 > ${memory}_0.model`,
    `${memory}_0 > conversationChain_0.memory`,
  ])
  const models = { scripted_0: scriptedModel(['Ann']), scripted_1: scriptedModel(['Ann knits.']) }
  const ended = await runChat(flow, { models, question: 'Who am I?', pastHistory })
  expect(ended.error).toBeUndefined()
  return { ended, told: toldTo(models.scripted_0).slice(1), summarized: toldTo(models.scripted_1) }
}

const SUMMARY = 'system: Summary of the earlier conversation:\nAnn knits.'

it('a summary memory tells the model a summary in place of the conversation, and what it cost', async () => {
  const { ended, told, summarized } = await talk('conversationSummaryMemory')
  expect(summarized.join()).toContain('I knit socks')
  expect(told).toEqual([SUMMARY, 'user: Who am I?'])
  expect(outputOf(ended).usageMetadata).toMatchObject({ total_tokens: 24 })
})

it('a summary buffer memory summarizes only what is over its limit', async () => {
  const { told, summarized } = await talk('conversationSummaryBufferMemory', { maxTokenLimit: 7 })
  expect(summarized.join()).toContain('I knit socks')
  expect(summarized.join()).not.toContain('Nice to meet you')
  expect(told).toEqual([SUMMARY, 'assistant: Nice to meet you, Ann.', 'user: Who am I?'])
})

it('a summary buffer memory asks no model while everything fits', async () => {
  const { told, summarized } = await talk('conversationSummaryBufferMemory')
  expect(summarized).toEqual([])
  expect(told).toEqual([...EARLIER.map(({ role, content }) => `${role}: ${content}`), 'user: Who am I?'])
})

it('a summary memory asks no model before there is a conversation', async () => {
  expect((await talk('conversationSummaryMemory', {}, [])).summarized).toEqual([])
})
