import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { additionalParam, connectCredential, keyCredential } from '#contract/flow/params/builders.ts'
import { json, needed, number, text } from '../../inputs/component-config.ts'
import type { Egress } from '../../ports/types.ts'
import { additionalNumber } from '../definition.ts'
import type { CallOptions, ModelProvider } from '../types.ts'
import { textModel, textModelDefinition } from './text-model.ts'

const LABEL = 'Replicate'
const API = 'https://api.replicate.com/v1'
const LIMITS = { timeoutMs: 90_000, maxBytes: 5_000_000 }
/** How often a prediction that takes longer than the first answer is asked for again, after longer and longer waits. */
const MAX_ASKS = 9
/** `owner/name`, or `owner/name:version`. */
const MODEL = /^([\w.-]{1,100})\/([\w.-]{1,100})(?::([0-9a-f]{64}))?$/i

const replicateApi = keyCredential(
  { label: 'Replicate API', name: 'replicateApi', hosts: ['api.replicate.com'] },
  { name: 'replicateApiKey' },
)

export const replicate: ModelProvider = {
  definition: textModelDefinition({
    label: LABEL,
    name: 'replicate',
    version: 2,
    type: 'Replicate',
    description: 'Any language model on Replicate',
    credential: connectCredential(replicateApi),
    inputs: [
      {
        label: 'Model',
        name: 'model',
        type: 'string',
        placeholder: 'meta/meta-llama-3-8b-instruct',
        description: 'As owner/name, or with its version as owner/name:version',
      },
      additionalNumber('Repetition penalty', 'repetitionPenalty', { step: 0.1 }),
      additionalParam('Additional inputs', 'additionalInputs', {
        type: 'json',
        description: 'Other inputs of this model',
      }),
    ],
  }),
  credential: replicateApi,

  async open({ config, credential, egress }) {
    const name = needed(text(config, 'model'), LABEL, 'Model')
    const [, owner, model, version] = MODEL.exec(name) ?? []
    if (!owner || !model)
      throw new Error(`${LABEL}: a model is named like meta/meta-llama-3-8b-instruct, not "${name}"`)
    const key = needed(text(credential, 'replicateApiKey'), LABEL, 'the API key in the credential')
    const input = {
      ...defined({
        temperature: number(config, 'temperature'),
        max_new_tokens: number(config, 'maxTokens'),
        max_tokens: number(config, 'maxTokens'),
        top_p: number(config, 'topP'),
        repetition_penalty: number(config, 'repetitionPenalty'),
      }),
      ...json(config, 'additionalInputs'),
    }
    const url = version ? `${API}/predictions` : `${API}/models/${owner}/${model}/predictions`
    return {
      model: textModel(name, async (prompt, options) => {
        const asked = { ...(version && { version }), input: { ...input, prompt } }
        return completionOf(await predict({ url, key, body: asked, egress }, options))
      }),
      modelName: name,
      settings: {},
    }
  },
}

const defined = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

interface Request {
  url: string
  key: string
  body: unknown
  egress: Egress
}

type Prediction = Record<string, unknown>

/** Waits for the prediction's end. Throws an Error with Replicate's message. */
async function predict({ url, key, body, egress }: Request, { abortSignal }: CallOptions): Promise<Prediction> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Prefer: 'wait=60' }
  const send = async (address: string, init: RequestInit) => {
    const response = await egress.fetch(address, { ...init, headers, signal: abortSignal ?? null }, LIMITS)
    const said = await response.text()
    const answer = tryParseJson(said)
    if (response.ok && isRecord(answer)) return answer
    const detail = isRecord(answer) && typeof answer.detail === 'string' ? answer.detail : said.slice(0, 500)
    throw new Error(`${LABEL} answered ${response.status}: ${detail}`)
  }
  let prediction = await send(url, { method: 'POST', body: JSON.stringify(body) })
  for (let asks = 0; asks < MAX_ASKS && isUnfinished(prediction); asks++) {
    await wait(1000 * 2 ** asks, abortSignal)
    prediction = await send(`${API}/predictions/${encodeURIComponent(String(prediction.id))}`, { method: 'GET' })
  }
  if (prediction.status === 'succeeded') return prediction
  const why = typeof prediction.error === 'string' ? prediction.error : `it is ${String(prediction.status)}`
  throw new Error(`${LABEL}: the model did not answer: ${why}`)
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const isUnfinished = ({ status }: Prediction) => status === 'starting' || status === 'processing'

function completionOf({ output, metrics }: Prediction) {
  const count = (name: string) => (isRecord(metrics) && typeof metrics[name] === 'number' ? metrics[name] : undefined)
  return {
    text: Array.isArray(output) ? output.join('') : typeof output === 'string' ? output : JSON.stringify(output ?? ''),
    inputTokens: count('input_token_count'),
    outputTokens: count('output_token_count'),
  }
}
