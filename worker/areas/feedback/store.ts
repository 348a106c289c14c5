/** One opinion on each answer of a flow; a second one takes the place of the first. */
import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { CreateFeedback, Feedback, ListFeedback, UpdateFeedback } from '#contract/feedback.ts'
import { chatMessageFeedback, chatMessages } from '#db/schema/index.ts'
import { ownerOfFlow, scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'

type Store = Pick<Services, 'db' | 'clock'>

const { workspaceId: _, ...answered } = getTableColumns(chatMessageFeedback)

export async function listFeedback(
  { db }: Pick<Store, 'db'>,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: ListFeedback },
): Promise<Feedback[]> {
  const { chatflowid, chatId, createdDate } = chatMessageFeedback
  const isMeant = and(eq(chatflowid, flowId), query.chatId ? eq(chatId, query.chatId) : undefined)
  return db
    .select(answered)
    .from(chatMessageFeedback)
    .where(scope(db, tenant).inWorkspace(chatMessageFeedback, isMeant))
    .orderBy(query.sortOrder === 'ASC' ? asc(createdDate) : desc(createdDate))
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
}

/** Whoever names flow, chat and message together was in the conversation. Throws `not_found` when they do not belong together. */
export async function giveFeedback({ db, clock }: Store, given: CreateFeedback): Promise<Feedback> {
  const { chatflowid, chatId, messageId } = given
  const isAnswer = and(
    eq(chatMessages.id, messageId),
    eq(chatMessages.chatflowid, chatflowid),
    eq(chatMessages.chatId, chatId),
    eq(chatMessages.role, 'apiMessage'),
  )
  const [message] = await db
    .select({ workspaceId: chatMessages.workspaceId })
    .from(chatMessages)
    .where(scope(db, ownerOfFlow(chatflowid)).inWorkspace(chatMessages, isAnswer))
  if (!message) throw new HeddleError('not_found', 'This chat has no such answer', { field: 'messageId' })
  const opinion = { rating: given.rating ?? null, content: given.content ?? null }
  const row = { id: crypto.randomUUID(), chatflowid, chatId, messageId, createdDate: clock.now().toISOString() }
  const [stored] = await scope(db, message)
    .insert(chatMessageFeedback, { ...row, ...opinion })
    .onConflictDoUpdate({ target: chatMessageFeedback.messageId, set: opinion })
    .returning(answered)
  return stored as Feedback
}

/** The id was told to nobody but who gave the feedback, and to the workspace. */
export async function changeFeedback(
  { db }: Pick<Store, 'db'>,
  { id, change }: { id: string; change: UpdateFeedback },
): Promise<Feedback> {
  const { workspaceId } = chatMessageFeedback
  const isIt = eq(chatMessageFeedback.id, id)
  const owner = sql<string>`(select ${workspaceId} from ${chatMessageFeedback} where ${isIt})`
  const [row] = await scope(db, { workspaceId: owner }).update(chatMessageFeedback, isIt, change).returning(answered)
  if (!row) throw new HeddleError('not_found', `Feedback ${id} not found`)
  return row
}
