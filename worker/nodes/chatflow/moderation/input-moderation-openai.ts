import { tryParseJson } from '#contract/data/json.ts'
import { connectCredential } from '#contract/flow/params/builders.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { openAIApi } from '../../../models/chat-openai.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { credentialFields } from '../components.ts'
import { errorMessageParam, moderationNode, refusalText } from './definition.ts'

const URL = 'https://api.openai.com/v1/moderations'
const LIMITS = { timeoutMs: 30_000, maxBytes: 1_000_000 }

const definition = {
  ...moderationNode({
    label: 'OpenAI Moderation',
    name: 'inputModerationOpenAI',
    version: 1,
    description: 'Blocks questions flagged by OpenAI’s moderation',
    inputs: [errorMessageParam],
  }),
  credential: connectCredential(openAIApi),
}

export const inputModerationOpenAI: ComponentNodeType = {
  definition,
  credential: openAIApi,
  async provide(context) {
    const { openAIApiKey } = await credentialFields(context, definition)
    return toComponent('moderation', {
      async refusal(text) {
        const response = await context.egress.fetch(
          URL,
          {
            method: 'POST',
            headers: { Authorization: `Bearer ${textOf(openAIApiKey)}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ model: 'omni-moderation-latest', input: text }),
            signal: context.signal,
          },
          LIMITS,
        )
        const body = await response.text()
        if (!response.ok) throw new Error(`OpenAI Moderation answered ${response.status}: ${body.slice(0, 500)}`)
        const { results = [] } = (tryParseJson(body) ?? {}) as { results?: { flagged?: boolean }[] }
        return results.some(({ flagged }) => flagged === true) ? refusalText(context.inputs) : undefined
      },
    })
  },
}
