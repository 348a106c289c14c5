import type { Context } from 'hono'
import * as z from 'zod'
import { MAX_FLOW_BYTES } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { ComponentDefinition } from '#contract/flow/definition.ts'
import { readJson } from '#contract/json.ts'
import { mayUse } from '../../http/permission.ts'
import { type AppEnv, memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { definitions, definitionsByName, definitionsIn } from './catalogue.ts'
import { tryFunction } from './custom-function.ts'
import { iconOf } from './icon.ts'
import { loadOptions } from './load-methods.ts'
import { overridableInputs } from './node-config.ts'
import { openSurroundings } from './surroundings.ts'

const byName = z.object({ name: z.string() })

const values = z.record(z.string(), z.unknown())

/** Forms send an object of values as its JSON. */
const jsonValues = z
  .string()
  .transform((text) => (text.trim() === '' ? {} : readJson(text)))
  .pipe(values)

const canvasNode = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  label: z.string().optional(),
  inputs: values.optional(),
})

const access = flowAccess('view', 'create', 'update')

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/nodes',
    access,
    async handle({ context }) {
      return withETag(context, definitions())
    },
  }),

  route({
    method: 'GET',
    path: '/nodes/category/:name',
    access,
    params: byName,
    async handle({ params, context }) {
      return withETag(context, definitionsIn(params.name))
    },
  }),

  route({
    method: 'GET',
    path: '/nodes/:name',
    access,
    params: byName,
    async handle({ params }) {
      return definitionOf(params.name)
    },
  }),

  route({
    method: 'POST',
    path: '/node-load-method/:name',
    access,
    params: byName,
    maxBodyBytes: MAX_FLOW_BYTES,
    body: z.object({
      loadMethod: z.string(),
      inputs: values.default({}),
      credential: z.string().max(100).optional(),
      currentNode: canvasNode.optional(),
      previousNodes: z.array(canvasNode).default([]),
      chatflowId: z.string().max(100).optional(),
    }),
    async handle({ params, body, actor, services }) {
      const { loadMethod: method, chatflowId: flowId, ...rest } = body
      return loadOptions(
        { ...rest, component: params.name, method, flowId },
        {
          services,
          tenant: memberOf(actor),
          viewable: allowedTypes(actor, services.config, 'view', 'update'),
          mayEdit: mayUse(flowAccess('create', 'update'), actor, services.config.platformType),
        },
      )
    },
  }),

  route({
    method: 'GET',
    path: '/node-icon/:name',
    access: 'public',
    params: byName,
    async handle({ params }) {
      return new Response(iconOf(definitionOf(params.name)), {
        headers: {
          'Content-Type': 'image/svg+xml',
          'Cache-Control': 'public, max-age=86400',
          'Content-Security-Policy': "default-src 'none'",
        },
      })
    },
  }),

  route({
    method: 'POST',
    path: '/node-config',
    access,
    maxBodyBytes: MAX_FLOW_BYTES,
    body: z.object({
      name: z.string(),
      id: z.string().default(''),
      label: z.string().optional(),
      inputs: values.default({}),
    }),
    async handle({ body }) {
      const definition = definitionOf(body.name)
      return overridableInputs(definition, { ...body, label: body.label ?? definition.label })
    },
  }),

  route({
    method: 'POST',
    path: '/node-custom-function',
    access: flowAccess('create', 'update'),
    body: z.object({
      javascriptFunction: z.string().trim().min(1, 'Write a function first'),
      functionInputVariables: z.union([values, jsonValues]).default({}),
    }),
    async handle({ body, actor, services }) {
      const { sandbox, signal, variables } = await openSurroundings(services, memberOf(actor), [])
      const mayRead = mayUse({ permission: 'variables:view' }, actor, services.config.platformType)
      const call = { code: body.javascriptFunction, values: body.functionInputVariables, signal }
      return Response.json(await tryFunction({ ...call, variables: mayRead ? variables : {} }, sandbox))
    },
  }),
]

function definitionOf(name: string): ComponentDefinition {
  const definition = definitionsByName().get(name)
  if (!definition) throw new HeddleError('not_found', `Node ${name} not found`)
  return definition
}

/** The catalogue changes only with a deployment: who has it already gets 304 and no body. */
async function withETag(c: Context<AppEnv>, value: unknown): Promise<Response> {
  const text = JSON.stringify(value)
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))
  const etag = `W/"${Buffer.from(digest).toString('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  if (c.req.header('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { ...headers, 'Content-Type': 'application/json' } })
}
