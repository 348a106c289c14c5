import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredMessage } from '#contract/chats/chatmessages.ts'
import type { SharedExecution } from '#contract/runs/executions.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { directReply, edge, node, start } from '../../e2e/support/flows.ts'
import { openScene, type Reply, type Scene } from '../areas/predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const human = node('humanInputAgentflow', 0, {
  humanInputDescriptionType: 'fixed',
  humanInputDescription: 'May I?',
  humanInputEnableFeedback: true,
})
function asking() {
  const [begin, yes, no] = [start(), directReply('yes', 0), directReply('no', 1)]
  const edges = [edge(begin, human), edge(human, yes, 0), edge(human, no, 1)]
  return scene.save({ nodes: [begin, human, yes, no], edges })
}
const approvalsOf = async (id: string) => (await scene.execution(id)).approvals

describe('a run keeps who answered, when, and what was said', () => {
  it('for a user of the workspace', async () => {
    const flowId = await asking()
    const { body: asked } = await scene.internally(flowId, { question: 'q', chatId: chatIdOf('user') })
    expect(await approvalsOf(asked.executionId)).toEqual([])
    const humanInput = { type: 'proceed', feedback: 'Go on', executionId: asked.executionId }
    const before = new Date().toISOString()
    await scene.internally(flowId, { humanInput, chatId: chatIdOf('user') })
    const [approval, ...others] = await approvalsOf(asked.executionId)
    expect(others).toEqual([])
    expect(approval).toMatchObject({
      path: 'humanInputAgentflow_0',
      toolCalls: null,
      mapping: { approve: 'Proceed', reject: 'Reject' },
      answer: { type: 'proceed', feedback: 'Go on', by: { kind: 'user', name: expect.any(String) } },
    })
    expect(approval && approval.at >= before).toBe(true)
    const { body: messages } = await scene.call<StoredMessage[]>(
      'GET',
      `/internal-chatmessage/${flowId}?chatId=${chatIdOf('user')}`,
    )
    expect(messages.map(({ execution }) => execution?.approvals)).toEqual(messages.map(() => [approval]))
    expect(messages[0]?.execution).toMatchObject({ stepCount: 3, totalTokens: 0, totalCost: null })
  })

  it('for an API key by its name, and for a caller without one', async () => {
    const { body: key } = await scene.call<{ id: string; apiKey: string }>('POST', '/apikey', {
      keyName: 'Newsroom',
      permissions: ['agentflows:view'],
    })
    const flowId = await asking()
    const headers = { authorization: `Bearer ${key.apiKey}` }
    for (const by of [{ kind: 'apiKey', id: key.id, name: 'Newsroom' }, { kind: 'caller' }]) {
      const { body: asked } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf(by.kind) })
      await scene.heddle.newClient().fetch(`/api/v1/prediction/${flowId}`, {
        method: 'POST',
        json: { chatId: chatIdOf(by.kind), humanInput: { type: 'reject', executionId: asked.executionId } },
        ...(by.id && { headers }),
      })
      expect((await approvalsOf(asked.executionId)).map(({ answer }) => answer)).toEqual([{ type: 'reject', by }])
    }
  })

  it('for a caller with the key of another workspace, who stays unnamed', async () => {
    const bob = await scene.heddle.signUp()
    const { body: key } = await scene.call<{ apiKey: string }>(
      'POST',
      '/apikey',
      { keyName: 'Of Bob', permissions: ['agentflows:view'] },
      bob,
    )
    const flowId = await asking()
    const { body: asked } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('foreign') })
    await scene.heddle.newClient().fetch(`/api/v1/prediction/${flowId}`, {
      method: 'POST',
      json: { chatId: chatIdOf('foreign'), humanInput: { type: 'proceed', executionId: asked.executionId } },
      headers: { authorization: `Bearer ${key.apiKey}` },
    })
    const [approval] = await approvalsOf(asked.executionId)
    expect(approval?.answer).toEqual({ type: 'proceed', by: { kind: 'caller' } })
    expect((await scene.call('GET', `/executions/${asked.executionId}`, undefined, bob)).status).toBe(404)
  })

  it('for a visitor of a shared run, whose comment other visitors do not see', async () => {
    const flowId = await asking()
    const { body: asked } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('shared') })
    await scene.call('PUT', `/executions/${asked.executionId}`, { isPublic: true })
    const visitor = scene.heddle.newClient()
    const said = { type: 'proceed', feedback: 'From a reader' }
    await scene.call<Reply>('POST', `/public-executions/${asked.executionId}/answer`, said, visitor)
    const [approval] = await approvalsOf(asked.executionId)
    expect(approval?.answer).toEqual({ ...said, by: { kind: 'visitor' } })
    const path = `/public-executions/${asked.executionId}`
    const { body: shared } = await scene.call<SharedExecution>('GET', path, undefined, visitor)
    expect(shared.approvals).toEqual([{ ...approval, answer: { type: 'proceed', by: { kind: 'visitor' } } }])
  })
})
