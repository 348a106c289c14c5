import * as z from 'zod'
import { MAX_FLOW_BYTES, overridableInputSchema } from '#contract/chatflows/chatflows.ts'
import { parseFencedJson } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { componentDefinitionSchema, paramOptionSchema } from '#contract/flow/params/definition.ts'
import { withMaxKeys } from '#contract/schemas/max-keys.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import { auditExempt } from '../../http/audit.ts'
import { cached, withETag } from '../../http/etag.ts'
import { mayUse } from '../../http/permission.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { componentDefinitions, componentsIn, credentialDefinitions, findComponent } from '../../nodes/catalogue.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { tryFunction } from './custom-function.ts'
import { drawIcon } from './icon.ts'
import { loadOptions } from './load-methods.ts'
import { overridableInputs } from './node-config.ts'

const name = z.string().max(200)
const byName = z.object({ name })

const values = withMaxKeys(z.record(z.string(), z.unknown()))

/** Forms send an object of values as JSON text. */
const jsonValues = z
  .string()
  .max(1_000_000)
  .transform((text) => (text.trim() === '' ? {} : parseFencedJson(text)))
  .pipe(values)

const canvasNode = z.object({
  id: name.optional(),
  name: name.optional(),
  label: z.string().max(1000).optional(),
  inputs: values.optional(),
})

/** For people who draw flows, or choose components of document stores. */
const access = {
  permission: `${flowAccess('view', 'create', 'update').permission},documentStores:view,documentStores:create,documentStores:update`,
}

/** A page shows hundreds at once. */
const ICONS = { max: 3000, windowSeconds: 60, isOfIsolate: true } as const

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/nodes',
    summary: 'List node types, models and tools',
    answer: cached(z.array(componentDefinitionSchema)),
    access,
    async handle({ context }) {
      return withETag(context, JSON.stringify(componentDefinitions()))
    },
  }),

  route({
    method: 'GET',
    path: '/nodes/category/:name',
    summary: 'List the components of a category',
    answer: cached(z.array(componentDefinitionSchema)),
    access,
    params: byName,
    async handle({ params, context }) {
      return withETag(context, JSON.stringify(componentsIn(params.name)))
    },
  }),

  route({
    method: 'GET',
    path: '/nodes/:name',
    summary: 'Read a component',
    answer: componentDefinitionSchema,
    access,
    params: byName,
    async handle({ params }) {
      return requireDefinition(params.name)
    },
  }),

  route({
    method: 'POST',
    path: '/node-load-method/:name',
    summary: 'Load the options of a parameter',
    audit: auditExempt.read,
    answer: z.array(paramOptionSchema),
    access,
    params: byName,
    maxBodyBytes: MAX_FLOW_BYTES,
    body: z.object({
      loadMethod: name,
      inputs: values.default({}),
      credential: z.string().max(100).optional(),
      currentNode: canvasNode.optional(),
      previousNodes: z.array(canvasNode).max(5000).default([]),
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
    summary: 'Read the icon of a component',
    answer: [{ type: 'image/svg+xml' }],
    access: 'public',
    limit: ICONS,
    params: byName,
    async handle({ params }) {
      return icon(requireDefinition(params.name))
    },
  }),

  route({
    method: 'GET',
    path: '/components-credentials-icon/:name',
    summary: 'Read the icon of a credential type',
    answer: [{ type: 'image/svg+xml' }],
    access: 'public',
    limit: ICONS,
    params: byName,
    async handle({ params }) {
      const found = credentialDefinitions().find(({ name }) => name === params.name)
      if (!found) throw new HeddleError('not_found', `There is no credential type ${params.name}`)
      return icon({ label: found.label, category: 'Credentials' })
    },
  }),

  route({
    method: 'POST',
    path: '/node-config',
    summary: 'List the inputs of a node that calls could override',
    audit: auditExempt.read,
    answer: z.array(overridableInputSchema),
    errors: ['not_found'],
    access,
    maxBodyBytes: MAX_FLOW_BYTES,
    body: z.object({
      name,
      id: name.default(''),
      label: z.string().max(1000).optional(),
      inputs: values.default({}),
    }),
    async handle({ body }) {
      const definition = requireDefinition(body.name)
      return overridableInputs(definition, { ...body, label: body.label ?? definition.label })
    },
  }),

  route({
    method: 'POST',
    path: '/node-custom-function',
    summary: 'Try a function',
    audit: auditExempt.read,
    answer: z.unknown(),
    errors: ['rate_limited'],
    access: flowAccess('create', 'update'),
    body: z.object({
      javascriptFunction: z.string().max(1_000_000).trim().min(1, 'Write a function first'),
      functionInputVariables: z.union([values, jsonValues]).default({}),
    }),
    async handle({ body, actor, services }) {
      const { sandbox, signal, variables, redact } = await openWorkspaceComponents(services, memberOf(actor), [])
      const mayRead = mayUse({ permission: 'variables:view' }, actor, services.config.platformType)
      const call = { code: body.javascriptFunction, values: body.functionInputVariables, signal }
      return Response.json(redact(await tryFunction({ ...call, variables: mayRead ? variables : {}, redact }, sandbox)))
    },
  }),
]

function requireDefinition(name: string): ComponentDefinition {
  const definition = findComponent(name)
  if (!definition) throw new HeddleError('not_found', `Node ${name} not found`)
  return definition
}

const icon = (definition: Parameters<typeof drawIcon>[0]) =>
  new Response(drawIcon(definition), {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=86400',
      'Content-Security-Policy': "default-src 'none'",
    },
  })
