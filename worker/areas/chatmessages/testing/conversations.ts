/** Two workspaces, and a flow of the first with chat messages. */
import { chatMessages } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle } from '#worker/local/testing/heddle.ts'

export type Conversations = Awaited<ReturnType<typeof openConversations>>

type Message = typeof chatMessages.$inferInsert

export async function openConversations() {
  const heddle = await startTestHeddle({ platformType: 'cloud' })
  const ann = await heddle.signUp()
  const bob = await heddle.signUp()
  const scene = { heddle, ann, bob, flow: { id: '', workspaceId: '' }, openFlow, message, close: () => heddle.close() }
  return scene

  /** Creates another flow of Ann's, which becomes `flow`. */
  async function openFlow(): Promise<void> {
    const flowData = JSON.stringify({ nodes: [], edges: [] })
    scene.flow = (
      await call(ann, 'POST', '/chatflows', { name: 'F', flowData, type: 'AGENTFLOW', callers: 'everyone' })
    ).body
  }

  /** Inserts a message of the flow and returns its id. */
  async function message(more: Partial<Message> & Pick<Message, 'role' | 'content' | 'chatType'>): Promise<string> {
    const id = crypto.randomUUID()
    await heddle.database.insert(chatMessages).values({
      id,
      workspaceId: scene.flow.workspaceId,
      chatflowid: scene.flow.id,
      chatId: 'c1',
      sessionId: 's1',
      createdDate: '2026-01-01T00:00:00.000Z',
      ...more,
    })
    return more.id ?? id
  }
}
