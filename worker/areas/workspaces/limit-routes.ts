import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { noLimits, runLimitsSchema } from '#contract/runs/limits.ts'
import { keepDaysOf, retentionSchema } from '#contract/runs/retention.ts'
import { triggerLimitsSchema } from '#contract/triggers/index.ts'
import { workspaces } from '#db/schema/index.ts'
import { auditEvent, changeOf, workspaceTarget } from '../../http/audit.ts'
import { type AppEnv, type Member, memberOf, type Route, route } from '../../http/route.ts'

/**
 * Limits of the caller's workspace: what one run may use, and how many deliveries its webhooks accept per minute,
 * and how long it keeps runs.
 */
export const limitRoutes: Route[] = [
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
    audit: 'workspace.update',
    answer: runLimitsSchema,
    access: { permission: 'workspace:update' },
    body: runLimitsSchema,
    async handle({ body, actor, context }) {
      await setLimits(context, memberOf(actor), { runLimits: body })
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
    audit: 'workspace.update',
    answer: triggerLimitsSchema,
    access: { permission: 'workspace:update' },
    body: triggerLimitsSchema,
    async handle({ body, actor, context }) {
      await setLimits(context, memberOf(actor), { triggersPerMinute: body.perMinute })
      return body
    },
  }),

  route({
    method: 'GET',
    path: '/workspace/retention',
    summary: 'Get how long the workspace keeps runs and messages',
    answer: retentionSchema,
    access: { permission: 'workspace:view' },
    async handle({ actor, services }) {
      const [row] = await services.db
        .select({ keepRunsDays: workspaces.keepRunsDays })
        .from(workspaces)
        .where(eq(workspaces.id, memberOf(actor).workspaceId))
      return { keepDays: keepDaysOf(row?.keepRunsDays ?? null, services.config.platformType) }
    },
  }),

  route({
    method: 'PUT',
    path: '/workspace/retention',
    summary: 'Set how long the workspace keeps runs and messages',
    audit: 'workspace.update',
    answer: retentionSchema,
    access: { permission: 'workspace:update' },
    body: retentionSchema,
    async handle({ body, actor, context }) {
      await setLimits(context, memberOf(actor), { keepRunsDays: body.keepDays ?? 0 })
      return body
    },
  }),
]

type Limits = Partial<Pick<typeof workspaces.$inferInsert, 'runLimits' | 'triggersPerMinute' | 'keepRunsDays'>>

async function setLimits(context: Context<AppEnv>, member: Member, limits: Limits): Promise<void> {
  const target = workspaceTarget(member)
  const { db } = context.get('services')
  await db.batch([
    auditEvent(context, member, { event: 'workspace.update', target, change: changeOf(workspaces, limits) }),
    db.update(workspaces).set(limits).where(target.where),
  ])
}
