/** The sessions of a flow's conversations, newest first, each page in one query. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  type ChatSession,
  type ListChatSessions,
  MAX_QUESTION,
  type SelectChatSessions,
} from '#contract/chats/chat-sessions.ts'
import type { Database } from '#db/client.ts'
import { excerptOf } from '#db/long-text.ts'
import { chatflows, chatMessageFeedback, chatMessages, leads } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { deleteWhere, matching, selected } from './store.ts'

interface SessionRow extends Omit<ChatSession, 'lead'> {
  lead: string | null
  total: number
}

/**
 * Returns a page of a flow's sessions. Without a filter on texts, an index alone answers, so long texts cost nothing.
 */
export async function listSessions(
  db: Database,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: ListChatSessions },
): Promise<{ data: ChatSession[]; total: number }> {
  const rows = await db.all<SessionRow>(sessionPage(db, tenant, { flowId, query }))
  // A page behind the last one has no row that could say the total.
  if (rows.length === 0 && query.page > 1)
    return {
      data: [],
      total: (await listSessions(db, tenant, { flowId, query: { ...query, page: 1, limit: 1 } })).total,
    }
  return {
    data: rows.map(({ total: _, lead, ...row }) => ({ ...row, lead: lead === null ? null : JSON.parse(lead) })),
    total: rows[0]?.total ?? 0,
  }
}

function sessionPage(
  db: Database,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: ListChatSessions },
): SQL {
  const flow = ownedFlow(db, tenant, flowId)
  const ofSession = sql`${chatMessages.chatflowid} = ${flow} and ${chatMessages.sessionId} = found.session_id`
  const newest = sql`order by ${chatMessages.createdDate} desc, ${chatMessages.id} desc limit 1`
  const oldest = sql`order by ${chatMessages.createdDate}, ${chatMessages.id} limit 1`
  const of = (column: SQL, end: SQL, condition = sql`1`) =>
    sql`(select ${column} from ${chatMessages} where ${ofSession} and ${condition} ${end})`
  const rated = (rating: 'THUMBS_UP' | 'THUMBS_DOWN') => sql`(
    select count(*) from ${chatMessages} join ${chatMessageFeedback}
      on ${chatMessageFeedback.messageId} = ${chatMessages.id}
    where ${ofSession} and ${chatMessageFeedback.rating} = ${rating}
  )`
  const asks = sql`${chatMessages.role} = 'userMessage'`
  return sql`
    with found(session_id, matched, total) as materialized (
      select ${chatMessages.sessionId}, max(${chatMessages.createdDate}), count(*) over ()
      from ${chatMessages} where ${and(sql`${chatMessages.chatflowid} = ${flow}`, matching(query))}
      group by ${chatMessages.sessionId} order by 2 desc, 1 limit ${query.limit} offset ${(query.page - 1) * query.limit}
    ), session as materialized (
      select found.*, ${of(sql`${chatMessages.chatId}`, newest)} as chat_id from found
    ), contact(chat_id, lead, newest) as materialized (
      select ${leads.chatId}, json_object('name', ${leads.name}, 'email', ${leads.email}, 'phone', ${leads.phone}),
        max(${leads.createdDate})
      from ${leads} where ${leads.chatflowid} = ${flow} and ${leads.chatId} in (select chat_id from session)
      group by ${leads.chatId}
    )
    select found.session_id as sessionId, found.total as total, found.chat_id as chatId, contact.lead as lead,
      ${of(sql`${chatMessages.chatType}`, newest)} as chatType,
      ${of(excerptOf(chatMessages.content, MAX_QUESTION), oldest, asks)} as question,
      ${of(sql`count(*)`, sql``)} as messageCount,
      ${rated('THUMBS_UP')} as positiveFeedback, ${rated('THUMBS_DOWN')} as negativeFeedback,
      ${of(sql`${chatMessages.createdDate}`, oldest)} as firstDate,
      ${of(sql`${chatMessages.createdDate}`, newest)} as lastDate
    from session as found left join contact on contact.chat_id = found.chat_id
    order by found.matched desc, found.session_id`
}

/** Deletes every session of which a message matches, whole. */
export async function deleteSessions(
  db: Database,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: SelectChatSessions },
) {
  const ids = sql`(select ${chatMessages.sessionId} from ${chatMessages} where ${selected(flowId, query)})`
  const condition = and(eq(chatMessages.chatflowid, flowId), sql`${chatMessages.sessionId} in ${ids}`)
  return deleteWhere(db, tenant, { flowId, condition })
}

/** The flow's id, in its workspace only: conditions on messages by it need no more than their index. */
function ownedFlow(db: Database, tenant: Tenant, flowId: string): SQL {
  return sql`(select ${chatflows.id} from ${chatflows} where ${scope(db, tenant).foundInWorkspace(chatflows, eq(chatflows.id, flowId))})`
}
