import type { JSONSchema7 } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { models } from './index.ts'
import { buildPrompt } from './messages.ts'
import { scriptedProvider } from './testing/provider.ts'
import { wire } from './testing/wire.ts'

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const text = { type: 'string' }
const strict = object({ a: text, kind: { ...text, enum: ['x'] }, list: { type: 'array', items: object({ b: text }) } })
const open = object({ list: { type: 'array', items: { type: 'object', additionalProperties: true } } })

async function asked(name: string, modelName: string, schema: object) {
  const { egress, sent } = scriptedProvider(name === 'groqChat' ? wire.groq.text() : wire.openAI.text())
  const provider = models.find(({ definition }) => definition.name === name)
  const credential = { openAIApiKey: 'k', groqApiKey: 'k' }
  const config = { modelName, basepath: 'https://models.example.com/v1' }
  const opened = await provider?.open({ config, credential, egress })
  if (!opened) throw new Error(`no provider ${name}`)
  const prompt = buildPrompt([{ role: 'user', content: 'hi' }])
  await opened.model.doStream({ prompt, responseFormat: { type: 'json', schema: schema as JSONSchema7 } })
  return sent[0]?.body as { response_format: object; messages: { role: string; content: string }[] }
}

test.each([
  ['every field named', strict, true],
  ['any fields', open, false],
  ['a field that may be left out', object({ a: text }, { required: [] }), false],
  ['a keyword beside the strict ones', object({ a: { ...text, minLength: 2 } }), false],
  ['an object deep inside that takes more', object({ a: object({ b: { type: 'object', properties: {} } }) }), false],
])('a schema with %s is enforced only if it is strict', async (_, schema, isEnforced) => {
  for (const [name, model] of [
    ['chatOpenAI', 'gpt-4o-mini'],
    ['chatOpenAICustom', 'any'],
    ['groqChat', 'openai/gpt-oss-20b'],
  ] as const) {
    const { response_format } = await asked(name, model, schema)
    expect(response_format, name).toMatchObject({ type: 'json_schema', json_schema: { strict: isEnforced } })
  }
})

test('Groq models without schema support get the schema in the prompt', async () => {
  const { response_format, messages } = await asked('groqChat', 'llama-3.3-70b-versatile', strict)
  expect(response_format).toEqual({ type: 'json_object' })
  expect(messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining(JSON.stringify(strict)) })
  expect(messages[0]?.content).toContain('JSON')
})
