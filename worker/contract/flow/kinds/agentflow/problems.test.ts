import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '../../document/document.ts'
import { problemText } from '../../rules/problem.ts'
import { flowProblems } from '../../rules/problems.ts'
import { empty, withInputs } from '../../testing/flows.ts'
import { agentflow } from './kind.ts'
import { directReply, nodeTypes, start, withEdges, withNodes } from './testing/flows.ts'

const good = withInputs(
  withEdges(withNodes(empty, start, directReply), 'startAgentflow_0 > directReplyAgentflow_0'),
  'directReplyAgentflow_0',
  { directReplyMessage: 'Hello' },
)
const textsOf = (flow: FlowDocument) =>
  flowProblems(flow, nodeTypes, { kind: agentflow }).map((problem) => `${problem.severity} ${problemText(problem)}`)

describe('a Start node that the clock or a request starts', () => {
  const startWith = (inputs: Record<string, unknown>) => textsOf(withInputs(good, 'startAgentflow_0', inputs))
  const scheduled = { startInputType: 'scheduleInput', scheduleType: 'cronExpression', scheduleInputMode: 'none' }

  it.each([
    [{ ...scheduled, scheduleCronExpression: '0 9 * * *' }, []],
    [
      { ...scheduled, scheduleCronExpression: '0 25 * * *' },
      [
        'error Start: Cron expression: The hour "25" is not valid. Use 0 to 23, with ranges (1-5), lists (1,3), steps (*/2) or * for every value',
      ],
    ],
    [{ startInputType: 'webhookTrigger' }, []],
    [
      { startInputType: 'webhookTrigger', callbackUrl: 'nowhere' },
      ['error Start: Callback URL: This must be a URL that starts with http:// or https://'],
    ],
  ])('has the problems of its inputs %j', (inputs, problems) => {
    expect(startWith(inputs)).toEqual(problems)
  })

  it('is told of once', () => {
    const missing = [{ label: 'Cron Expression', name: 'scheduleCronExpression', type: 'string' }]
    const known = nodeTypes.map((each) => (each.name === start.name ? { ...each, inputs: missing } : each))
    const flow = withInputs(good, 'startAgentflow_0', scheduled)
    expect(flowProblems(flow, known, { kind: agentflow }).map(problemText)).toEqual([
      'Start: Cron Expression is required',
    ])
  })
})
