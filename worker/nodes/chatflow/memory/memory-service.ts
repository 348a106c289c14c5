/** What memories at services over HTTP have in common. */
import { isRecord } from '#contract/data/json.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { type ServiceCall, ServiceError } from '../../../providers/json-api.ts'
import { asProvider, callServiceJson } from '../../../providers/service.ts'
import type { StepContext } from '../../types.ts'

/** Returns the answer; undefined where the service does not know what is asked for (404). @throws Error without secrets */
export function askMemory(
  call: ServiceCall,
  credential: Record<string, unknown>,
  { egress, signal }: Pick<StepContext, 'egress' | 'signal'>,
): Promise<unknown> {
  return asProvider(call.service, credential, async () => {
    try {
      return (await callServiceJson(call, { egress, signal })) ?? {}
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return undefined
      throw error
    }
  })
}

const USERS: readonly unknown[] = ['user', 'human']

/** Reads stored messages, in their order. */
export function turnsIn(messages: unknown): ChatTurn[] {
  return (Array.isArray(messages) ? messages : []).filter(isRecord).flatMap(({ role, content }) => {
    const text = textOf(content)
    return text ? [{ role: USERS.includes(role) ? ('user' as const) : ('assistant' as const), content: text }] : []
  })
}
