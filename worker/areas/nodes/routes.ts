import type { Context } from 'hono'
import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { type AppEnv, type Route, route } from '../../http/route.ts'
import { flowAccess } from '../chatflows/index.ts'
import { definitions, definitionsByName, definitionsIn } from './catalogue.ts'
import { loadOptions } from './load-methods.ts'

const byName = z.object({ name: z.string() })

const canvasNode = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  label: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
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
      const definition = definitionsByName().get(params.name)
      if (!definition) throw new HeddleError('not_found', `Node ${params.name} not found`)
      return definition
    },
  }),

  route({
    method: 'POST',
    path: '/node-load-method/:name',
    access,
    params: byName,
    maxBodyBytes: 8 * 1024 * 1024,
    body: z.object({ loadMethod: z.string(), previousNodes: z.array(canvasNode).default([]) }),
    async handle({ body }) {
      return loadOptions(body.loadMethod, body.previousNodes)
    },
  }),
]

/** The catalogue changes only with a deployment: who has it already gets 304 and no body. */
async function withETag(c: Context<AppEnv>, value: unknown): Promise<Response> {
  const text = JSON.stringify(value)
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))
  const etag = `W/"${Buffer.from(digest).toString('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  if (c.req.header('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { ...headers, 'Content-Type': 'application/json' } })
}
