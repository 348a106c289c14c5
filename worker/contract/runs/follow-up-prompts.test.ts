import { describe, expect, it } from 'vitest'
import { DEFAULT_FOLLOW_UP_PROMPT, readFollowUpModel, withFollowUpModel } from './follow-up-prompts.ts'
import { followUpsIn } from './follow-ups.ts'

const chatOpenAI = { credentialId: 'c1', modelName: 'gpt-4o', prompt: 'What next? {history}', temperature: '0.7' }

describe('readFollowUpModel', () => {
  it('reads the chosen provider as a component with its inputs', () => {
    const text = JSON.stringify({ status: true, selectedProvider: 'chatOpenAI', chatOpenAI, ollama: {} })
    expect(readFollowUpModel(text)).toEqual({
      name: 'chatOpenAI',
      config: { modelName: 'gpt-4o', temperature: '0.7', FLOWISE_CREDENTIAL_ID: 'c1' },
      prompt: 'What next? {history}',
    })
  })

  it('knows Flowise’s other name of Ollama, and its own prompt', () => {
    const text = JSON.stringify({ status: true, selectedProvider: 'ollama', ollama: { modelName: 'llama3' } })
    expect(readFollowUpModel(text)).toMatchObject({ name: 'chatOllama', prompt: DEFAULT_FOLLOW_UP_PROMPT })
  })

  it.each([null, '', '{', '[]', '{"status":true}', '{"status":false,"selectedProvider":"chatOpenAI"}'])(
    'finds no model in %s',
    (text) => expect(readFollowUpModel(text)).toBeUndefined(),
  )
})

describe('withFollowUpModel', () => {
  it('writes what it reads, and keeps other providers', () => {
    const before = JSON.stringify({ status: false, selectedProvider: 'x', chatMistralAI: { modelName: 'm' } })
    const model = { name: 'chatOpenAI', config: { modelName: 'g', FLOWISE_CREDENTIAL_ID: 'c1' }, prompt: '{history}' }
    const text = withFollowUpModel(before, model)
    expect(readFollowUpModel(text)).toEqual(model)
    expect(JSON.parse(text)).toMatchObject({ chatMistralAI: { modelName: 'm' }, chatOpenAI: { credentialId: 'c1' } })
    expect(readFollowUpModel(withFollowUpModel(text, undefined))).toBeUndefined()
  })
})

describe('followUpsIn', () => {
  it('keeps a few short questions', () => {
    expect(followUpsIn(['a', 1, ' a ', '', 'b', 'c', 'd', 'e', 'f'])).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(followUpsIn(['x'.repeat(1000)])).toEqual(['x'.repeat(300)])
    expect(followUpsIn('a')).toEqual([])
  })
})
