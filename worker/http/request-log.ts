import { createMiddleware } from 'hono/factory'
import { calledWorkspace } from './called-workspace.ts'
import type { AppEnv } from './route.ts'

/** Logs each call of the API as one line of JSON: nothing that was sent, and no address but the pattern of its route. */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const { clock } = c.get('services')
  const start = clock.now()
  await next()
  const line = {
    time: start.toISOString(),
    requestId: c.get('requestId'),
    method: c.req.method,
    // Unknown paths may hold anything.
    route: c.get('route')?.path ?? null,
    status: c.res.status,
    milliseconds: clock.now().getTime() - start.getTime(),
    workspaceId: calledWorkspace(c) ?? null,
  }
  console.log(JSON.stringify(line))
})
