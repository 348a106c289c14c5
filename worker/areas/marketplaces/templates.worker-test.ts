/** Runs every built-in template to its end on the practice model, with a server that stands for its services. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BuiltInTemplate } from '#contract/marketplaces/marketplaces.ts'
import type { Delivery, TriggerList } from '#contract/triggers/index.ts'
import { templates } from '../../templates/index.ts'
import type { Sample } from '../../templates/types.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'
import { type ServiceServer, startServiceServer } from './testing/service-server.ts'

let services: ServiceServer
let scene: Scene
let builtIn: BuiltInTemplate[]

beforeAll(async () => {
  services = await startServiceServer()
  scene = await openScene({ allowPrivateHosts: services.host })
  builtIn = (await scene.call<BuiltInTemplate[]>('GET', '/marketplaces/templates')).body
})
afterAll(async () => {
  await scene.close()
  await services.close()
})

/** Saves the template's flow with the addresses of services replaced. */
async function saveFlow(id: string): Promise<string> {
  const template = builtIn.find((each) => each.id === id) as BuiltInTemplate
  const flowData = template.flowData.replaceAll(/https:\/\/(?:[a-z]+\.example|hooks\.slack)\.com/g, services.url)
  const type = template.type === 'Chatflow' ? 'CHATFLOW' : 'AGENTFLOW'
  return (await scene.call<{ id: string }>('POST', '/chatflows', { name: id, flowData, type })).body.id
}

/** Starts the flow as its caller would, and returns its run. */
async function start(flowId: string, sample: Sample): Promise<string> {
  if ('question' in sample || 'form' in sample) {
    return (await scene.internally(flowId, { ...sample, chatId: flowId })).body.executionId
  }
  const path = 'webhook' in sample ? `/webhook/${flowId}` : `/triggers/${await triggerOf(flowId)}/run`
  const { status, body } = await scene.call<{ executionId: string; id: string }>(
    'POST',
    path,
    'webhook' in sample ? sample.webhook : {},
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return 'webhook' in sample ? body.executionId : executionOf(body.id)
}

const triggerOf = async (flowId: string) =>
  (await scene.call<TriggerList>('GET', `/triggers?flowId=${flowId}`)).body.data[0]?.id

async function executionOf(deliveryId: string): Promise<string> {
  for (;;) {
    const { body } = await scene.call<Delivery>('GET', `/trigger-deliveries/${deliveryId}`)
    if (['succeeded', 'waiting', 'dead'].includes(body.state)) return body.executionId as string
  }
}

/** Answers each question of the run with `answer` until it has ended. */
async function end(flowId: string, executionId: string, answer: 'proceed' | 'reject'): Promise<string[]> {
  for (let asked = 0; asked < 10; asked++) {
    const { state, executionData } = await scene.execution(executionId)
    if (state !== 'STOPPED') {
      const steps = JSON.parse(executionData) as { nodeLabel: string; status: string; data: { error?: string } }[]
      expect([state, ...steps.map(({ nodeLabel, status, data }) => data.error ?? `${nodeLabel} ${status}`)]).toEqual([
        'FINISHED',
        ...steps.map(({ nodeLabel }) => `${nodeLabel} FINISHED`),
      ])
      return steps.map(({ nodeLabel }) => nodeLabel)
    }
    await scene.internally(flowId, {
      chatId: flowId,
      humanInput: { type: answer, executionId, feedback: 'As agreed.' },
    })
  }
  throw new Error('The run never ended')
}

/** The steps of each template's sample, in order. */
const PATHS: Record<string, string> = {
  'faq-with-handover': 'Start > Look in the FAQ > Known? > Answer',
  'sentiment-routing': 'Start > Mood > Thank',
  'email-reply-draft': 'Start > List points > Draft reply > Review > Reply',
  'meeting-notes-to-tasks': 'Start > Find tasks > File task > File task > Tasks > Sum up',
  'document-answers': 'Start > Read > Found? > Answer',
  'invoice-reading': 'Start > Read invoice > Add up > Sum right? > Accounts > Booked by hand',
  'data-clean-up': 'Start > Split > Clean row > Clean row > Clean row > Rows > Merge',
  'sql-questions':
    'Start > Read schema > Schema there? > Write query > Check query > Allowed? > Run query > Rows there? > Explain',
  'research-with-sources': 'Start > Split > Look up > Look up > Parts > Answer',
  'research-team': 'Start > Planner > Researcher > Critic > Content? > Writer',
  'content-moderation': 'Start > Blocked words > Clean? > Judge > Verdict > Moderator > Publish',
  'quiz-maker': 'Start > Write questions > Lay out',
  'product-texts': 'Start > Shop text > Snippet > Post > Check claims > Supported? > Texts',
  'lead-qualification': 'Start > Score > How warm? > File in CRM > Hot',
  'onboarding-assistant': 'Start > Role > Engineering plan > Engineer’s week',
  'travel-planner': 'Start > Look around > Plan days > Your verdict > Plan',
  'code-review': 'Start > Bugs > Safety > Clarity > Report',
  'bug-report-classifier': 'Start > Classify > Set label > Label set? > What next? > Alarm',
  'incident-summary': 'Start > Fetch logs > Explain > Severe? > Tell the team > Told? > Posted',
  'price-watch': 'Start > Read price > Price there? > Cheap enough? > Tell me > Told? > Told',
  'support-triage': 'Start > Sort > Route > Answer billing',
  'approval-before-sending': 'Start > Draft > Review > Send > Sent? > Done',
  'webhook-to-slack': 'Start > Put into words > Post to Slack > Posted? > Posted',
  'extract-to-json': 'Start > Read > Check > Anything missing? > Order',
  'daily-digest': 'Start > Fetch items > Fetched? > Keep the newest > Write digest > Post digest > Posted? > Done',
  'report-writer': 'Start > Outline > Write section > Write section > Sections > Edit',
  'translation-with-review': 'Start > Translate > Review > Good? > Translation',
  'compare-two-answers': 'Start > Answer A > Answer B > Judge > Who won? > Send A',
  'conversation-with-memory': 'Conversation',
  'answers-from-documents': 'Answer',
  'agent-with-tools': 'Agent',
  'reasoning-agent': 'Reasoning',
  'structured-answers': 'Read the message',
  'prompt-chaining': 'Outline > Article',
  'moderated-chat': 'Conversation',
  'list-of-ideas': 'Find ideas',
  'question-router': 'Is it a refund? > Answer refunds',
  'answers-by-example': 'Sort',
  'long-conversation': 'Conversation',
}

describe.each(templates.map((template) => [template.id, template] as const))('the template %s', (id, template) => {
  it('runs to its end, with every service answering', async () => {
    const flowId = await saveFlow(id)
    expect((await end(flowId, await start(flowId, template.sample), 'proceed')).join(' > ')).toBe(PATHS[id])
  })

  it('ends well when its services refuse and people reject', async () => {
    services.refuses = true
    try {
      const flowId = await saveFlow(id)
      const steps = await end(flowId, await start(flowId, template.sample), 'reject')
      expect(steps[0]).toBe(PATHS[id]?.split(' > ')[0])
    } finally {
      services.refuses = false
    }
  })
})

it('the passage that a question is about comes first among the sources of its answer', async () => {
  const template = templates.find(({ id }) => id === 'answers-from-documents')
  const { body } = await scene.internally(await saveFlow('answers-from-documents'), { ...template?.sample })
  expect(body.sourceDocuments).toHaveLength(2)
  expect(body.sourceDocuments?.[0]).toMatchObject({
    pageContent: expect.stringContaining('within thirty days'),
    metadata: { source: 'Handbook' },
  })
})

it('services get JSON in which every reference is filled in', () => {
  const bodies = services.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(bodies.length).toBeGreaterThan(10)
  for (const body of bodies) expect(JSON.stringify(JSON.parse(body))).not.toContain('{{')
})
