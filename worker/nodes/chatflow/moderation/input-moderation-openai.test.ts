import { expect, it } from 'vitest'
import { scriptedModel } from '../../testing/steps.ts'
import { drawChat, runChat } from '../testing/chat.ts'

/** Asks a chain whose questions OpenAI judges. */
async function ask(answer: Response) {
  const flow = drawChat(
    {
      scripted_0: {},
      promptTemplate_0: { inputs: { template: '{question}' } },
      inputModerationOpenAI_0: { inputs: { moderationErrorMessage: 'Not here' } },
      llmChain_0: {},
    },
    [
      'scripted_0 > llmChain_0.model',
      'promptTemplate_0 > llmChain_0.prompt',
      'inputModerationOpenAI_0 > llmChain_0.inputModeration',
    ],
  )
  const asked: { url: string; authorization: string | null; body: unknown }[] = []
  const egress = {
    async fetch(input: RequestInfo | URL, init?: RequestInit) {
      const request = new Request(input, init)
      const authorization = request.headers.get('authorization')
      asked.push({ url: request.url, authorization, body: await request.json() })
      return answer
    },
  }
  const openComponents = () => ({ credential: async () => ({ openAIApiKey: 'key-1' }) }) as never
  const model = scriptedModel(['Fine'])
  const ended = await runChat(flow, { models: model, question: 'How are you?', egress, openComponents })
  return { ended, asked, calls: model.calls.length }
}

it('a question that OpenAI flags is refused in the owner’s words, and no model is asked', async () => {
  const { ended, asked, calls } = await ask(Response.json({ results: [{ flagged: false }, { flagged: true }] }))
  expect([ended.text, calls]).toEqual(['Not here', 0])
  expect(asked).toEqual([
    {
      url: 'https://api.openai.com/v1/moderations',
      authorization: 'Bearer key-1',
      body: { model: 'omni-moderation-latest', input: 'How are you?' },
    },
  ])
})

it('a question that OpenAI does not flag is answered', async () => {
  expect((await ask(Response.json({ results: [{ flagged: false }] }))).ended.text).toBe('Fine')
})

it('a question that OpenAI could not judge is not answered', async () => {
  const { ended, calls } = await ask(Response.json({ error: 'quota' }, { status: 429 }))
  expect([ended.error, calls]).toEqual([expect.stringContaining('OpenAI Moderation answered 429'), 0])
})
