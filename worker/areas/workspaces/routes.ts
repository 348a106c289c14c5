import { eq } from 'drizzle-orm'
import { noLimits, runLimitsSchema } from '#contract/limits.ts'
import { workspaces } from '#db/schema/index.ts'
import { memberOf, type Route, route } from '../../http/route.ts'

/** What one run of any flow of the caller's workspace may use. */
export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/workspace/run-limits',
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
]
