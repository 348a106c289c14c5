// @defends questions-flood-people
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emails, executions, organizationMembers, rateLimits, roles } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { APP_URL, startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { readEmails } from '#worker/local/testing/outbox.ts'
import { directReply, edge, node, start } from '../../../e2e/support/flows.ts'
import { startTeam, type Team } from '../users/testing/team.ts'

const MAY_ANSWER = ['executions:view', 'agentflows:view']

let heddle: TestHeddle
let team: Team
beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
})
afterAll(() => heddle.close())
beforeEach(async () => {
  await heddle.database.delete(emails)
  await heddle.database.update(executions).set({ announcedDate: 'before' })
  team = await startTeam(heddle)
})

/** Saves a flow of the team that asks, and answers `done`. */
async function saveFlow(approvers: string, name = 'Payments'): Promise<string> {
  const human = node('humanInputAgentflow', 0, {
    humanInputDescriptionType: 'fixed',
    humanInputDescription: 'May I pay {{ question }}?',
    humanInputApprovers: approvers,
    humanInputApproverRole: 'Finance',
  })
  const [begin, yes, no] = [start(), directReply('done', 0), directReply('no', 1)]
  const flow = { nodes: [begin, human, yes, no], edges: [edge(begin, human), edge(human, yes, 0), edge(human, no, 1)] }
  const body = { name, flowData: JSON.stringify(flow), type: 'AGENTFLOW', callers: 'everyone' }
  return ((await team.ada.call('POST', '/chatflows', body)).body as { id: string }).id
}

/** Asks as an anonymous caller, and returns the run that waits. */
async function ask(flowId: string): Promise<string> {
  const asked = await call(heddle.newClient(), 'POST', `/prediction/${flowId}`, { question: 'http://evil.example' })
  return (asked.body as { executionId: string }).executionId
}

const minutesOn = (minutes: number) => new Date(Date.now() + minutes * 60_000)

/** Runs the minute jobs, and then those of the next minute, which send what the first have queued. */
async function runMinutes(from = 2): Promise<void> {
  await heddle.scheduled(minutesOn(from))
  await heddle.scheduled(minutesOn(from + 1))
}

const SUBJECT = / for your answer$/
const sentTo = ({ email }: { email: string }) =>
  readEmails(heddle.outbox).filter(({ to, subject }) => to === email && SUBJECT.test(subject))

describe('a question for members', () => {
  it('is announced once to each of those who may answer, with a link to the run and without what the caller wrote', async () => {
    const bo = await team.join({ workspace: MAY_ANSWER })
    const viewerOfRuns = await team.join({ workspace: ['executions:view'] })
    const viewerOfFlows = await team.join({ workspace: ['agentflows:view'] })
    const stranger = await startTeam(heddle)
    const id = await ask(await saveFlow('members'))
    await Promise.all([heddle.scheduled(minutesOn(2)), heddle.scheduled(minutesOn(2))])
    await runMinutes(3)
    for (const person of [team.ada, bo]) {
      const [email, ...more] = sentTo(person)
      expect(more).toEqual([])
      expect(email?.subject).toBe('A run waits for your answer')
      expect(email?.text).toContain(`${APP_URL}/executions/${id}\n`)
      expect(email?.text).toContain('Flow: Payments')
      expect(email?.text).not.toContain('evil')
    }
    for (const person of [viewerOfRuns, viewerOfFlows, stranger.ada]) expect(sentTo(person)).toEqual([])
  })

  it('is not announced in its first minute, nor when it is answered by then', async () => {
    const flowId = await saveFlow('members')
    const id = await ask(flowId)
    await heddle.scheduled(minutesOn(0))
    const announced = eq(emails.kind, 'questions-waiting')
    expect(await heddle.database.select().from(emails).where(announced)).toEqual([])
    const humanInput = { type: 'proceed', executionId: id }
    expect((await team.ada.call('POST', `/internal-prediction/${flowId}`, { humanInput })).body).toMatchObject({
      text: 'done',
    })
    await runMinutes()
    expect(sentTo(team.ada)).toEqual([])
  })

  it('is not announced to who is disabled, or has turned these emails off in this organization', async () => {
    const [off, disabled, on] = await Promise.all([1, 2, 3].map(() => team.join({ workspace: MAY_ANSWER })))
    if (!off || !disabled || !on) throw new Error('Three people join')
    expect(await off.call('PUT', '/email-settings', { questions: false })).toMatchObject({
      status: 200,
      body: { questions: false },
    })
    expect((await off.call('GET', '/email-settings')).body).toEqual({ questions: false })
    expect((await on.call('GET', '/email-settings')).body).toEqual({ questions: true })
    await heddle.database
      .update(organizationMembers)
      .set({ disabledDate: new Date().toISOString() })
      .where(eq(organizationMembers.userId, disabled.id))
    await ask(await saveFlow('members'))
    await runMinutes()
    expect([off, disabled, on].map((person) => sentTo(person).length)).toEqual([0, 0, 1])
  })
})

it('a question for a role is announced to people with the role and to admins', async () => {
  const [finance, other] = [await team.join({ workspace: MAY_ANSWER }), await team.join({ workspace: MAY_ANSWER })]
  await heddle.database.update(roles).set({ name: 'Finance' }).where(eq(roles.id, finance.roleId))
  await ask(await saveFlow('role'))
  await runMinutes()
  expect([team.ada, finance, other].map((person) => sentTo(person).length)).toEqual([1, 1, 0])
})

it('a question for the caller is announced to nobody', async () => {
  await ask(await saveFlow('caller'))
  await runMinutes()
  expect(sentTo(team.ada)).toEqual([])
})

it('the next question of a run is announced too', async () => {
  const [begin, first, second] = [
    start(),
    ...[0, 1].map((index) =>
      node('humanInputAgentflow', index, {
        humanInputDescriptionType: 'fixed',
        humanInputDescription: 'Well?',
        humanInputApprovers: 'members',
      }),
    ),
  ] as [ReturnType<typeof start>, ReturnType<typeof node>, ReturnType<typeof node>]
  const flow = { nodes: [begin, first, second], edges: [edge(begin, first), edge(first, second, 0)] }
  const body = { name: 'Twice', flowData: JSON.stringify(flow), type: 'AGENTFLOW', callers: 'everyone' }
  const { id: flowId } = (await team.ada.call('POST', '/chatflows', body)).body as { id: string }
  const executionId = await ask(flowId)
  await runMinutes()
  const humanInput = { type: 'proceed', executionId }
  await team.ada.call('POST', `/internal-prediction/${flowId}`, { humanInput })
  await runMinutes()
  expect(sentTo(team.ada)).toHaveLength(2)
})

it('many questions are one email, and callers who flood a flow cannot have more than a few sent in an hour', async () => {
  await heddle.database.delete(rateLimits)
  const flowId = await saveFlow('members', 'Flooded')
  await Promise.all([ask(flowId), ask(flowId), ask(flowId)])
  await runMinutes()
  expect(sentTo(team.ada).map(({ subject }) => subject)).toEqual(['3 runs wait for your answer'])
  expect(sentTo(team.ada)[0]?.text).toContain(`${APP_URL}/executions?state=STOPPED\n`)
  for (let flood = 0; flood < 8; flood++) {
    await ask(flowId)
    await runMinutes()
  }
  expect(sentTo(team.ada)).toHaveLength(6)
  // What was held back is in the first email of the next hour.
  await heddle.database.delete(rateLimits)
  await runMinutes()
  expect(sentTo(team.ada).at(-1)?.subject).toBe('3 runs wait for your answer')
})
