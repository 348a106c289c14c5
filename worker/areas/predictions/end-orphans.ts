/** The minute job that leaves no run hanging: runs whose worker is gone are taken up where they stopped, or ended with a reason. */
import { errorMessage } from '#contract/errors.ts'
import type { RunOutcome } from '../../engine/types.ts'
import type { Services } from '../../services.ts'
import { claimOrphans, MAX_ATTEMPTS, type Orphan, openRunRecord } from '../executions/index.ts'
import type { StoredCall } from './call.ts'
import { readGround } from './ground.ts'
import { answerStatements } from './rows.ts'
import { type RunStart, runFlow } from './run-flow.ts'

/** Resolves when every run that was taken up has ended. */
export async function endOrphans(services: Services): Promise<void> {
  const orphans = await claimOrphans(services.db, services.clock.now())
  await Promise.all(orphans.map((orphan) => endOrphan(services, orphan)))
}

async function endOrphan(services: Services, orphan: Orphan): Promise<void> {
  try {
    const start = await startOf(services, orphan)
    const reason = reasonToGiveUp(orphan, start)
    if (reason) await giveUp(services, start, reason)
    else await runFlow(services, start, () => {})
  } catch (thrown) {
    console.error(`run ${orphan.id} could not be taken up:`, errorMessage(thrown))
  }
}

async function startOf({ db }: Services, orphan: Orphan): Promise<RunStart> {
  const ground = await readGround(db, {
    flowId: orphan.agentflowId,
    tenant: orphan,
    sessionId: orphan.sessionId,
    exceptExecutionId: orphan.id,
  })
  return {
    executionId: orphan.id,
    chatId: orphan.chatId,
    sessionId: orphan.sessionId,
    call: JSON.parse(orphan.input) as StoredCall,
    ground,
    lease: orphan.lease,
    startedAt: new Date(orphan.createdDate),
    done: orphan.steps,
  }
}

function reasonToGiveUp(orphan: Orphan, { ground }: RunStart): string | undefined {
  if (orphan.attempts > MAX_ATTEMPTS) {
    return `This run was interrupted ${MAX_ATTEMPTS} times, so it was given up. Send the question again.`
  }
  if (orphan.flowVersion !== ground.flow.version) {
    return 'This run was interrupted, and its flow was changed before it could go on. Send the question again.'
  }
  return undefined
}

async function giveUp(services: Services, start: RunStart, error: string): Promise<void> {
  const { db, clock } = services
  const nothing = () => {}
  const record = openRunRecord({
    db,
    clock,
    executionId: start.executionId,
    lease: start.lease,
    onStop: nothing,
    onLost: nothing,
  })
  const trace = (start.done ?? []).map(({ item }) => item)
  const outcome: RunOutcome = { state: 'ERROR', text: '', trace, error, flowState: {}, totalTokens: 0, totalCost: null }
  try {
    await record.write(answerStatements(services, start, outcome))
  } finally {
    record.close()
  }
}
