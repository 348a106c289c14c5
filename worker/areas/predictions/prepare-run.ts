/** Prepares the run of an authorized call: everything that can be refused is refused here, with an HTTP status. */
import type { Context } from 'hono'
import { errorReport } from '#contract/errors.ts'
import { sessionOfMemory } from '#contract/flow/kinds/chatflow/session.ts'
import type { AppEnv } from '../../http/route.ts'
import { runContextQuery } from '../../runs/call-context.ts'
import { type RunContext, readRunContext } from '../../runs/context/run-context.ts'
import { completeCall, sessionOf } from '../../runs/inputs/call.ts'
import { storedStatements } from '../../runs/records/records-budget.ts'
import { openingStatements } from '../../runs/records/run-statements.ts'
import { dispatchFlowOrphans } from '../../runs/recovery/recover.ts'
import { resumeRun } from '../../runs/resume.ts'
import { createRun, type RunStart } from '../../runs/run-start.ts'
import type { Services } from '../../services.ts'
import { deriveLeadId } from '../leads/index.ts'
import { isAnonymous } from './anonymous-session.ts'
import type { LoadedCall } from './load-run-context.ts'
import { findResponder } from './responder.ts'
import { keepUploads, receiveUploads } from './uploads.ts'

/** Returns a new run, or the rest of the one that the call answers. Also recovers the flow's orphans. */
export async function prepareRun(c: Context<AppEnv>, call: LoadedCall): Promise<RunStart> {
  const services = c.get('services')
  const { body, runContext } = call
  const start = body.humanInput
    ? await resumeRun(services, runContext, { input: body.humanInput, ...(await findResponder(c, call)) })
    : await prepareNewRun(services, call)
  if (runContext.hasOrphans) {
    const dispatched = dispatchFlowOrphans(services, runContext.flow.id)
    const report = (error: unknown) => console.error('orphans could not be dispatched:', errorReport(error))
    c.executionCtx.waitUntil(dispatched.catch(report))
  }
  return start
}

async function prepareNewRun(services: Services, loaded: LoadedCall): Promise<RunStart> {
  const { body, chatType, files = [], turns, callerTools } = loaded
  const fromAnonymous = isAnonymous(loaded, services.clock.now())
  // A session that the flow names is one for all: anonymous callers have one each.
  const own = fromAnonymous ? undefined : sessionOfMemory(loaded.runContext.document)
  const { chatId, sessionId } = sessionOf(body, { session: own, chatType })
  const runContext = await ofSession(services, loaded, sessionId)
  const sent = { body, files, runContext, chatId, isAnonymous: fromAnonymous }
  const received = await receiveUploads(services, sent)
  const question = [body.question, ...received.spoken].filter(Boolean).join('\n\n')
  const completed = completeCall({ ...body, question }, runContext, chatType)
  const { uploads, fresh } = await keepUploads(services, runContext, {
    ...{ chatId, files: received.files, isAnonymous: fromAnonymous },
  })
  const call = {
    ...completed,
    ...(turns && { history: turns }),
    ...(callerTools && { callerTools }),
    ...(uploads.length > 0 && { uploads }),
  }
  const executionId = crypto.randomUUID()
  const run = createRun(services, { executionId, chatId, sessionId, call, runContext, fresh })
  const start = { ...run, lead: await readLead(body, runContext, chatId) }
  const taken = fromAnonymous ? storedStatements(services, runContext.flow, call) : []
  return { ...start, opening: [...openingStatements(services.db, start), ...taken], opensLate: true }
}

/** Reads the history again where the flow's memory names the session: which one that is shows once the flow is read. */
async function ofSession(services: Services, loaded: LoadedCall, sessionId: string): Promise<RunContext> {
  const { runContext } = loaded
  const query = runContextQuery(services, loaded)
  if (query.sessionId === sessionId || sessionOfMemory(runContext.document) !== sessionId) return runContext
  const { pastHistory, lastRun } = await readRunContext(services.db, { ...query, sessionId })
  return { ...runContext, pastHistory, ...(lastRun && { lastRun }) }
}

/** Only flows that ask their callers who they are have leads to look for. */
async function readLead({ leadEmail }: LoadedCall['body'], { flow }: LoadedCall['runContext'], chatId: string) {
  if (leadEmail) return { leadEmail }
  if (!flow.settings.leads.status) return undefined
  return { leadId: await deriveLeadId(flow, { flowId: flow.id, chatId }) }
}
