/** Resolves the flow, the version and the session of a call. */
import type { Prediction } from '#contract/predictions/predictions.ts'
import type { Services } from '../services.ts'
import type { RunContextQuery } from './context/run-context-queries.ts'
import { type ChatType, sessionOf } from './inputs/call.ts'
import { waitingRunQuery } from './resume.ts'

/** Callers from outside get the published version. */
export function runContextQuery(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { flowId, body, chatType }: { flowId: string; body: Prediction; chatType: ChatType },
): RunContextQuery {
  const orphansAt = clock.now()
  if (body.humanInput) {
    return { flowId, version: 'own', run: waitingRunQuery(db, flowId, { body, chatType }), orphansAt }
  }
  const { isKnown, sessionId } = sessionOf(body)
  const version = chatType === 'INTERNAL' ? 'draft' : 'published'
  const isInternal = chatType === 'INTERNAL' ? 1 : 0
  return { flowId, version, sessionId: isKnown ? sessionId : undefined, isInternal, orphansAt }
}
