/** The status of a delivery for its sender, under its status URL and in callbacks. */
import { and, desc, eq, sql } from 'drizzle-orm'
import type { PredictionAnswer } from '#contract/predictions/predictions.ts'
import type { DeliveryStatus } from '#contract/triggers/index.ts'
import { withinAnswer } from '#db/long-answer.ts'
import { chatMessages, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../services.ts'
import { type ExecutionOutline, readExecutionAsCaller } from '../../executions/index.ts'
import type { DeliveryRow } from '../rows.ts'
import { isAt } from './find-webhook.ts'

export async function readDeliveryStatus({ db }: Pick<Services, 'db'>, delivery: DeliveryRow): Promise<DeliveryStatus> {
  const { executionId, payload } = delivery
  const [run, messages] =
    executionId === null
      ? [undefined, []]
      : await Promise.all([findExecution(db, delivery, executionId), readMessages(db, delivery, executionId)])
  const chatId = run?.chatId ?? payload?.chatId ?? null
  if (delivery.state === 'queued' || delivery.state === 'running') return { status: 'PROCESSING', chatId }
  if (delivery.state !== 'succeeded') return { status: 'ERROR', chatId, error: delivery.reason ?? 'The run failed' }
  if (!run) return { status: 'ERROR', chatId, error: 'The result of this run was deleted' }
  return { chatId, ...runStatus(run, messages) }
}

type Message = { id: string; role: 'userMessage' | 'apiMessage'; content: string }

/** Reads the run, because a run that waited for a person may have continued after the delivery ended. */
function runStatus(run: ExecutionOutline, messages: Message[]) {
  const lastOf = (role: Message['role']) => messages.find((message) => message.role === role)
  const answer = lastOf('apiMessage')
  const text = answer?.content ?? ''
  switch (run.state) {
    case 'INPROGRESS':
      return { status: 'PROCESSING' } as const
    case 'STOPPED':
      return {
        status: 'STOPPED',
        data: { text, executionId: run.id, action: JSON.parse(run.action ?? 'null') },
      } as const
    case 'FINISHED': {
      const data: PredictionAnswer = {
        text,
        question: lastOf('userMessage')?.content ?? '',
        chatId: run.chatId,
        chatMessageId: answer?.id ?? '',
        executionId: run.id,
        sessionId: run.sessionId,
        agentFlowExecutedData: JSON.parse(run.executionData),
      }
      return { status: 'SUCCESS', data } as const
    }
    default:
      return { status: 'ERROR', error: run.error ?? 'The run was stopped' } as const
  }
}

async function findExecution(
  db: Services['db'],
  delivery: DeliveryRow,
  id: string,
): Promise<ExecutionOutline | undefined> {
  return readExecutionAsCaller(db, delivery, id).catch(() => undefined)
}

function readMessages(db: Services['db'], delivery: DeliveryRow, executionId: string): Promise<Message[]> {
  const order = [desc(chatMessages.createdDate), desc(sql`rowid`)]
  const { id, role, content } = chatMessages
  return db
    .select({ id, role, ...withinAnswer({ content }, { order: sql.join(order, sql`, `) }) })
    .from(chatMessages)
    .where(scope(db, delivery).inWorkspace(chatMessages, eq(chatMessages.executionId, executionId)))
    .orderBy(...order)
}

/** Finds an accepted delivery of this address. Both ids are needed to read it. */
export async function findDelivery(
  { db }: Pick<Services, 'db'>,
  { address, deliveryId }: { address: string; deliveryId: string },
): Promise<DeliveryRow | undefined> {
  const [row] = await acrossWorkspaces(db, 'anybody with both ids may ask for a delivery at its public address')
    .select({ delivery: triggerDeliveries })
    .from(triggerDeliveries)
    .innerJoin(triggers, eq(triggers.id, triggerDeliveries.triggerId))
    .where(
      and(
        eq(triggerDeliveries.id, deliveryId),
        eq(triggerDeliveries.source, 'webhook'),
        isAt(address),
        isInUse(triggerDeliveries.workspaceId),
      ),
    )
  return row && row.delivery.payload !== null ? row.delivery : undefined
}

/** Returns the delivery that started a run. */
export async function readDelivery(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  executionId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await scope(db, tenant)
    .select(triggerDeliveries, eq(triggerDeliveries.executionId, executionId))
    .limit(1)
  return row
}
