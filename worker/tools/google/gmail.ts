/** Gmail: each selected action is a tool. */

import { connectCredential, oauthCredential } from '#contract/flow/params/builders.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { bounded, callService, type ServiceCall } from '../../providers/json-api.ts'
import { choices, toolDefinition } from '../definition.ts'
import type { CallableTool, ToolContext, ToolType } from '../types.ts'
import { type Action, gmailActions } from './gmail/actions.ts'
import { ACTIONS, type ActionName, actionsInput, gmailInputs, type Kind } from './gmail/inputs.ts'

const BASE = 'https://gmail.googleapis.com/gmail/v1/users/me'
const SCOPES = 'https://www.googleapis.com/auth/gmail'
const MAX_CHARS = 40_000

const credential = oauthCredential(
  {
    label: 'Gmail OAuth2',
    name: 'gmailOAuth2',
    hosts: ['*.googleapis.com'],
    description: 'Create a client of type "Web application" in the Google Cloud console.',
  },
  {
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    accessTokenUrl: 'https://oauth2.googleapis.com/token',
    scope: ['readonly', 'compose', 'modify', 'labels'].map((name) => `${SCOPES}.${name}`).join(' '),
    // Google gives a refresh token only to those who ask for offline access, and only with a new consent.
    additionalParameters: 'access_type=offline&prompt=consent',
  },
)

export const gmail: ToolType = {
  definition: {
    ...toolDefinition({
      label: 'Gmail',
      name: 'gmail',
      type: 'Gmail',
      version: 1,
      description: 'Reads, drafts and sends Gmail messages, and manages labels and threads',
      hint: 'Values set here are fixed and can’t be changed by the model. Text without HTML tags is sent as plain text.',
      credential: connectCredential(credential),
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
    return actions.map((name) => buildTool(name, context))
  },
}

const isKind = (kind: string | undefined): kind is Kind => kind !== undefined && Object.hasOwn(ACTIONS, kind)

function buildTool(name: ActionName, context: ToolContext): CallableTool {
  const action = gmailActions[name]
  const { tool, description, hasEffect } = action
  return {
    name: tool,
    description,
    parameters: buildParameters(action, context.config),
    hasEffect,
    async call(args, key) {
      const values = { ...args, ...fixedValues(action, args, context.config) }
      const missing = Object.keys(action.fields).find((field) => action.fields[field]?.required && !values[field])
      if (missing) throw new Error(`Argument "${missing}" is missing`)
      const token = needed(text(context.credential, 'access_token'), 'Gmail', 'the connection of the credential')
      const { method, path, query, body } = action.request(values)
      const answer = await callService(
        {
          service: 'Gmail',
          url: `${BASE}/${path}`,
          method,
          query: query as ServiceCall['query'],
          headers: { authorization: `Bearer ${token}`, ...(hasEffect && { 'idempotency-key': key }) },
          body,
        },
        context,
      )
      const written = await answer.text()
      if (!action.format) return bounded(written, MAX_CHARS)
      const shown = await action.format(written ? JSON.parse(written) : undefined, values)
      return bounded(typeof shown === 'string' ? shown : JSON.stringify(shown, null, 1), MAX_CHARS)
    },
  }
}

type Config = Record<string, unknown>

/** Returns the parameters for the model, without those fixed on the canvas. */
function buildParameters({ fields }: Action, config: Config): Record<string, unknown> {
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

function fixedValues({ fields }: Action, args: Config, config: Config): Config {
  const entries = Object.entries(fields).flatMap(([name, { input = '', type, isDefault }]): [string, unknown][] => {
    if (!isSet(config, input) || (isDefault && args[name] !== undefined)) return []
    const value = String(config[input])
    return [[name, type === 'array' ? value.split(',').map((each) => each.trim()) : value]]
  })
  return Object.fromEntries(entries)
}

const isSet = (config: Config, input = '') => config[input] !== undefined && String(config[input] ?? '').trim() !== ''
