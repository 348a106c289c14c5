/** Chains that ask an API: a model writes the request from the API's documentation, and another call reads the answer. */
import { isRecord, parseFencedJson } from '#contract/data/json.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { json } from '../../../inputs/component-config.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { callWithMetadata } from '../../../llm/structured-call.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { type ModelComponent, requireComponent } from '../component-types.ts'
import { chainNode, languageModelAnchor } from '../definition.ts'
import { fill } from '../prompts/template.ts'
import { askModel, chainResult } from './chain-answer.ts'

interface ApiChain {
  label: string
  name: string
  type: string
  method: 'GET' | 'POST'
  description: string
}

const REQUEST_PROMPT =
  'You are given the documentation of an API:\n{api_docs}\n\nWrite the request that gets what is needed to answer the question. Ask for as little as the answer needs.\n\nQuestion: {question}'
const ANSWER_PROMPT =
  'A question was asked: {question}\n\nThis request was sent: {api_url}\n\nThe API answered:\n{api_response}\n\nAnswer the question from it, in the language of the question.'

const LIMITS = { timeoutMs: 30_000, maxBytes: 1_000_000 }
const MAX_RESPONSE = 50_000

export function apiChain({ method, ...own }: ApiChain): ChatNodeType {
  return {
    definition: chainNode({
      ...own,
      version: 1,
      hint: 'Sends requests only to hosts named in the documentation.',
      inputs: [
        languageModelAnchor,
        {
          label: 'API documentation',
          name: 'apiDocs',
          type: 'string',
          rows: 4,
          description: 'URL, paths and parameters of the API',
        },
        additionalParam('Headers', 'headers', { type: 'json', description: 'Sent with the request' }),
        additionalParam('URL prompt', 'urlPrompt', {
          rows: 4,
          description: 'Prompt that writes the request. Variables: {api_docs}, {question}',
          default: REQUEST_PROMPT,
        }),
        additionalParam('Answer prompt', 'ansPrompt', {
          rows: 4,
          description: 'Prompt that writes the answer. Variables: {question}, {api_url}, {api_response}, {api_docs}',
          default: ANSWER_PROMPT,
        }),
      ],
    }),
    run: (context) => run(method, context),
  }
}

async function run(method: ApiChain['method'], context: StepContext): Promise<StepResult> {
  const { inputs, clock, input } = context
  const started = clock.now()
  const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
  const docs = textOf(inputs.apiDocs)
  if (docs.trim() === '') throw new Error('API documentation is empty')
  const values = { api_docs: docs, question: input.text }
  const asked = fill(textOf(inputs.urlPrompt) || REQUEST_PROMPT, values)
  const written = await writeRequest(asked, { model, method, docs }, context)
  const response = await send(written, method, context)
  const prompt = textOf(inputs.ansPrompt) || ANSWER_PROMPT
  const told = fill(prompt, { ...values, api_url: written.url, api_response: response })
  const turns = [{ role: 'user' as const, content: told }]
  const answer = await askModel({ model, turns }, context)
  const usage = addUsage(written.usage, answer.usage)
  return chainResult({ ...answer, usage }, { model, turns, started }, context, {
    request: { method, url: written.url },
  })
}

interface Writing {
  model: ModelComponent
  method: ApiChain['method']
  docs: string
}

async function writeRequest(asked: string, { model, method, docs }: Writing, context: StepContext) {
  const schema = {
    type: 'object',
    properties: {
      url: { type: 'string', description: 'The whole URL, with its query' },
      ...(method === 'POST' && { body: { type: 'string', description: 'The body of the request, as JSON text' } }),
    },
    required: method === 'POST' ? ['url', 'body'] : ['url'],
    additionalProperties: false,
  }
  const told = `${asked}\n\nReply only with one JSON object that matches this JSON Schema:\n${JSON.stringify(schema)}`
  const { value, usage } = await callWithMetadata(
    { open: model.open, messages: [{ role: 'user', content: told }], schema },
    { read: (text) => readRequest(text, docs), failure: 'The model wrote no request that can be sent' },
    context,
  )
  return { ...value, usage }
}

/** A host that the documentation does not name is refused, whatever the question asks for. */
function readRequest(text: string, docs: string): { value: { url: string; body: string } } | { problem: string } {
  const value = parseFencedJson(text)
  if (!isRecord(value)) return { problem: 'it is not JSON' }
  const url = URL.parse(textOf(value.url))
  if (!url || !/^https?:$/.test(url.protocol)) return { problem: 'the URL is not a whole http(s) URL' }
  if (!docs.toLowerCase().includes(url.host.toLowerCase()))
    return { problem: `the documentation does not name the host ${url.host}` }
  return { value: { url: url.href, body: textOf(value.body) } }
}

async function send(
  { url, body }: { url: string; body: string },
  method: ApiChain['method'],
  { inputs, egress, signal, barrier }: StepContext,
): Promise<string> {
  const own = Object.entries(json(inputs, 'headers') ?? {}).map(([name, value]) => [name, textOf(value)] as const)
  const isPost = method === 'POST'
  if (isPost) await barrier()
  const headers = { ...(isPost && { 'Content-Type': 'application/json' }), ...Object.fromEntries(own) }
  const response = await egress.fetch(url, { method, headers, signal, ...(isPost && { body }) }, LIMITS)
  const text = await response.text()
  if (!response.ok) throw new Error(`The API answered ${response.status}: ${text.slice(0, 500)}`)
  return text.slice(0, MAX_RESPONSE)
}
