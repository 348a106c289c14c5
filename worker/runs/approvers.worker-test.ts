// @defends caller-approves-own
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatflows, organizationMembers, roles, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { directReply, edge, node, start } from '../../e2e/support/flows.ts'
import { openScene, type Scene } from '../areas/predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

function asking(approvers?: string) {
  const human = node('humanInputAgentflow', 0, {
    humanInputDescriptionType: 'fixed',
    humanInputDescription: 'May I pay?',
    ...(approvers && { humanInputApprovers: approvers, humanInputApproverRole: 'Finance' }),
  })
  const [begin, yes, no] = [start(), directReply('PAID', 0), directReply('no', 1)]
  return scene.save({
    nodes: [begin, human, yes, no],
    edges: [edge(begin, human), edge(human, yes, 0), edge(human, no, 1)],
  })
}

async function waiting(approvers?: string) {
  const flowId = await asking(approvers)
  const { body: asked } = await scene.ask(flowId, { question: 'q' })
  return { flowId, asked, chatId: asked.chatId, humanInput: { type: 'proceed', executionId: asked.executionId } }
}

type Question = Awaited<ReturnType<typeof waiting>>

async function withKey(permissions: string[], flowIds?: string[]) {
  const body = { keyName: `K ${permissions} ${flowIds}`, permissions, ...(flowIds && { flowIds }) }
  const { body: key } = await scene.call<{ apiKey: string }>('POST', '/apikey', body)
  return (flowId: string, json: object) =>
    scene.heddle.fetch(`/api/v1/prediction/${flowId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
}

const FOR_MEMBERS = {
  message:
    'This question is for members of its workspace, who answer it under Executions. The run continues after they answer.',
}

describe('a question for members', () => {
  it('is not answered by the anonymous caller who asked, and nothing runs', async () => {
    const { flowId, asked, chatId, humanInput } = await waiting('members')
    expect(asked.text).toBe('May I pay?\n\nWaiting for the team to approve.')
    expect(asked.action).toMatchObject({ elements: [], data: { input: { approvers: 'members' } } })
    const named = { ...humanInput, actionId: asked.action?.id, startNodeId: 'humanInputAgentflow_0' }
    for (const given of [
      { type: 'proceed' },
      humanInput,
      named,
      { ...named, approvers: 'caller', by: { kind: 'user' } },
    ]) {
      expect(await scene.ask(flowId, { chatId, humanInput: given })).toMatchObject({ status: 403, body: FOR_MEMBERS })
    }
    const row = await scene.row(asked.executionId)
    expect(row.state).toBe('STOPPED')
    expect(JSON.stringify(await scene.traceOf(asked.executionId))).not.toContain('PAID')
  })

  it('tells a streaming client who is waited for, without buttons', async () => {
    const flowId = await asking('members')
    const events = await scene.stream(`/prediction/${flowId}`, { question: 'q' })
    const spoken = events.filter(({ event }) => event === 'token').map(({ data }) => data)
    expect(spoken.join('')).toMatch(/May I pay\?\n\nWaiting for the team to approve\.$/)
    expect(events.find(({ event }) => event === 'action')?.data).toMatchObject({ elements: [] })
  })

  it('is not answered by a visitor of the shared run', async () => {
    const { asked } = await waiting('members')
    await scene.call('PUT', `/executions/${asked.executionId}`, { isPublic: true })
    const visitor = scene.heddle.newClient()
    const path = `/public-executions/${asked.executionId}/answer`
    const reply = await scene.call('POST', path, { type: 'proceed' }, visitor)
    expect(reply).toMatchObject({ status: 403, body: FOR_MEMBERS })
    expect((await scene.row(asked.executionId)).state).toBe('STOPPED')
  })

  it('is not answered with a key that may only run the flow', async () => {
    const { flowId, chatId, humanInput } = await waiting('members')
    const call = await withKey(['variables:view'], [flowId])
    expect((await call(flowId, { chatId, humanInput })).status).toBe(403)
  })

  it('is answered with a key of the workspace that may view the flow', async () => {
    const { flowId, chatId, humanInput } = await waiting('members')
    const call = await withKey(['agentflows:view'])
    expect(await (await call(flowId, { chatId, humanInput })).json()).toMatchObject({ text: 'PAID' })
  })

  it('is answered by a member, and the run of the caller goes on', async () => {
    const { flowId, asked, humanInput } = await waiting('members')
    const { body } = await scene.internally(flowId, { chatId: asked.chatId, humanInput })
    expect(body.text).toBe('PAID')
    expect((await scene.row(asked.executionId)).state).toBe('FINISHED')
  })
})

it('a question of a Human Input step that does not say it is for the caller', async () => {
  const { flowId, asked, chatId, humanInput } = await waiting()
  expect(asked.text).toBe('May I pay?')
  expect(asked.action?.elements).toHaveLength(2)
  expect((await scene.ask(flowId, { chatId, humanInput })).body.text).toBe('PAID')
})

it('a tool that requires approval asks members, in flows that do not say who', async () => {
  const agent = node('agentAgentflow', 0, {
    agentModel: 'chatOpenAICustom',
    agentModelConfig: { agentModel: 'chatOpenAICustom', modelName: 'scripted', basepath: scene.model.baseUrl },
    agentTools: [{ agentSelectedTool: 'calculator', agentSelectedToolRequiresHumanInput: true }],
  })
  scene.model.reply({ toolCalls: [{ name: 'calculator', arguments: { input: '1+1' } }] })
  const begin = start()
  const flowId = await scene.save({ nodes: [begin, agent], edges: [edge(begin, agent)] })
  const { body: asked } = await scene.ask(flowId, { question: 'q' })
  expect(asked.action?.data.input).toMatchObject({ approvers: 'members' })
  const humanInput = { type: 'proceed', executionId: asked.executionId }
  expect((await scene.ask(flowId, { chatId: asked.chatId, humanInput })).status).toBe(403)
})

describe('a question for a role', () => {
  it('is answered by people with it and by admins, not by other members or keys', async () => {
    const { database } = scene.heddle
    const [flow] = await database.select().from(chatflows).limit(1)
    const workspaceId = flow?.workspaceId ?? ''
    const [workspace] = await database.select().from(workspaces).where(eq(workspaces.id, workspaceId))
    const organizationId = workspace?.organizationId ?? ''
    const [member] = await database
      .select()
      .from(organizationMembers)
      .innerJoin(users, eq(users.id, organizationMembers.userId))
      .where(eq(organizationMembers.organizationId, organizationId))
    const userId = member?.users.id ?? ''

    const byKey = await withKey(['agentflows:view'])
    const questions = [await waiting('role'), await waiting('role'), await waiting('role')]
    const [first, second, third] = questions as [Question, Question, Question]
    expect(first.asked.text).toMatch(/Waiting for Finance to approve\.$/)
    const answered = { chatId: first.chatId, humanInput: first.humanInput }
    expect((await byKey(first.flowId, answered)).status).toBe(403)
    expect((await scene.internally(first.flowId, answered)).body.text).toBe('PAID')

    const roleId = crypto.randomUUID()
    const role = { id: roleId, organizationId, name: 'Clerk', permissions: ['agentflows:view'] }
    await database.insert(roles).values({ ...role, createdDate: new Date().toISOString() })
    await database.delete(workspaceMembers).where(eq(workspaceMembers.userId, userId))
    await database.insert(workspaceMembers).values({ workspaceId, userId, roleId })
    await database.update(organizationMembers).set({ isAdmin: false }).where(eq(organizationMembers.userId, userId))
    const answer = ({ flowId, chatId, humanInput }: Question) => scene.internally(flowId, { chatId, humanInput })
    expect(await answer(second)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('the role Finance') },
    })
    await database.update(roles).set({ name: 'Finance' }).where(eq(roles.id, roleId))
    expect((await answer(second)).body.text).toBe('PAID')
    await database
      .update(roles)
      .set({ name: 'Accounting', formerNames: ['Finance'] })
      .where(eq(roles.id, roleId))
    expect((await answer(third)).body.text).toBe('PAID')
  })
})
