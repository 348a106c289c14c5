/** Each answer has at most one rating; a new one replaces it. */
import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { CreateFeedback, Feedback, ListFeedback, UpdateFeedback } from '#contract/chats/feedback.ts'
import { HeddleError } from '#contract/errors.ts'
import { chatMessageFeedback, chatMessages } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, ownerOfFlow, scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'

type Store = Pick<Services, 'db' | 'clock'>

const { workspaceId: _, ...answered } = getTableColumns(chatMessageFeedback)

export async function listFeedback(
  { db }: Pick<Store, 'db'>,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: ListFeedback },
): Promise<Feedback[]> {
  const { chatflowid, chatId, createdDate } = chatMessageFeedback
  const condition = and(eq(chatflowid, flowId), query.chatId ? eq(chatId, query.chatId) : undefined)
  return db
    .select(answered)
    .from(chatMessageFeedback)
    .where(scope(db, tenant).inWorkspace(chatMessageFeedback, condition))
    .orderBy(query.sortOrder === 'ASC' ? asc(createdDate) : desc(createdDate))
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
}

/** Only people in the conversation know flow, chat and message. Throws `not_found` when the three do not match. */
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
  if (!message) throw new HeddleError('not_found', 'Answer not found in this chat', { field: 'messageId' })
  const opinion = { rating: given.rating ?? null, content: given.content ?? null }
  const row = { id: crypto.randomUUID(), chatflowid, chatId, messageId, createdDate: clock.now().toISOString() }
  const [stored] = await scope(db, message)
    .insert(chatMessageFeedback, { ...row, ...opinion })
    .onConflictDoUpdate({ target: chatMessageFeedback.messageId, set: opinion })
    .returning(answered)
  return stored as Feedback
}

/** Returns the id of the flow that the feedback is on. Throws `not_found`. */
export async function flowOfFeedback({ db }: Pick<Store, 'db'>, id: string): Promise<string | undefined> {
  const { chatflowid } = chatMessageFeedback
  const [row] = await acrossWorkspaces(db, 'a caller names feedback by its id, which only its author knows')
    .select({ chatflowid })
    .from(chatMessageFeedback)
    .where(and(eq(chatMessageFeedback.id, id), isInUse(chatMessageFeedback.workspaceId)))
  return row?.chatflowid
}

/** Only the author and the workspace know the id. */
export async function changeFeedback(
  { db }: Pick<Store, 'db'>,
  { id, change }: { id: string; change: UpdateFeedback },
): Promise<Feedback> {
  const { workspaceId } = chatMessageFeedback
  const isFeedback = eq(chatMessageFeedback.id, id)
  const owner = sql<string>`(select ${workspaceId} from ${chatMessageFeedback} where ${isFeedback})`
  const [row] = await scope(db, { workspaceId: owner })
    .update(chatMessageFeedback, isFeedback, change)
    .returning(answered)
  if (!row) throw new HeddleError('not_found', `Feedback ${id} not found`)
  return row
}
