import { expect, it } from 'vitest'
import { connectNodes } from '../document/connect.ts'
import type { FlowDocument } from '../document/document.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { loopChoices } from '../kinds/agentflow/loop.ts'
import {
  conditionAgent,
  directReply,
  humanInput,
  iteration,
  loop,
  start,
  stickyNote,
  withEdges,
  withNodes,
} from '../kinds/agentflow/testing/flows.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { errorHandleId, type RunPolicy } from '../params/run-policy.ts'
import { setRunPolicy } from '../params/set-run-policy.ts'
import { components } from '../testing/components.ts'
import { empty, withInputs, withParent } from '../testing/flows.ts'
import { problemText } from './problem.ts'
import { flowProblems } from './problems.ts'

const step: ComponentDefinition = {
  ...directReply,
  name: 'step',
  label: 'Step',
  hideOutput: false,
  inputs: [],
}
const caller: ComponentDefinition = {
  ...step,
  name: 'caller',
  label: 'Caller',
  inputs: [
    { label: 'Flow', name: 'flow', type: 'asyncOptions', loadMethod: 'listFlows', optional: true },
    {
      label: 'Tools',
      name: 'tools',
      type: 'array',
      optional: true,
      array: [{ label: 'Tool', name: 'tool', type: 'asyncOptions', loadMethod: 'listTools', loadConfig: true }],
    },
  ],
}
const flowTool: ComponentDefinition = {
  ...step,
  name: 'flowTool',
  label: 'Flow Tool',
  inputs: [{ label: 'Chosen', name: 'chosen', type: 'asyncOptions', loadMethod: 'listChatflows' }],
}
const all = [...components, step, caller, flowTool]

const texts = (flow: FlowDocument, flowId?: string) =>
  flowProblems(flow, all, { kind: agentflow, flowId }).map((problem) => `${problem.severity} ${problemText(problem)}`)

const ITERATION = 'iterationAgentflow_0'
const LOOP = 'loopAgentflow_0'

/** Start → Step 0 → Iteration 0 (Step 1 → Step 2 inside) → Step 3 */
const nested = withEdges(
  withInputs(
    ['step_1', 'step_2'].reduce(
      (flow, id) => withParent(flow, id, ITERATION),
      withNodes(empty, start, step, step, step, step, iteration),
    ),
    ITERATION,
    { iterationInput: '[1]' },
  ),
  'startAgentflow_0 > step_0',
  `step_0 > ${ITERATION}`,
  'step_1 > step_2',
  `${ITERATION} > step_3`,
)

const line = withEdges(withNodes(empty, start, step, step, stickyNote), 'startAgentflow_0 > step_0', 'step_0 > step_1')
const looping = (flow: FlowDocument, after: string, back: string) =>
  withInputs(withEdges(withNodes(flow, loop), `${after} > ${LOOP}`), LOOP, { loopBackToNode: back })
const inside = (flow: FlowDocument, id: string) => withParent(flow, id, ITERATION)
const policy = (flow: FlowDocument, id: string, change: Partial<RunPolicy>) =>
  setRunPolicy(flow, id, { change, kind: agentflow })
const branching = policy(line, 'step_0', { onError: 'branch' })

it.each<[string, FlowDocument, string[]]>([
  ['a valid iteration', nested, []],
  [
    'an empty iteration',
    withEdges(withInputs(withNodes(line, iteration), ITERATION, { iterationInput: 'x' }), `step_1 > ${ITERATION}`),
    ['warning Iteration 0: This iteration is empty. Add the nodes that run for each item'],
  ],
  [
    'an iteration over nothing',
    withInputs(nested, ITERATION, { iterationInput: '' }),
    [expect.stringContaining('error Iteration 0: Array input is required')],
  ],
  [
    'a connection out of an iteration',
    withEdges(nested, 'step_2 > step_3'),
    ['error Step 2: The connection to Step 3 crosses the border of an iteration. Connect the iteration itself'],
  ],
  [
    'a connection into an iteration',
    withEdges(nested, 'step_0 > step_1'),
    ['error Step 0: The connection to Step 1 crosses the border of an iteration. Connect the iteration itself'],
  ],
  [
    'a Start node in an iteration',
    inside(nested, 'startAgentflow_0'),
    [
      'error Start: The Start node cannot be inside an iteration',
      'error Start: The connection to Step 0 crosses the border of an iteration. Connect the iteration itself',
    ],
  ],
  ['a node whose iteration is missing', withParent(line, 'step_1', 'iterationAgentflow_9'), []],
  [
    'a person asked inside an iteration',
    withEdges(inside(withNodes(nested, humanInput), 'humanInputAgentflow_0'), 'step_2 > humanInputAgentflow_0'),
    [],
  ],
  ['a loop back', looping(line, 'step_1', 'step_0-Step 0'), []],
  [
    'a loop to a missing node',
    looping(line, 'step_1', 'gone_0-Gone'),
    ['error Loop 0: The node to loop back to no longer exists. Choose another one'],
  ],
  ['a loop without a target', looping(line, 'step_1', ''), ['error Loop 0: Choose where to loop back']],
  [
    'a loop to a note',
    looping(line, 'step_1', 'stickyNoteAgentflow_0-Sticky Note'),
    ['error Loop 0: The node to loop back to no longer exists. Choose another one'],
  ],
  [
    'a loop sideways',
    looping(line, 'step_0', 'step_1-Step 1'),
    ['warning Loop 0: Step 1 does not lead here, so nothing is repeated. Loop back to an earlier node'],
  ],
  ['a loop inside an iteration', inside(looping(nested, 'step_2', 'step_1-Step 1'), LOOP), []],
  [
    'a loop out of an iteration',
    inside(looping(nested, 'step_2', 'step_0-Step 0'), LOOP),
    ['error Loop 0: Step 0 is not in the same iteration. Loop back to a node beside this one'],
  ],
  [
    'a loop into an iteration',
    looping(nested, 'step_3', 'step_1-Step 1'),
    ['error Loop 0: Step 1 is not in the same iteration. Loop back to a node beside this one'],
  ],
  [
    'a join of one',
    policy(line, 'step_1', { join: 'any' }),
    ['warning Step 1: This node starts at the first of its connections to arrive, but has no two of them'],
  ],
  ['a join of two', policy(withEdges(line, 'startAgentflow_0 > step_1'), 'step_1', { join: 'any' }), []],
  [
    'an unconnected error output',
    branching,
    [
      'warning Step 0: Failures continue on the error output, but nothing is connected there. Connect it, or stop the run',
    ],
  ],
  [
    'a connected error output',
    connectNodes(
      branching,
      {
        source: 'step_0',
        sourceHandle: errorHandleId('step_0'),
        target: 'step_1',
      },
      agentflow,
    ),
    [],
  ],
  [
    'no scenario',
    withInputs(
      withEdges(withNodes(line, conditionAgent), 'step_1 > conditionAgentAgentflow_0'),
      'conditionAgentAgentflow_0',
      { conditionAgentScenarios: [] },
    ),
    ['error Condition Agent 0: Please add an item for the condition'],
  ],
  [
    'an empty scenario',
    withInputs(
      withEdges(withNodes(line, conditionAgent), 'step_1 > conditionAgentAgentflow_0'),
      'conditionAgentAgentflow_0',
      { conditionAgentScenarios: [{ scenario: 'Weather' }, { scenario: '' }] },
    ),
    ['error Condition Agent 0: Scenarios 2: Scenario is required'],
  ],
])('reports the problems of %s', (_, flow, expected) => expect(texts(flow)).toEqual(expected))

it.each<[string, Record<string, unknown>, string[]]>([
  ['another flow', { flow: 'other' }, []],
  [
    'itself',
    { flow: 'me' },
    ['error Caller 0: Flow is this flow, which would call itself without end. Choose another one'],
  ],
  [
    'itself as a tool',
    { tools: [{ tool: 'flowTool', toolConfig: { chosen: 'me' } }] },
    [
      'error Caller 0: Tools 1: Flow Tool: Chosen is this flow, which would call itself without end. Choose another one',
    ],
  ],
  ['no tool', { tools: [{ tool: '' }] }, ['error Caller 0: Tools 1: Tool is required']],
])('reports a flow that calls %s', (_, inputs, expected) => {
  const flow = withInputs(withEdges(withNodes(line, caller), 'step_1 > caller_0'), 'caller_0', inputs)
  expect(texts(flow, 'me')).toEqual(expected)
})

it('offers a loop the nodes of its scope that lead to it', () => {
  const offered = (flow: FlowDocument) => loopChoices(flow, LOOP).map(({ id }) => id)
  expect(offered(looping(nested, 'step_3', ''))).toEqual(['startAgentflow_0', 'step_0', 'step_3', ITERATION])
  expect(offered(inside(looping(nested, 'step_2', ''), LOOP))).toEqual(['step_1', 'step_2'])
  expect(offered(line)).toEqual([])
})
