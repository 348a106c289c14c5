import { describe, expect, test } from 'vitest'
import { chatOpenAI } from '../chat-openai.ts'
import { buildPrompt } from '../messages.ts'
import { strictServer } from '../testing/provider.ts'
import { readParts } from '../testing/read-parts.ts'
import type { ModelProvider } from '../types.ts'
import { azureChatOpenAI } from './azure-openai.ts'

const credential = {
  openAIApiKey: 'k',
  azureOpenAIApiKey: 'k',
  azureOpenAIApiInstanceName: 'mine',
  azureOpenAIApiDeploymentName: 'theirs',
}

/** Returns the request of a streamed answer. */
async function asked({ open }: ModelProvider, config: Record<string, unknown>) {
  const { egress, sent } = strictServer(() => undefined)
  const { model, settings } = await open({ config, credential, egress })
  const prompt = buildPrompt([
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: 'Go' },
  ])
  const parts = await readParts((await model.doStream({ ...settings, prompt })).stream)
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
  return sent
}

const offered = azureChatOpenAI.definition.inputs
  .find(({ name }) => name === 'modelName')
  ?.options?.map(({ name }) => name) as string[]

describe('a model on Azure', () => {
  test.each([...offered, 'gpt-5-nano', 'o3', 'o3-mini', 'gpt-5.1'])('is asked as OpenAI is: %s', async (modelName) => {
    const config = { modelName, temperature: 0.9, topP: 0.5, maxTokens: 500 }
    const sent = await asked(azureChatOpenAI, config)
    expect(sent).toEqual(await asked(chatOpenAI, config))
    const reasons = /^(gpt-5|o\d)/.test(modelName)
    expect(sent[0]).toMatchObject(reasons ? { max_completion_tokens: 500 } : { max_tokens: 500, temperature: 0.9 })
    if (reasons) expect(sent[0]).not.toHaveProperty('temperature')
  })
})
