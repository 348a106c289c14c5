import { expect, it } from 'vitest'
import type { FlowNode } from '../document/document.ts'
import { findAssets } from './assets.ts'

const flowOf = (...all: object[]) => ({
  nodes: all.map((data, index) => ({
    id: `n_${index}`,
    type: 'agentFlow',
    position: { x: 0, y: 0 },
    data: { id: `n_${index}`, name: 'n', label: 'N', ...data },
  })) as FlowNode[],
})
const found = (inputs: object, more: object = {}) =>
  findAssets(flowOf({ inputs, ...more })).map(({ kind, asset }) => `${kind} ${asset}`)

it.each<[string, object, string[]]>([
  ['nothing', { text: 'Hello', list: [1, null, true] }, []],
  ['a credential of a component', { llmModelConfig: { FLOWISE_CREDENTIAL_ID: 'c1' } }, ['credential c1']],
  ['a credential in a list', { agentTools: [{ agentSelectedToolConfig: { credential: 'c2' } }] }, ['credential c2']],
  ['an assistant of a provider', { selectedAssistant: 'a1' }, ['assistant a1']],
  ['an empty credential', { llmModelConfig: { FLOWISE_CREDENTIAL_ID: '', credential: ' ' } }, []],
  ['a variable in a reference', { text: 'Dear {{$vars.name}}' }, ['variable name']],
  [
    'a variable in a mention',
    { text: '<span data-type="mention" data-id="$vars.city">{{$vars.city}}</span>' },
    ['variable city'],
  ],
  ['a variable with a dash', { text: '{{ $vars.base-url }}' }, ['variable base-url']],
  [
    'variables in code',
    { code: 'return $vars.a + $vars?.b + $vars["c-d"] + $vars?.[\'e\'] + $vars.größe' },
    ['variable a', 'variable b', 'variable c-d', 'variable e', 'variable größe'],
  ],
  ['names that only begin like variables', { text: '$variables.x {{$varsx.y}} $vars[name]' }, []],
  [
    'a custom tool',
    { agentTools: [{ agentSelectedTool: 'customTool', agentSelectedToolConfig: { selectedTool: 't1' } }] },
    ['tool t1'],
  ],
  ['a component of an older Tool node', { selectedTool: 'calculator', selectedToolConfig: {} }, []],
  ['an MCP server', { agentTools: [{ agentSelectedToolConfig: { mcpServerId: 'm1' } }] }, ['mcpServer m1']],
  ['another flow', { executeFlowSelectedFlow: 'f1' }, ['flow f1']],
  ['flows as tools', { a: { selectedChatflow: 'f2' }, b: { selectedAgentflow: 'f3' } }, ['flow f2', 'flow f3']],
  ['a document store', { agentKnowledgeDocumentStores: [{ documentStore: 'd1:Manuals: all' }] }, ['documentStore d1']],
  ['an id from a reference', { executeFlowSelectedFlow: '{{$form.flow}}' }, []],
  ['an id that is too long', { executeFlowSelectedFlow: 'x'.repeat(201) }, []],
])('finds %s', (_name, inputs, expected) => {
  expect(found(inputs)).toEqual(expected)
})

it('finds the credential beside the inputs of a node', () => {
  expect(found({}, { credential: 'c3' })).toEqual(['credential c3'])
})

it('lists each asset once', () => {
  const inputs = { text: '{{$vars.a}}{{$vars.a}}', code: '$vars.a' }
  expect(findAssets(flowOf({ inputs }, { inputs }))).toEqual([{ kind: 'variable', asset: 'a' }])
})

it('lists at most 1000 assets', () => {
  const text = Array.from({ length: 3000 }, (_, index) => `{{$vars.v${index}}}`).join('')
  expect(found({ text })).toHaveLength(1000)
})

it('survives inputs without a name or value', () => {
  expect(found({ __proto__: null, constructor: 'x', toString: null, '': { credential: 5 } })).toEqual([])
})
