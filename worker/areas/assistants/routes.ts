import * as z from 'zod'
import {
  assistantSchema,
  createAssistantSchema,
  deleteAssistantSchema,
  generateInstructionSchema,
  instructionSchema,
  listAssistantsSchema,
  listedAssistantSchema,
  MAX_ASSISTANT_BYTES,
  updateAssistantSchema,
} from '#contract/assistants/assistants.ts'
import { MODEL_CATEGORY, TOOL_CATEGORIES } from '#contract/flow/params/categories.ts'
import { componentDefinitionSchema } from '#contract/flow/params/definition.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import { chosenModel, openChosenModel } from '../../components/chosen-model.ts'
import { auditExempt, withAudit } from '../../http/audit.ts'
import { byId } from '../../http/crud-routes.ts'
import { cached, withETag } from '../../http/etag.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { componentsIn } from '../../nodes/catalogue.ts'
import type { FlowDeletion, FlowSave } from '../chatflows/index.ts'
import { createCustom, deleteCustom, updateCustom } from './custom.ts'
import { writeInstruction } from './instruction.ts'
import { createAtProvider, deleteProviderAssistant, updateAtProvider } from './provider-assistants.ts'
import { providerRoutes } from './provider-routes.ts'
import { listAssistants, listSearchableStores, readAssistant } from './store.ts'

const view = { permission: 'assistants:view,assistants:create,assistants:update' }

/** What a custom assistant can be made of. */
const componentRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/assistants/components/chatmodels',
    summary: 'List the chat models for assistants',
    answer: cached(z.array(componentDefinitionSchema)),
    access: view,
    async handle({ context }) {
      return withETag(context, JSON.stringify(componentsIn(MODEL_CATEGORY)))
    },
  }),

  route({
    method: 'GET',
    path: '/assistants/components/tools',
    summary: 'List the tools for assistants',
    answer: cached(z.array(componentDefinitionSchema)),
    access: view,
    async handle({ context }) {
      return withETag(context, JSON.stringify(TOOL_CATEGORIES.flatMap(componentsIn)))
    },
  }),

  route({
    method: 'GET',
    path: '/assistants/components/docstores',
    summary: 'List the document stores for assistants',
    description: 'Stores that can be searched. `name` is the store’s ID.',
    answer: z.array(z.object({ name: z.string(), label: z.string(), description: z.string() })),
    access: view,
    async handle({ actor, services }) {
      return listSearchableStores(services, memberOf(actor))
    },
  }),

  route({
    method: 'POST',
    path: '/assistants/generate/instruction',
    summary: 'Write instructions from a description',
    audit: auditExempt.read,
    answer: instructionSchema,
    errors: ['unprocessable'],
    access: { permission: 'assistants:create,assistants:update' },
    body: generateInstructionSchema,
    async handle({ body, actor, services, context }) {
      const { signal } = context.req.raw
      const { clock } = services
      const model = chosenModel(body.selectedChatModel)
      const chosen = await openChosenModel(services, { tenant: memberOf(actor), signal }, model)
      return writeInstruction({ ...chosen, task: body.task }, { clock, signal })
    },
  }),
]

interface FlowParts {
  saves: readonly FlowSave[]
  deletions: readonly FlowDeletion[]
}

/** @param flows what other areas keep of the flows that assistants run as */
export const assistantRoutes = ({ saves, deletions }: FlowParts): Route[] => [
  route({
    method: 'GET',
    path: '/assistants',
    summary: 'List assistants',
    answer: z.array(listedAssistantSchema),
    access: { permission: 'assistants:view' },
    query: listAssistantsSchema,
    async handle({ query, actor, services }) {
      return listAssistants(services, memberOf(actor), query)
    },
  }),

  route({
    method: 'POST',
    path: '/assistants',
    summary: 'Create an assistant',
    audit: auditExempt.content,
    answer: assistantSchema,
    errors: ['unprocessable'],
    access: { permission: 'assistants:create' },
    maxBodyBytes: 2 * MAX_ASSISTANT_BYTES,
    body: createAssistantSchema,
    async handle({ body, actor, services }) {
      const { type } = body
      if (type !== 'CUSTOM') return createAtProvider(services, memberOf(actor), { ...body, type })
      return createCustom({ ...services, saves }, memberOf(actor), body)
    },
  }),

  ...componentRoutes,
  ...providerRoutes,

  route({
    method: 'GET',
    path: '/assistants/:id',
    summary: 'Get an assistant',
    answer: assistantSchema,
    access: view,
    params: byId,
    async handle({ params, actor, services }) {
      return readAssistant(services, memberOf(actor), params.id)
    },
  }),

  route({
    method: 'PUT',
    path: '/assistants/:id',
    summary: 'Save an assistant',
    audit: auditExempt.content,
    answer: assistantSchema,
    errors: ['conflict', 'unprocessable'],
    access: { permission: 'assistants:create,assistants:update' },
    maxBodyBytes: 2 * MAX_ASSISTANT_BYTES,
    params: byId,
    body: updateAssistantSchema,
    async handle({ params, body: values, actor, services }) {
      const member = memberOf(actor)
      const row = await readAssistant(services, member, params.id)
      const { type } = row
      if (type !== 'CUSTOM') return updateAtProvider(services, member, { row: { ...row, type }, values })
      return updateCustom({ ...services, saves }, member, { row, values })
    },
  }),

  route({
    method: 'DELETE',
    path: '/assistants/:id',
    summary: 'Delete an assistant',
    // Only of custom ones, which run as flows.
    audit: 'flow.delete',
    answer: deletedSchema,
    errors: ['unprocessable'],
    access: { permission: 'assistants:delete' },
    params: byId,
    query: deleteAssistantSchema,
    async handle({ params, query, actor, services, context }) {
      const member = memberOf(actor)
      const row = await readAssistant(services, member, params.id)
      const { type } = row
      const both = query.isDeleteBoth === 'true'
      if (type !== 'CUSTOM') return deleteProviderAssistant(services, member, { row: { ...row, type }, both })
      return deleteCustom({ ...withAudit(context, member), deletions }, member, params.id)
    },
  }),
]
