import { eq } from 'drizzle-orm'
import { noLimits, runLimitsSchema } from '#contract/runs/limits.ts'
import { triggerLimitsSchema } from '#contract/triggers/index.ts'
import { workspaces } from '#db/schema/index.ts'
import { memberOf, type Route, route } from '../../http/route.ts'

/** Limits of the caller's workspace: what one run may use, and how many deliveries its webhooks accept per minute. */
export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/workspace/run-limits',
    summary: 'Get the run limits of the workspace',
    answer: runLimitsSchema,
    access: { permission: 'workspace:view' },
    async handle({ actor, services }) {
      const [row] = await services.db
        .select({ runLimits: workspaces.runLimits })
        .from(workspaces)
        .where(eq(workspaces.id, memberOf(actor).workspaceId))
      return row?.runLimits ?? noLimits
    },
  }),

  route({
    method: 'PUT',
    path: '/workspace/run-limits',
    summary: 'Set the run limits of the workspace',
    answer: runLimitsSchema,
    access: { permission: 'workspace:update' },
    body: runLimitsSchema,
    async handle({ body, actor, services }) {
      await services.db
        .update(workspaces)
        .set({ runLimits: body })
        .where(eq(workspaces.id, memberOf(actor).workspaceId))
      return body
    },
  }),

  route({
    method: 'GET',
    path: '/workspace/trigger-limits',
    summary: 'Get the webhook limit of the workspace',
    answer: triggerLimitsSchema,
    access: { permission: 'workspace:view' },
    async handle({ actor, services }) {
      const [row] = await services.db
        .select({ perMinute: workspaces.triggersPerMinute })
        .from(workspaces)
        .where(eq(workspaces.id, memberOf(actor).workspaceId))
      return { perMinute: row?.perMinute ?? null }
    },
  }),

  route({
    method: 'PUT',
    path: '/workspace/trigger-limits',
    summary: 'Set the webhook limit of the workspace',
    answer: triggerLimitsSchema,
    access: { permission: 'workspace:update' },
    body: triggerLimitsSchema,
    async handle({ body, actor, services }) {
      await services.db
        .update(workspaces)
        .set({ triggersPerMinute: body.perMinute })
        .where(eq(workspaces.id, memberOf(actor).workspaceId))
      return body
    },
  }),
]
