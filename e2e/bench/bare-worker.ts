/**
 * The least that could answer a prediction, to measure the product against: one read batch, one model call and one
 * write batch, through the same libraries, over the same tables, with nothing in between.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { streamText } from 'ai'
import { eq } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/client.ts'
import { apikeys, chatflows, chatMessages, credentials, executions, variables } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'

interface Env {
  LIBSQL_URL: string
  LIBSQL_AUTH_TOKEN: string
}

export interface BareRequest {
  flowId: string
  workspaceId: string
  baseUrl: string
  question: string
}

let db: Database | undefined

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method === 'GET') return new Response('pong')
    db ??= acrossWorkspaces(openDatabase(env.LIBSQL_URL, env.LIBSQL_AUTH_TOKEN), 'it measures plain queries')
    const call = (await request.json()) as BareRequest
    await read(db, call)
    const text = await ask(call)
    await write(db, call, text)
    return Response.json({ text })
  },
}

function read(db: Database, { flowId, workspaceId }: BareRequest) {
  return db.batch([
    db.select({ id: chatflows.id, version: chatflows.version }).from(chatflows).where(eq(chatflows.id, flowId)),
    db.select().from(variables).where(eq(variables.workspaceId, workspaceId)),
    db.select().from(credentials).where(eq(credentials.workspaceId, workspaceId)),
    db.select({ content: chatMessages.content }).from(chatMessages).where(eq(chatMessages.sessionId, 'none')),
    db.select({ input: executions.input }).from(executions).where(eq(executions.sessionId, 'none')),
    db.select({ id: apikeys.id }).from(apikeys).where(eq(apikeys.keyHash, 'none')),
  ])
}

async function ask({ baseUrl, question }: BareRequest): Promise<string> {
  const provider = createOpenAICompatible({ name: 'bare', baseURL: baseUrl, includeUsage: true })
  const { textStream } = streamText({ model: provider.chatModel('scripted'), prompt: question })
  let text = ''
  for await (const part of textStream) text += part
  return text
}

async function write(db: Database, { flowId, workspaceId, question }: BareRequest, text: string) {
  const executionId = crypto.randomUUID()
  const chatId = crypto.randomUUID()
  const createdDate = new Date().toISOString()
  const turn = {
    workspaceId,
    chatflowid: flowId,
    chatType: 'EXTERNAL',
    executionId,
    chatId,
    sessionId: chatId,
  } as const
  const message = { ...turn, createdDate }
  await db.batch([
    db.insert(executions).values({
      id: executionId,
      workspaceId,
      agentflowId: flowId,
      flowVersion: 1,
      sessionId: chatId,
      chatId,
      state: 'FINISHED',
      input: '{}',
      createdDate,
      updatedDate: createdDate,
    }),
    db.insert(chatMessages).values({ ...message, id: crypto.randomUUID(), role: 'userMessage', content: question }),
    db.insert(chatMessages).values({ ...message, id: crypto.randomUUID(), role: 'apiMessage', content: text }),
  ])
}
