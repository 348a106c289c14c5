import * as z from 'zod'
import type { FlowVerb } from '#contract/access/callers.ts'
import {
  chatflowSchema,
  flowVersionHeadSchema,
  flowVersionListSchema,
  flowVersionSchema,
  listVersionsSchema,
  publishFlowSchema,
  versionNoteSchema,
} from '#contract/chatflows/chatflows.ts'
import { storedSourceFileSchema } from '#contract/flow/sources.ts'
import { auditExempt, withAudit } from '../../http/audit.ts'
import { memberOf, type Route, type RouteInput, route } from '../../http/route.ts'
import { allowedTypes, flowAccess } from './access.ts'
import { listVersions, noteVersion, publishFlow, readVersion, readVersionSources, unpublishFlow } from './versions.ts'

const byId = z.object({ id: z.string().max(100) })
const byVersion = byId.extend({ version: z.coerce.number().int().positive() })

const VIEW_VERBS: FlowVerb[] = ['view', 'update', 'delete']
const EDIT_VERBS: FlowVerb[] = ['create', 'update']

const viewAccess = ({ actor, services }: Caller) => allowedTypes(actor, services.config, ...VIEW_VERBS)
const editAccess = ({ actor, services }: Caller) => allowedTypes(actor, services.config, ...EDIT_VERBS)

type Caller = Pick<RouteInput<unknown, unknown, unknown>, 'actor' | 'services'>

export const versionRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/chatflows/:id/versions',
    summary: 'List the versions of a flow',
    answer: flowVersionListSchema,
    access: flowAccess(...VIEW_VERBS),
    params: byId,
    query: listVersionsSchema,
    async handle({ params, query, ...caller }) {
      return listVersions(caller.services, memberOf(caller.actor), { ...query, ...params, allowed: viewAccess(caller) })
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/:id/versions/:version',
    summary: 'Get a version of a flow',
    answer: flowVersionSchema,
    access: flowAccess(...VIEW_VERBS),
    params: byVersion,
    async handle({ params, ...caller }) {
      return readVersion(caller.services, memberOf(caller.actor), { ...params, allowed: viewAccess(caller) })
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/:id/sources',
    summary: 'Get the source files of a flow',
    answer: z.array(storedSourceFileSchema),
    access: flowAccess(...VIEW_VERBS),
    params: byId,
    async handle({ params, ...caller }) {
      const target = { ...params, allowed: viewAccess(caller) }
      return readVersionSources(caller.services, memberOf(caller.actor), target)
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/:id/versions/:version/sources',
    summary: 'Get the source files of a version',
    answer: z.array(storedSourceFileSchema),
    access: flowAccess(...VIEW_VERBS),
    params: byVersion,
    async handle({ params, ...caller }) {
      const target = { ...params, allowed: viewAccess(caller) }
      return readVersionSources(caller.services, memberOf(caller.actor), target)
    },
  }),

  route({
    method: 'PUT',
    path: '/chatflows/:id/versions/:version',
    summary: 'Set the note of a version',
    audit: auditExempt.content,
    answer: flowVersionHeadSchema,
    access: flowAccess(...EDIT_VERBS),
    params: byVersion,
    body: versionNoteSchema,
    async handle({ params, body, ...caller }) {
      return noteVersion(caller.services, memberOf(caller.actor), { ...params, ...body, allowed: editAccess(caller) })
    },
  }),

  route({
    method: 'POST',
    path: '/chatflows/:id/publish',
    summary: 'Publish a version',
    audit: 'flow.publish',
    answer: chatflowSchema,
    access: flowAccess(...EDIT_VERBS),
    params: byId,
    body: publishFlowSchema,
    async handle({ params, body, context, ...caller }) {
      const member = memberOf(caller.actor)
      return publishFlow(withAudit(context, member), member, { ...params, ...body, allowed: editAccess(caller) })
    },
  }),

  route({
    method: 'POST',
    path: '/chatflows/:id/unpublish',
    summary: 'Unpublish a flow',
    audit: 'flow.publish',
    answer: chatflowSchema,
    access: flowAccess(...EDIT_VERBS),
    params: byId,
    async handle({ params, context, ...caller }) {
      const member = memberOf(caller.actor)
      return unpublishFlow(withAudit(context, member), member, { ...params, allowed: editAccess(caller) })
    },
  }),
]
