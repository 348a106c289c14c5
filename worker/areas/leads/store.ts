/** One lead for each chat: what a visitor sends again replaces it. */
import { and, asc, desc, eq, getTableColumns } from 'drizzle-orm'
import { readChatbotSettings } from '#contract/chatflows/chatbot-config.ts'
import type { CreateLead, Lead, ListLeads } from '#contract/chats/leads.ts'
import { HeddleError } from '#contract/errors.ts'
import { leads } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { deterministicId } from '../../runs/deterministic-id.ts'
import { assertRecordsLeft, readRecordsUse, storedStatements } from '../../runs/records/records-budget.ts'
import type { Services } from '../../services.ts'

type Store = Pick<Services, 'db' | 'clock' | 'config'>

const { workspaceId: _, ...answered } = getTableColumns(leads)

/** Newest first by default. */
export async function listLeads(
  { db }: Pick<Store, 'db'>,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: ListLeads },
): Promise<Lead[]> {
  const condition = and(eq(leads.chatflowid, flowId), query.chatId ? eq(leads.chatId, query.chatId) : undefined)
  return db
    .select(answered)
    .from(leads)
    .where(scope(db, tenant).inWorkspace(leads, condition))
    .orderBy(query.sortOrder === 'ASC' ? asc(leads.createdDate) : desc(leads.createdDate))
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
}

/**
 * Stores the fields that the flow asks for. Throws `bad_request` when it asks for none of those given, and for anonymous
 * callers `rate_limited` or `too_large` when the workspace has no room for what they leave.
 */
export async function leaveLead(
  services: Store,
  flow: Tenant & { chatbotConfig: string | null },
  { given, isAnonymous }: { given: CreateLead; isAnonymous: boolean },
): Promise<Lead> {
  const { db, clock } = services
  const asked = readChatbotSettings(flow.chatbotConfig).leads
  if (!asked.status) throw refusal('chatflowid', 'This flow does not ask who its callers are')
  const { chatflowid, chatId } = given
  const fields = {
    name: asked.name ? (given.name ?? null) : null,
    email: asked.email ? (given.email ?? null) : null,
    phone: asked.phone ? (given.phone ?? null) : null,
  }
  if (Object.values(fields).every((value) => value === null)) {
    throw refusal('email', 'Fill in at least one of the fields that this flow asks for')
  }
  const id = await deriveLeadId(flow, { flowId: chatflowid, chatId })
  if (isAnonymous) assertRecordsLeft(services, await readRecordsUse(services, flow))
  const lead = { id, chatflowid, chatId, ...fields, createdDate: clock.now().toISOString() }
  const insert = scope(db, flow)
    .insert(leads, lead)
    .onConflictDoUpdate({ target: leads.id, set: fields })
    .returning(answered)
  const [[stored]] = await db.batch([insert, ...(isAnonymous ? storedStatements(services, flow, lead) : [])])
  return stored as Lead
}

const refusal = (field: string, message: string) => new HeddleError('bad_request', message, { field })

/** Returns the id of the lead of a chat, whether there is one or not. */
export const deriveLeadId = (flow: Tenant, { flowId, chatId }: { flowId: string; chatId: string }): Promise<string> =>
  deterministicId(flow, `lead ${flowId} ${chatId}`)
