import { permissionArea } from '#contract/access/callers.ts'
import { FLOW_TYPES, type FlowType } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import { mayUse } from '../../http/permission.ts'
import type { Actor } from '../../http/route.ts'
import type { Config } from '../../services.ts'

export type Verb = 'view' | 'create' | 'update' | 'delete'

const FAMILIES = [...new Set(FLOW_TYPES.map(permissionArea))]

/** The access rule of a route for flows of any type: `chatflows:view,agentflows:view,assistants:view`. */
export const flowAccess = (...verbs: Verb[]) => ({ permission: permissions(FAMILIES, verbs) })

/** Returns the flow types for which the actor has at least one of the permissions. */
export function allowedTypes(actor: Actor, config: Config, ...verbs: Verb[]): FlowType[] {
  return FLOW_TYPES.filter((type) =>
    mayUse({ permission: permissions([permissionArea(type)], verbs) }, actor, config.platformType),
  )
}

export function assertAllowed(type: FlowType, allowed: FlowType[]): void {
  if (allowed.includes(type)) return
  throw new HeddleError('forbidden', `You need permission to do this with flows of type ${type}`)
}

const permissions = (families: string[], verbs: Verb[]) =>
  families.flatMap((family) => verbs.map((verb) => `${family}:${verb}`)).join(',')
