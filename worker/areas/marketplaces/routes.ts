import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import {
  builtInTemplateSchema,
  createTemplateSchema,
  customTemplateSchema,
  flowTypeOf,
  type GalleryItem,
  gallerySchema,
  MAX_LISTED_DOCUMENT_BYTES,
  templateDetailSchema,
  updateTemplateSchema,
} from '#contract/marketplaces/marketplaces.ts'
import { pageSchema } from '#contract/schemas/page.ts'
import { deletedSchema, listOf } from '#contract/schemas/responses.ts'
import { auditExempt } from '../../http/audit.ts'
import { byId } from '../../http/crud-routes.ts'
import { mayUse } from '../../http/permission.ts'
import { type Actor, memberOf, type Route, route } from '../../http/route.ts'
import type { Config } from '../../services.ts'
import { allowedTypes, assertAllowed, readFlow } from '../chatflows/index.ts'
import { readRecentFlows } from '../home/index.ts'
import { builtInGallery, builtInTemplates, findBuiltIn } from './built-in.ts'
import { createCustom, customGallery, deleteCustom, findCustom, listCustom, updateCustom } from './custom.ts'
import { fittingTemplates } from './fitting.ts'

const BUILT_IN = { permission: 'templates:marketplace' }
const CUSTOM = { permission: 'templates:custom' }
const EITHER = { permission: `${BUILT_IN.permission},${CUSTOM.permission}` }

const sees = (access: { permission: string }, actor: Actor, { platformType }: Config) =>
  mayUse(access, actor, platformType)

const ofTypes = (templates: GalleryItem[], types: readonly FlowType[]) =>
  templates.filter(({ type }) => types.some((allowed) => allowed === flowTypeOf(type)))

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/marketplaces/gallery',
    summary: 'List templates without their flows',
    description: 'Built-in and custom templates that the caller can view.',
    answer: gallerySchema,
    access: EITHER,
    query: z.object({
      starters: z
        .enum(['true', 'false'])
        .optional()
        .describe(
          '`true`: only three that the caller can create flows from, which fit the flows that were changed last',
        ),
    }),
    async handle({ query, actor, services }) {
      const builtIn = sees(BUILT_IN, actor, services.config) ? await builtInGallery() : []
      if (query.starters === 'true') {
        const recent = await readRecentFlows(
          services.db,
          memberOf(actor),
          allowedTypes(actor, services.config, 'view', 'update'),
        )
        return { data: fittingTemplates(ofTypes(builtIn, allowedTypes(actor, services.config, 'create')), recent) }
      }
      const custom = sees(CUSTOM, actor, services.config) ? await customGallery(services, memberOf(actor)) : []
      return { data: [...builtIn, ...custom] }
    },
  }),

  route({
    method: 'GET',
    path: '/marketplaces/gallery/:id',
    summary: 'Get a template',
    answer: templateDetailSchema,
    access: EITHER,
    params: byId,
    async handle({ params, actor, services }) {
      const builtIn = sees(BUILT_IN, actor, services.config) ? await findBuiltIn(params.id) : undefined
      const found =
        builtIn ?? (sees(CUSTOM, actor, services.config) && (await findCustom(services, memberOf(actor), params.id)))
      if (!found) throw new HeddleError('not_found', `Template ${params.id} not found`)
      return found
    },
  }),

  route({
    method: 'GET',
    path: '/marketplaces/templates',
    summary: 'List built-in templates',
    answer: z.array(builtInTemplateSchema),
    access: BUILT_IN,
    async handle() {
      return builtInTemplates()
    },
  }),

  route({
    method: 'GET',
    path: '/marketplaces/custom',
    summary: 'List custom templates',
    description: `Without page and limit the 100 newest; a page has at most as many. Documents past ${MAX_LISTED_DOCUMENT_BYTES / 1024 ** 2} MB in one answer are left out.`,
    answer: listOf(customTemplateSchema),
    access: CUSTOM,
    query: pageSchema,
    async handle({ query, actor, services }) {
      return listCustom(services, memberOf(actor), query)
    },
  }),

  route({
    method: 'POST',
    path: '/marketplaces/custom',
    summary: 'Save a flow or a tool as a template',
    audit: auditExempt.content,
    description: 'A flow is saved without credentials and secrets.',
    answer: customTemplateSchema,
    errors: ['not_found', 'conflict'],
    access: { permission: 'templates:create' },
    maxBodyBytes: 2 * 1024 * 1024,
    body: createTemplateSchema,
    async handle({ body, actor, services }) {
      const member = memberOf(actor)
      if (body.type === 'Tool') return createCustom(services, member, { body })
      const flow = await readFlow(services, member, body.chatflowId ?? '')
      assertAllowed(flow.type, allowedTypes(actor, services.config, 'view', 'update'))
      return createCustom(services, member, { body, flow })
    },
  }),

  route({
    method: 'PUT',
    path: '/marketplaces/custom/:id',
    summary: 'Update how a custom template is described',
    audit: auditExempt.content,
    answer: customTemplateSchema,
    access: { permission: 'templates:create,templates:update' },
    params: byId,
    body: updateTemplateSchema,
    async handle({ params, body, actor, services }) {
      return updateCustom(services, memberOf(actor), { ...body, id: params.id })
    },
  }),

  route({
    method: 'DELETE',
    path: '/marketplaces/custom/:id',
    summary: 'Delete a custom template',
    audit: auditExempt.content,
    answer: deletedSchema,
    access: { permission: 'templates:delete' },
    params: byId,
    async handle({ params, actor, services }) {
      return deleteCustom(services, memberOf(actor), params.id)
    },
  }),
]
