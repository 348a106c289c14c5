import { expect, test } from 'vitest'
import { models } from './index.ts'
import { scriptedProvider } from './testing/provider.ts'

const credential = (names: readonly { name: string }[] = []) =>
  Object.fromEntries(names.map(({ name }) => [name, 'value-1']))

const chatModels = models.filter(({ definition }) => definition.inputs.some(({ name }) => name === 'streaming'))

test('every chat model of a provider offers streaming', () => {
  const without = models.filter((model) => !chatModels.includes(model)).map(({ definition }) => definition.name)
  expect(without).toEqual(['practiceModel', 'huggingFaceInference_LLMs', 'replicate'])
})

test.each(chatModels)('$definition.name says whether it streams', async ({ definition, credential: fields, open }) => {
  const opened = (config: object) =>
    open({
      config: { modelName: 'm', model: 'm', basepath: 'https://a.example', baseUrl: 'https://a.example', ...config },
      credential: credential(fields?.inputs),
      egress: scriptedProvider().egress,
    })
  expect(definition.inputs.at(-1)).toMatchObject({ name: 'streaming', default: true, optional: true })
  expect((await opened({})).streams).toBe(true)
  expect((await opened({ streaming: true })).streams).toBe(true)
  expect((await opened({ streaming: '' })).streams).toBe(true)
  expect((await opened({ streaming: false })).streams).toBe(false)
  expect((await opened({ streaming: 'false' })).streams).toBe(false)
})
