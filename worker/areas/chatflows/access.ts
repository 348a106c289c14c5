import { type FlowVerb, flowPermissions } from '#contract/access/callers.ts'
import { HeddleError } from '#contract/errors.ts'
import { FLOW_TYPES, type FlowType } from '#contract/flow/flow-types.ts'
import { mayUse } from '../../http/permission.ts'
import type { Actor } from '../../http/route.ts'
import type { Config } from '../../services.ts'

/** The access rule of a route for flows of any type: `chatflows:view,agentflows:view,assistants:view`. */
export const flowAccess = (...verbs: FlowVerb[]) => ({ permission: flowPermissions(FLOW_TYPES, ...verbs) })

/** Returns the flow types for which the actor has at least one of the permissions. */
export function allowedTypes(actor: Actor, config: Config, ...verbs: FlowVerb[]): FlowType[] {
  return FLOW_TYPES.filter((type) =>
    mayUse({ permission: flowPermissions([type], ...verbs) }, actor, config.platformType),
  )
}

export function assertAllowed(type: FlowType, allowed: FlowType[]): void {
  if (allowed.includes(type)) return
  throw new HeddleError('forbidden', `You need permission to do this with flows of type ${type}`)
}
