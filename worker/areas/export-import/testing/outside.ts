/**
 * All external services that sample flows call, in their own wire formats: models of every provider, search and mail.
 */
import { fitSchema, type JsonSchema } from '../../../models/practice/fit-schema.ts'
import type { Egress } from '../../../ports/types.ts'

interface Asked {
  messages?: { role: string }[]
  tools?: Tool[]
  tool_choice?: { type?: string; name?: string }
  response_format?: { json_schema?: { schema: JsonSchema } }
  generationConfig?: { responseSchema?: JsonSchema }
}

/** In OpenAI's or Anthropic's wire format. */
interface Tool {
  function?: { name: string; parameters?: JsonSchema }
  name?: string
  input_schema?: JsonSchema
}

/** A model's reply: text or one tool call. */
type Said = { text: string } | { tool: string; args: object }

export interface ScriptedOutside {
  egress: Egress
  /** Called addresses, in order. */
  called: string[]
}

/** Fields of every credential that the samples need. */
export const credential = {
  openAIApiKey: 'k',
  anthropicApiKey: 'k',
  googleGenerativeAPIKey: 'k',
  mistralAIAPIKey: 'k',
  groqApiKey: 'k',
  googleCustomSearchApiKey: 'k',
  googleCustomSearchApiId: 'k',
  clientId: 'k',
  access_token: 'k',
}

/** @param decide chooses among the possible values of an answer; `turn` counts these choices from 0 */
export function scriptedOutside(decide: (choices: string[], turn: number) => string | undefined): ScriptedOutside {
  const called: string[] = []
  let turn = 0
  const fill = (schema: JsonSchema) => {
    const choices = choicesIn(schema)
    const hint = choices.length > 0 ? decide(choices, turn++) : undefined
    return JSON.stringify(fitSchema(schema, hint ?? 'A scripted answer'))
  }
  return {
    called,
    egress: {
      async fetch(input, init) {
        const request = new Request(input, init)
        const { host, pathname } = new URL(request.url)
        called.push(host + pathname)
        const service = services[host + pathname]
        if (service) return Response.json(service)
        const asked = (await request.json()) as Asked
        if (host === 'api.anthropic.com') return anthropic(speak(asked, fill))
        if (host === 'generativelanguage.googleapis.com')
          return google(speak(asked, fill, asked.generationConfig?.responseSchema))
        if (MODELS.test(host)) return openAI(speak(asked, fill, asked.response_format?.json_schema?.schema))
        return new Response(`no service at ${request.url}`, { status: 502 })
      },
    },
  }
}

const MODELS = /^(api\.openai\.com|api\.groq\.com|api\.mistral\.ai|localhost:11434)$/

const services: Record<string, unknown> = {
  'www.googleapis.com/customsearch/v1': { items: [{ title: 'Heddle', link: 'https://x.example', snippet: 'A loom' }] },
  'oauth2.googleapis.com/token': { access_token: 't', expires_in: 3599, token_type: 'Bearer' },
  'gmail.googleapis.com/gmail/v1/users/me/messages/send': { id: 'm1', threadId: 't1', labelIds: ['SENT'] },
  'shop.example/orders': { orders: [{ id: 1 }, { id: 2 }] },
}

/** Calls a tool once, then answers. */
function speak(asked: Asked, fill: (schema: JsonSchema) => string, schema?: JsonSchema): Said {
  if (schema) return { text: fill(schema) }
  const [tool] = asked.tools ?? []
  if (!tool) return ANSWER
  const name = tool.function?.name ?? tool.name ?? ''
  const input = tool.function?.parameters ?? tool.input_schema ?? {}
  // Anthropic's models give structured answers as the input of a required tool.
  if (asked.tool_choice?.type === 'any') return { tool: name, args: JSON.parse(fill(input)) }
  const isAnswered = JSON.stringify(asked.messages ?? []).includes(`"name":"${name}"`)
  return isAnswered ? ANSWER : { tool: name, args: fitSchema(input, '2 + 2') as object }
}

const ANSWER: Said = { text: 'A scripted answer' }

function choicesIn(schema: JsonSchema): string[] {
  const properties = Object.values((schema.properties ?? {}) as Record<string, JsonSchema>)
  return properties.flatMap((property) => (Array.isArray(property.enum) ? (property.enum as string[]) : []))
}

function openAI(said: Said): Response {
  const call = 'tool' in said && {
    id: 'call_1',
    type: 'function',
    function: { name: said.tool, arguments: JSON.stringify(said.args) },
  }
  const message = call
    ? { role: 'assistant', content: '', tool_calls: [call] }
    : { role: 'assistant', content: (said as { text: string }).text }
  return Response.json({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  })
}

function anthropic(said: Said): Response {
  const isCall = 'tool' in said
  return Response.json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      isCall
        ? { type: 'tool_use', id: 'toolu_1', name: said.tool, input: said.args }
        : { type: 'text', text: said.text },
    ],
    stop_reason: isCall ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  })
}

function google(said: Said): Response {
  const part = 'tool' in said ? { functionCall: { name: said.tool, args: said.args } } : { text: said.text }
  return Response.json({
    candidates: [{ content: { role: 'model', parts: [part] }, index: 0, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    modelVersion: 'm',
  })
}
