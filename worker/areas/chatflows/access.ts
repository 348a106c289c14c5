/** Agent flows ask for `agentflows:*`, every other kind of flow for `chatflows:*`. */
import { FLOW_TYPES, type FlowType } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import { mayUse } from '../../http/permission.ts'
import type { Actor } from '../../http/route.ts'
import type { Config } from '../../services.ts'

export type Verb = 'view' | 'create' | 'update' | 'delete'

/** The access of a route for flows of any kind: `chatflows:view,agentflows:view`. */
export const flowAccess = (...verbs: Verb[]) => ({ permission: permissions(['chatflows', 'agentflows'], verbs) })

/** The kinds of flow with which the actor may do at least one of the verbs. */
export function allowedTypes(actor: Actor, config: Config, ...verbs: Verb[]): FlowType[] {
  return FLOW_TYPES.filter((type) =>
    mayUse({ permission: permissions([runTreeOf(type)], verbs) }, actor, config.platformType),
  )
}

export function assertAllowed(type: FlowType, allowed: FlowType[]): void {
  if (allowed.includes(type)) return
  throw new HeddleError('forbidden', `You have no permission to do this with a flow of type ${type}`)
}

const runTreeOf = (type: FlowType) => (type === 'AGENTFLOW' ? 'agentflows' : 'chatflows')

const permissions = (families: string[], verbs: Verb[]) =>
  families.flatMap((family) => verbs.map((verb) => `${family}:${verb}`)).join(',')
