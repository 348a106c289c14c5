import { expect, test } from 'vitest'
import { buildPrompt, type ModelMessage } from './messages.ts'

const result = (toolCallId: string) =>
  ({ type: 'tool-result', toolCallId, toolName: 'add', output: { type: 'text', value: '3' } }) as const

test('results of parallel tool calls are one message of the prompt, and the messages stay as they were', () => {
  const messages: ModelMessage[] = [
    { role: 'tool', content: [result('c1')] },
    { role: 'tool', content: [result('c2')] },
    { role: 'user', content: 'Go' },
    { role: 'tool', content: [result('c3')] },
  ]
  const kept = structuredClone(messages)
  expect(buildPrompt(messages).map(({ role, content }) => [role, content.length])).toEqual([
    ['tool', 2],
    ['user', 1],
    ['tool', 1],
  ])
  expect(messages).toEqual(kept)
})

test('a prompt has no empty texts, unless they carry what the provider needs', () => {
  const signed = { type: 'text', text: '', providerOptions: { google: { thoughtSignature: 's' } } } as const
  const content = [{ type: 'text', text: '' } as const, signed, { type: 'text', text: 'Hi' } as const]
  expect(buildPrompt([{ role: 'assistant', content }])).toEqual([
    { role: 'assistant', content: [signed, { type: 'text', text: 'Hi' }] },
  ])
})
