import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { expect, test } from 'vitest'
import { run } from './run.ts'
import { drawFlow, requestFor } from './testing.ts'

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}

function speaking(...words: string[]) {
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          ...words.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
        ],
      }),
    }),
  })
}

test('start → llm → direct reply', async () => {
  const flow = drawFlow(
    {
      start_0: { startInputType: 'chatInput' },
      llm_0: { llmModel: 'x' },
      directReply_0: { directReplyMessage: 'You: {{question}}, I: {{llm_0}}' },
    },
    ['start_0>llm_0', 'llm_0>directReply_0'],
  )
  const model = speaking('Hel', 'lo')
  const request = requestFor(flow, {
    openComponents: () => ({
      model: async () => ({ model, modelName: 'm', settings: {}, price: { input: 1, output: 2 } }),
      tools: async () => [],
      credential: async () => ({}),
    }),
  })
  const outcome = await run(request)
  expect(outcome.state).toBe('FINISHED')
})
