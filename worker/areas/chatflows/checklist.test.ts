import { expect, it } from 'vitest'
import { connectNodes } from '#contract/flow/document/connect.ts'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { OwnAssets } from '#contract/flow/rules/required-inputs.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { checklist } from './checklist.ts'

const definition = (name: string): ComponentDefinition => {
  const found = componentDefinitions().find((candidate) => candidate.name === name)
  if (!found) throw new Error(`No definition of ${name}`)
  return found
}

const at = { x: 0, y: 0 }
const start = createNode(definition('startAgentflow'), { nodes: [], position: at }, agentflow)

/** Start, and behind it a new node with these inputs. */
function flowWith(name: string, inputs: Record<string, unknown>): FlowDocument {
  const node = createNode(definition(name), { nodes: [start], position: at }, agentflow)
  const filled = { ...node, data: { ...node.data, inputs: { ...node.data.inputs, ...inputs } } }
  return connectNodes({ nodes: [start, filled], edges: [] }, { source: start.id, target: node.id }, agentflow)
}

const issuesOf = (flow: FlowDocument, own?: OwnAssets) =>
  checklist(flow, { flowId: 'this-flow', kind: kindOf('AGENTFLOW'), own }).flatMap((entry) => entry.issues)

const issues = (name: string, inputs: Record<string, unknown> = {}) => issuesOf(flowWith(name, inputs))

it.each<[string, Record<string, unknown>, string[]]>([
  ['llmAgentflow', {}, ['Model is required']],
  ['agentAgentflow', {}, ['Model is required']],
  ['toolAgentflow', {}, ['Tool is required']],
  ['retrieverAgentflow', {}, ['Knowledge (document stores) is required']],
  [
    'conditionAgentflow',
    {},
    [
      'Conditions 1: Please specify a Variable. Try connecting Condition node to a previous node and select the variable',
    ],
  ],
  [
    'conditionAgentAgentflow',
    {},
    [
      'Model is required',
      'Instructions is required',
      'Scenarios 1: Scenario is required',
      'Scenarios 2: Scenario is required',
    ],
  ],
  [
    'conditionAgentAgentflow',
    { conditionAgentScenarios: [] },
    ['Please add an item for the condition', 'Model is required', 'Instructions is required'],
  ],
  ['humanInputAgentflow', {}, []],
  ['humanInputAgentflow', { humanInputDescriptionType: '' }, ['Description type is required']],
  ['humanInputAgentflow', { humanInputDescriptionType: 'fixed' }, []],
  ['humanInputAgentflow', { humanInputDescriptionType: 'fixed', humanInputDescription: 'Go on?' }, []],
  ['humanInputAgentflow', { humanInputDescriptionType: 'dynamic' }, ['Model is required']],
  ['loopAgentflow', {}, ['Choose where to loop back']],
  ['loopAgentflow', { loopBackToNode: 'startAgentflow_0-Start' }, []],
  [
    'iterationAgentflow',
    {},
    ['Array input is required', 'This iteration is empty. Add the nodes that run for each item'],
  ],
  [
    'iterationAgentflow',
    { iterationInput: '[1, 2]' },
    ['This iteration is empty. Add the nodes that run for each item'],
  ],
  ['directReplyAgentflow', {}, ['Message is required']],
  ['customFunctionAgentflow', {}, ['JavaScript function is required']],
  ['httpAgentflow', {}, ['URL is required']],
  ['executeFlowAgentflow', {}, ['Select flow is required', 'Input is required']],
  [
    'executeFlowAgentflow',
    { executeFlowSelectedFlow: 'this-flow', executeFlowInput: 'Hi' },
    ['Select flow is this flow, which would call itself without end. Choose another one'],
  ],
  ['executeFlowAgentflow', { executeFlowSelectedFlow: 'another-flow', executeFlowInput: 'Hi' }, []],
  ['stickyNoteAgentflow', {}, ['A connection from Start to Sticky Note leads nowhere. Remove it']],
])('a new %s with %j', (name, inputs, expected) => expect(issues(name, inputs)).toEqual(expected))

const chosen = (tool: string, config: object) => ({ agentSelectedTool: tool, agentSelectedToolConfig: config })
const NO_SUCH_TOOL = 'Tools 1: Custom Tool: The chosen tool no longer exists. Choose another one'
const NO_SUCH_SERVER = 'Tools 1: Custom MCP Server: The chosen MCP server no longer exists. Choose another one'

it.each<[string, object, string[]]>([
  ['a tool that exists', chosen('customTool', { selectedTool: 'here' }), []],
  ['a deleted tool', chosen('customTool', { selectedTool: 'gone' }), [NO_SUCH_TOOL]],
  ['a tool that a variable names', chosen('customTool', { selectedTool: '{{$vars.tool}}' }), []],
  ['an MCP server that exists', chosen('customMcpServerTool', { mcpServerId: 'server' }), []],
  ['a deleted MCP server', chosen('customMcpServerTool', { mcpServerId: 'gone' }), [NO_SUCH_SERVER]],
])('tells of an agent with %s whether to choose another one', (_name, tool, expected) => {
  const flow = flowWith('agentAgentflow', { agentTools: [tool] })
  const deletions = (own?: OwnAssets) => issuesOf(flow, own).filter((issue) => issue.includes('no longer exists'))
  expect(deletions({ tool: new Set(['here']), mcpServer: new Set(['server']) })).toEqual(expected)
  expect(deletions()).toEqual([])
})

it('tells of a Tool node whose tool was deleted', () => {
  const inputs = { toolAgentflowSelectedTool: 'customTool', toolAgentflowSelectedToolConfig: { selectedTool: 'gone' } }
  expect(issuesOf(flowWith('toolAgentflow', inputs), { tool: new Set() })).toEqual([
    'Custom Tool: The chosen tool no longer exists. Choose another one',
  ])
})
