/** Unsigned webhooks may be called by anybody, so what they leave in the database is taken from the budget of such calls. */
import type { RunOutcome } from '../../engine/types.ts'
import { runStatements, storedStatements } from '../../runs/records/records-budget.ts'
import type { Statement } from '../../runs/records/run-record.ts'
import type { RunStart } from '../../runs/run-start.ts'
import type { Services } from '../../services.ts'
import type { TriggerRow } from './rows.ts'

export const isUnsigned = ({ settings }: Pick<TriggerRow, 'settings'>): boolean =>
  settings.kind === 'webhook' && settings.signature === 'none'

type Called = Pick<TriggerRow, 'settings' | 'workspaceId'>

/** Returns the statements that take the bytes of a delivery. They belong in the batch that stores it. */
export const deliveryRecords = (services: Services, trigger: Called, payload: unknown): Statement[] =>
  isUnsigned(trigger) ? storedStatements(services, trigger, payload) : []

/** Returns the statements that take the bytes of a delivery's run. They belong in the batch of its end. */
export const runRecords = (
  services: Services,
  trigger: Called,
  { executionId, startedAt: since }: Pick<RunStart, 'executionId' | 'startedAt'>,
  { text: answer }: Pick<RunOutcome, 'text'>,
): Statement[] => (isUnsigned(trigger) ? runStatements(services, trigger, { executionId, answer, since }) : [])
