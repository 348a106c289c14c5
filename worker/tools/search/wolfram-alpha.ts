import { keyCredential } from '#contract/flow/params/builders.ts'
import { callService } from '../../providers/json-api.ts'
import { searchTool, secret } from './search.ts'

const KEY = { label: 'App ID', name: 'wolframAlphaAppId' }
const MAX_CHARS = 6000

export const wolframAlpha = searchTool({
  label: 'WolframAlpha',
  name: 'wolframAlpha',
  type: 'WolframAlpha',
  version: 1,
  description: 'Gets computed answers from Wolfram|Alpha',
  credential: keyCredential(
    {
      label: 'WolframAlpha App ID',
      name: 'wolframAlphaAppId',
      hosts: ['www.wolframalpha.com'],
      version: 1,
      description: 'Get an App ID for the LLM API at developer.wolframalpha.com',
    },
    KEY,
  ),
  tool: {
    name: 'wolfram_alpha',
    description:
      'Computes and looks up facts about mathematics, science, units, dates, places and people. Ask in short English.',
  },
  argument: { name: 'input', description: 'The question' },
  async search(query, context) {
    const answer = await callService(
      {
        service: 'WolframAlpha',
        url: 'https://www.wolframalpha.com/api/v1/llm-api',
        query: { appid: secret(context, 'WolframAlpha', KEY), input: query, maxchars: MAX_CHARS },
      },
      context,
    )
    return answer.text()
  },
})
