/** Test helpers: flows in short notation, node types from a function, and a run request with fake ports. */

import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import type { RunEvent } from '#contract/runs/events.ts'
import { noFiles, noFlows, noKnowledge, noRecords, noTables } from '../../nodes/testing/steps.ts'
import type { NodeType, StepComponents, StepContext, StepResult } from '../../nodes/types.ts'
import { ownTools } from '../../tools/testing/own-tools.ts'
import { type Catalogue, type Compile, compile } from '../plan.ts'
import { createRedactor } from '../redactor.ts'
import type { RunRequest, StepRow } from '../types.ts'

type Inputs = Record<string, unknown>

/** `['start_0', 'llm_0', 'cond_0>1:reply_0']`: an arrow `a>b`, from output 1 `a>1:b`. */
export function drawFlow(nodes: Record<string, Inputs | undefined>, arrows: string[]): FlowDocument {
  return { nodes: Object.entries(nodes).map(([id, inputs]) => drawNode(id, inputs ?? {})), edges: arrows.map(drawEdge) }
}

export function drawNode(id: string, inputs: Inputs = {}): FlowNode {
  const name = `${id.replace(/_\d+$/, '')}Agentflow`
  return { id, type: 'agentFlow', position: { x: 0, y: 0 }, data: { id, name, label: labelFor(id), inputs } }
}

/** `directReply_0` → `DirectReply 0`. */
export function labelFor(id: string): string {
  return id.replace('_', ' ').replace(/^./, (first) => first.toUpperCase())
}

function drawEdge(arrow: string): FlowEdge {
  const [source = '', end = ''] = arrow.split('>')
  const [target = '', output] = end.split(':').reverse()
  const sourceHandle = `${source}-output-${output ?? 'name'}`
  return { id: `${source}-${sourceHandle}-${target}`, source, target, sourceHandle, targetHandle: target }
}

/** Creates a node type from its behavior. `outputs` makes it a decision node. */
export function nodeType(
  name: string,
  run: (context: StepContext) => Promise<StepResult> | StepResult,
  more: Partial<NodeType['definition']> = {},
): NodeType {
  const definition = {
    label: name,
    name: `${name}Agentflow`,
    version: 1,
    type: name,
    category: 'Agent Flows',
    description: '',
    baseClasses: [name],
    inputs: [],
    ...more,
  }
  return { definition, run: async (context) => run(context) }
}

/** Compiles an agent flow. */
export const compileFlow: Compile = (flow, catalogue) => compile(flow, catalogue, agentflow)

export function catalogueOf(...types: NodeType[]): Catalogue {
  const byName = new Map(types.map((type) => [type.definition.name, type]))
  return { node: (name) => byName.get(name), component: () => undefined, componentInputs: () => undefined }
}

export interface Recorded extends RunRequest {
  events: RunEvent[]
  rows: StepRow[]
}

const noComponents: StepComponents = {
  own: ownTools(),
  model: () => Promise.reject(new Error('no model in this test')),
  tools: async () => [],
  vectorSearch: () => Promise.reject(new Error('no vector store in this test')),
  credential: async () => ({}),
}

/** A request whose events and rows are kept; whatever the test needs otherwise goes into `more`. */
export function requestFor(flow: FlowDocument, more: Partial<RunRequest> = {}): Recorded {
  const events: RunEvent[] = []
  const rows: StepRow[] = []
  return {
    events,
    rows,
    flow,
    compile: compileFlow,
    planKey: JSON.stringify(flow),
    identity: {
      executionId: 'execution-1',
      workspaceId: 'workspace-1',
      chatflowId: 'flow-1',
      chatId: 'chat-1',
      sessionId: 'session-1',
      apiMessageId: 'message-1',
      calledBy: [],
    },
    input: { question: 'hello', history: [], text: 'hello' },
    pastHistory: [],
    variables: {},
    done: [],
    log: { append: (row) => void rows.push(row), barrier: async () => {} },
    openComponents: () => noComponents,
    egress: { fetch: () => Promise.reject(new Error('no network in this test')) },
    sandbox: { run: () => Promise.reject(new Error('no sandbox in this test')) },
    clock: { now: () => new Date('2026-01-02T03:04:05.000Z'), sleep: async () => {} },
    flows: noFlows,
    files: noFiles,
    records: noRecords,
    tables: noTables,
    knowledge: noKnowledge,
    signal: new AbortController().signal,
    secrets: createRedactor(),
    emit: (event) => void events.push(event),
    ...more,
  }
}

/** Returns the events as short lines: `nextAgentFlow llm_0 FINISHED`, `token Hel`. */
export function lines(events: RunEvent[]): string[] {
  return events.map(({ event, data }) => {
    if (event === 'nextAgentFlow') return `${event} ${data.nodeId} ${data.status}`
    return Array.isArray(data) ? `${event} ${data.length}` : typeof data === 'string' ? `${event} ${data}` : event
  })
}
