/** The messages of a flow as a file, read and sent piece by piece: its size is limited by nothing. */
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { ExportMessages } from '#contract/chats/chat-sessions.ts'
import type { StoredMessage } from '#contract/chats/chatmessages.ts'
import { csvLine } from '#contract/data/csv.ts'
import { storedUploads } from '#contract/predictions/uploads.ts'
import type { Database } from '#db/client.ts'
import { chatMessageFeedback, chatMessages } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { streamFile } from '../../http/stream-file.ts'
import { selected } from './store.ts'

/** Messages of one query. */
const PAGE = 500

/** Flowise's names of the places that a message came from. */
const SOURCES: Record<StoredMessage['chatType'], string> = {
  INTERNAL: 'UI',
  EXTERNAL: 'API/Embed',
  EVALUATION: 'Evaluation',
  SCHEDULED: 'Schedule',
  WEBHOOK: 'Webhook',
}

const CSV_HEADER = ['Session', 'Chat', 'Source', 'Email', 'Time', 'Role', 'Message', 'Rating', 'Feedback', 'Run']

interface Message extends Omit<typeof chatMessages.$inferSelect, 'workspaceId'> {
  rating: string | null
  opinion: string | null
  /** Where the row is in the table: messages of one moment follow each other as they were stored. */
  row: number
}

/** Makes the pieces of a file from messages that come in order, session by session. */
interface Format {
  type: string
  begin: string
  piece(message: Message, before: Message | undefined): string
  end(last: Message | undefined): string
}

/** Sessions follow each other in the order of their ids, and messages by their time: as the index has them. */
export function exportMessages(db: Database, tenant: Tenant, asked: ExportMessages): Response {
  const format = FORMATS[asked.format]
  const pieces = writeFile(format, (after) => readMessages(db, tenant, { asked, after }))
  return streamFile({ name: `${asked.chatflowId}-Message.${asked.format}`, type: format.type, pieces })
}

async function* writeFile(format: Format, read: (after: Message | undefined) => Promise<Message[]>) {
  yield format.begin
  let last: Message | undefined
  for (;;) {
    const page = await read(last)
    let text = ''
    for (const message of page) {
      text += format.piece(message, last)
      last = message
    }
    if (text !== '') yield text
    if (page.length < PAGE) break
  }
  yield format.end(last)
}

function readMessages(
  db: Database,
  tenant: Tenant,
  { asked, after }: { asked: ExportMessages; after: Message | undefined },
): Promise<Message[]> {
  const { workspaceId: _, ...columns } = getTableColumns(chatMessages)
  const { sessionId, createdDate } = chatMessages
  const row = sql<number>`${chatMessages}.rowid`
  const further =
    after && sql`(${sessionId}, ${createdDate}, ${row}) > (${after.sessionId}, ${after.createdDate}, ${after.row})`
  const { rating, content } = chatMessageFeedback
  return db
    .select({ ...columns, rating, opinion: content, row })
    .from(chatMessages)
    .leftJoin(chatMessageFeedback, eq(chatMessageFeedback.messageId, chatMessages.id))
    .where(scope(db, tenant).foundInWorkspace(chatMessages, and(selected(asked.chatflowId, asked), further)))
    .orderBy(sessionId, createdDate, row)
    .limit(PAGE)
}

const json: Format = {
  type: 'application/json',
  begin: '[',
  piece(message, before) {
    if (before && isSameSession(before, message)) return `,${JSON.stringify(exportedMessage(message))}`
    const session = {
      id: message.chatId,
      source: SOURCES[message.chatType],
      sessionId: message.sessionId,
      memoryType: message.memoryType,
      email: message.leadEmail,
    }
    const head = JSON.stringify(session).slice(0, -1)
    return `${before ? ']},' : ''}${head},"messages":[${JSON.stringify(exportedMessage(message))}`
  },
  end: (last) => (last ? ']}]' : ']'),
}

const csv: Format = {
  type: 'text/csv; charset=utf-8',
  // The mark by which spreadsheets know that this is UTF-8.
  begin: `\uFEFF${csvLine(CSV_HEADER)}`,
  piece: (message) =>
    csvLine([
      message.sessionId,
      message.chatId,
      SOURCES[message.chatType],
      message.leadEmail,
      message.createdDate,
      roleOf(message),
      message.content,
      message.rating,
      message.opinion,
      message.executionId,
    ]),
  end: () => '',
}

const FORMATS: Record<ExportMessages['format'], Format> = { json, csv }

const isSameSession = (one: Message, other: Message) =>
  one.sessionId === other.sessionId && one.chatId === other.chatId && one.memoryType === other.memoryType

const roleOf = ({ role }: Message) => (role === 'apiMessage' ? 'bot' : 'user')

/** A message in Flowise's shape. Undefined fields are left out. */
function exportedMessage(message: Message) {
  const files = storedUploads(parsed(message.fileUploads)).map(
    ({ name }) => `${message.chatflowid}/${message.chatId}/${name}`,
  )
  return {
    content: message.content,
    role: roleOf(message),
    time: message.createdDate,
    filePaths: files.length > 0 ? files : undefined,
    sourceDocuments: parsed(message.sourceDocuments),
    usedTools: parsed(message.usedTools),
    fileAnnotations: parsed(message.fileAnnotations),
    feedback: message.opinion ?? undefined,
    agentReasoning: parsed(message.agentReasoning),
    artifacts: parsed(message.artifacts),
  }
}

const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text))
