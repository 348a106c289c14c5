/** Gmail: each chosen action is a tool. */
import { text } from '../../models/config.ts'
import { choices, connect, toolDefinition } from '../definition.ts'
import type { CallableTool, ToolContext, ToolType } from '../types.ts'
import { bounded, callService, type ServiceCall } from '../web/json-api.ts'
import { type Action, gmailActions } from './gmail/actions.ts'
import { ACTIONS, type ActionName, actionsInput, gmailInputs, type Kind } from './gmail/inputs.ts'
import { googleCredential, googleToken } from './google-token.ts'

const BASE = 'https://gmail.googleapis.com/gmail/v1/users/me'
const MAX_CHARS = 40_000

const credential = googleCredential({
  label: 'Gmail OAuth2',
  name: 'gmailOAuth2',
  version: 1,
  description:
    'A client of type "Web application" from the Google Cloud console, and a refresh token for the scopes gmail.readonly, gmail.compose, gmail.modify and gmail.labels; the OAuth 2.0 Playground of Google makes one',
})

export const gmail: ToolType = {
  definition: {
    ...toolDefinition({
      label: 'Gmail',
      name: 'gmail',
      type: 'Gmail',
      version: 1,
      description: 'Reads, writes and sends mail with Gmail, and manages labels and threads',
      hint: 'What is set here is fixed: the model is not asked for it. A text without HTML tags is sent as plain text.',
      credential: connect(credential),
      inputs: gmailInputs,
    }),
    baseClasses: ['Gmail', 'Tool'],
  },
  credential,
  open(context) {
    const kind = text(context.config, 'gmailType')
    if (!isKind(kind)) throw new Error('Gmail: choose a type')
    const chosen = choices(context.config[actionsInput(kind)])
    const actions = ACTIONS[kind].filter((name) => chosen.includes(name))
    if (actions.length === 0) throw new Error('Gmail: choose at least one action')
    const token = googleToken(context.credential, 'Gmail', context)
    return actions.map((name) => callableOf(name, token, context))
  },
}

const isKind = (kind: string | undefined): kind is Kind => kind !== undefined && Object.hasOwn(ACTIONS, kind)

function callableOf(name: ActionName, token: () => Promise<string>, context: ToolContext): CallableTool {
  const action = gmailActions[name]
  const { tool, description, hasEffect } = action
  return {
    name: tool,
    description,
    parameters: parametersOf(action, context.config),
    hasEffect,
    async call(args, key) {
      const values = { ...args, ...settled(action, args, context.config) }
      const missing = Object.keys(action.fields).find((field) => action.fields[field]?.required && !values[field])
      if (missing) throw new Error(`${missing} is missing`)
      const { method, path, query, body } = action.request(values)
      const answer = await callService(
        {
          service: 'Gmail',
          url: `${BASE}/${path}`,
          method,
          query: query as ServiceCall['query'],
          headers: { authorization: `Bearer ${await token()}`, ...(hasEffect && { 'idempotency-key': key }) },
          body,
        },
        context,
      )
      const written = await answer.text()
      if (!action.tell) return bounded(written, MAX_CHARS)
      const told = await action.tell(written ? JSON.parse(written) : undefined, values)
      return bounded(typeof told === 'string' ? told : JSON.stringify(told, null, 1), MAX_CHARS)
    },
  }
}

type Config = Record<string, unknown>

/** What the canvas settles is not asked of the model. */
function parametersOf({ fields }: Action, config: Config): Record<string, unknown> {
  const asked = Object.entries(fields).filter(([, { input, isDefault }]) => isDefault || !isSet(config, input))
  return {
    type: 'object',
    properties: Object.fromEntries(
      asked.map(([name, { type, description }]) => [
        name,
        { type, description, ...(type === 'array' && { items: { type: 'string' } }) },
      ]),
    ),
    required: asked.filter(([, { required }]) => required).map(([name]) => name),
  }
}

function settled({ fields }: Action, args: Config, config: Config): Config {
  const entries = Object.entries(fields).flatMap(([name, { input = '', type, isDefault }]): [string, unknown][] => {
    if (!isSet(config, input) || (isDefault && args[name] !== undefined)) return []
    const value = String(config[input])
    return [[name, type === 'array' ? value.split(',').map((each) => each.trim()) : value]]
  })
  return Object.fromEntries(entries)
}

const isSet = (config: Config, input = '') => config[input] !== undefined && String(config[input] ?? '').trim() !== ''
