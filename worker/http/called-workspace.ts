import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { runForCaller } from '#db/callers.ts'
import { callerAddress } from './caller-address.ts'
import type { AppEnv } from './route.ts'

/** Returns the caller's workspace, or of a public call the flow's; undefined while that is not known. */
export function calledWorkspace(c: Context<AppEnv>): string | undefined {
  const actor = c.get('actor')
  return actor && 'workspaceId' in actor ? actor.workspaceId : c.get('calledWorkspaceId')
}

/** Gives each workspace its turn where requests wait for the database, and each address while its workspace is unknown. */
export const shareDatabase = createMiddleware<AppEnv>((c, next) =>
  runForCaller(() => calledWorkspace(c) ?? callerAddress(c), next),
)
