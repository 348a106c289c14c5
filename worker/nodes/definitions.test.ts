import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { AGENT_FLOWS } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import { nodes } from './index.ts'

const folder = new URL('agentflow/', import.meta.url)

test('the index lists every node file', () => {
  const files = readdirSync(folder).filter((file) => !/(test|-params)\.ts$/.test(file))
  const ofFlows = nodes.filter(({ definition }) => definition.category === AGENT_FLOWS)
  const named = ofFlows.map(({ definition }) => definition.name.replace(/Agentflow$/, ''))
  const camelCase = (file: string) => file.replace(/\.ts$/, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  expect(files.map(camelCase).sort()).toEqual(named.sort())
})

test.each([
  ['startAgentflow', 'Start', 1.4, 'Start', '#7EE787'],
  ['llmAgentflow', 'LLM', 1.1, 'LLM', '#64B5F6'],
  ['agentAgentflow', 'Agent', 3.2, 'Agent', '#4DD0E1'],
  ['conditionAgentflow', 'Condition', 1, 'Condition', '#FFB938'],
  ['directReplyAgentflow', 'Direct Reply', 1, 'DirectReply', '#4DDBBB'],
  ['customFunctionAgentflow', 'Custom Function', 1.1, 'CustomFunction', '#E4B7FF'],
  ['httpAgentflow', 'HTTP', 1.1, 'HTTP', '#FF7F7F'],
  ['toolAgentflow', 'Tool', 1.2, 'Tool', '#d4a373'],
  ['retrieverAgentflow', 'Retriever', 1.1, 'Retriever', '#b8bedd'],
  ['conditionAgentAgentflow', 'Condition Agent', 2, 'ConditionAgent', '#ff8fab'],
  ['executeFlowAgentflow', 'Execute Flow', 1.2, 'ExecuteFlow', '#a3b18a'],
  ['humanInputAgentflow', 'Human Input', 1, 'HumanInput', '#6E6EFD'],
  ['loopAgentflow', 'Loop', 1.2, 'Loop', '#FFA07A'],
  ['iterationAgentflow', 'Iteration', 1, 'Iteration', '#9C89B8'],
  ['stickyNoteAgentflow', 'Sticky Note', 1, 'StickyNote', '#fee440'],
])('%s has the name, label, version, type and color that flow files expect', (name, label, version, type, color) => {
  const definition = nodes.find((node) => node.definition.name === name)?.definition
  expect(definition).toMatchObject({ label, version, type, color, category: 'Agent Flows', baseClasses: [type] })
})

test.each([
  ['loopAgentflow', { maxLoopCount: '' }],
  ['llmAgentflow', { llmEnableMemory: true, llmMemoryType: 'windowSize', llmMemoryWindowSize: '' }],
  [
    'agentAgentflow',
    { agentEnableMemory: true, agentMemoryType: 'conversationSummaryBuffer', agentMemoryMaxTokenLimit: '' },
  ],
])('the checklist accepts an empty number of %s that has a default at run time', (name, inputs) => {
  const definitions = nodes.map((node) => node.definition)
  const node = {
    id: 'node_0',
    type: 'agentFlow',
    position: { x: 0, y: 0 },
    data: { id: 'node_0', name, label: '', inputs },
  }
  const issues = flowProblems({ nodes: [node], edges: [] }, definitions, { kind: agentflow }).map(({ param }) => param)
  for (const emptied of Object.keys(inputs)) expect(issues).not.toContain(emptied)
})

const samples = fileURLToPath(new URL('../../../shared/samples/flowise/agentflows', import.meta.url))

/** Returns what flow files depend on: a parameter's name and type, recursively. */
function shape({ name, type, array, options, acceptVariable }: InputParam): unknown {
  return {
    name,
    type,
    acceptVariable: acceptVariable ?? false,
    ...(options && { options: options.map((option) => option.name) }),
    ...(array && { array: array.map(shape) }),
  }
}

test.runIf(existsSync(samples))('definitions match the parameters of sample files of the same version', () => {
  let compared = 0
  for (const file of readdirSync(samples)) {
    for (const { data } of JSON.parse(readFileSync(`${samples}/${file}`, 'utf8')).nodes) {
      const definition = nodes.find((node) => node.definition.name === data.name)?.definition
      if (!definition || definition.version !== data.version) continue
      const own = [...(definition.credential ? [definition.credential] : []), ...definition.inputs].map(shape)
      for (const param of data.inputParams) {
        compared += 1
        expect(own, `${file}: ${data.name}.${param.name}`).toContainEqual(shape(param))
      }
    }
  }
  expect(compared).toBeGreaterThan(0)
})
