import { describe, expect, it } from 'vitest'
import { llm, start } from '../kinds/agentflow/testing/flows.ts'
import {
  dropHiddenInputs,
  isChoiceOfInstallation,
  isParam,
  isVisible,
  offeredOptions,
  offeredParams,
  unsupportedUse,
  visibleOptions,
  visibleParams,
  withFormerNames,
} from './params.ts'

const scope = (inputs: Record<string, unknown>, index?: number) => ({
  params: [],
  inputs,
  ...(index === undefined ? {} : { index }),
})

describe('isParam', () => {
  it.each([
    'asyncOptions',
    'asyncMultiOptions',
    'options',
    'multiOptions',
    'array',
    'datagrid',
    'string',
    'number',
    'boolean',
    'password',
    'json',
    'code',
    'date',
    'file',
    'folder',
    'tabs',
    'conditionFunction',
    'timePicker',
    'weekDaysPicker',
    'monthDaysPicker',
    'datePicker',
  ])('%s is filled in on the node', (type) => expect(isParam(type)).toBe(true))
  it.each(['BaseChatModel', 'Tool', 'BaseChatModel | BaseLLM', 'String', ''])('%j is an anchor', (type) => {
    expect(isParam(type)).toBe(false)
  })
})

describe('isVisible', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['equal texts', 'a', 'a', true],
    ['other texts', 'a', 'b', false],
    ['a pattern', '.+', 'chatOpenAI', true],
    ['a pattern on nothing', '.+', '', false],
    ['a pattern on a missing input', '.+', undefined, false],
    ['a broken pattern', '(', '(', true],
    ['a broken pattern otherwise', '(', 'x', false],
    ['a list', ['a', 'b'], 'b', true],
    ['a list without', ['a', 'b'], 'c', false],
    ['a list on a list', ['a', 'b'], ['c', 'b'], true],
    ['a text on a list', 'b', ['c', 'b'], true],
    ['a text on the JSON of a list', 'b', '["c","b"]', true],
    ['true', true, true, true],
    ['true on a text', true, 'true', false],
    ['false', false, false, true],
    ['a number', 3, 3, true],
    ['another number', 3, 4, false],
    ['an object', { a: 1 }, { a: 1 }, true],
    ['another object', { a: 1 }, { a: 2 }, false],
    ['the empty text is no pattern', '', 'x', false],
  ])('compares by the rule: %s', (_, expected, actual, visible) => {
    expect(isVisible({ show: { a: expected } }, scope({ a: actual }))).toBe(visible)
    expect(isVisible({ hide: { a: expected } }, scope({ a: actual }))).toBe(!visible)
  })

  it('asks for all keys', () => {
    const show = { a: 1, b: 2 }
    expect(isVisible({ show }, scope({ a: 1, b: 2 }))).toBe(true)
    expect(isVisible({ show }, scope({ a: 1, b: 3 }))).toBe(false)
    expect(isVisible({ hide: show }, scope({ a: 1, b: 3 }))).toBe(true)
  })

  it('counts declared defaults while the input is undefined', () => {
    const params = [{ label: 'A', name: 'a', type: 'options', default: 'x' }]
    expect(isVisible({ show: { a: 'x' } }, { params, inputs: {} })).toBe(true)
    expect(isVisible({ show: { a: 'x' } }, { params, inputs: { a: '' } })).toBe(false)
  })

  it('puts the index of the array item into the path', () => {
    const rule = { show: { 'list[$index].type': 'enum' } }
    const inputs = { list: [{ type: 'string' }, { type: 'enum' }] }
    expect([0, 1, 2].map((index) => isVisible(rule, scope(inputs, index)))).toEqual([false, true, false])
  })

  it('does not try patterns that may run away', () => {
    expect(isVisible({ show: { a: '^(a+)+$' } }, scope({ a: `${'a'.repeat(60)}!` }))).toBe(false)
    expect(isVisible({ show: { a: '.*.*.*.*x' } }, scope({ a: 'x' }))).toBe(false)
  })

  it('reads own properties only', () => {
    expect(isVisible({ show: { 'constructor.name': '.+' } }, scope({}))).toBe(false)
  })
})

describe('visibleParams', () => {
  it('follows the inputs', () => {
    const names = (inputs: Record<string, unknown>) => visibleParams(start.inputs, inputs).map((param) => param.name)
    expect(names({})).toEqual(['startInputType', 'startState'])
    expect(names({ startInputType: 'formInput' })).toContain('formTitle')
  })

  it('shows the parameters of one array item, defaults of items counting', () => {
    const inputs = { llmStructuredOutput: [{ type: 'enum' }, {}] }
    const names = (index: number) =>
      visibleParams(llm.inputs, inputs, { array: 'llmStructuredOutput', index }).map((param) => param.name)
    expect(names(0)).toEqual(['key', 'type', 'enumValues'])
    expect(names(1)).toEqual(['key', 'type'])
  })

  it('lets options come and go', () => {
    const param = {
      label: 'T',
      name: 't',
      type: 'options',
      options: [
        { label: 'A', name: 'a' },
        { label: 'B', name: 'b', hide: { kind: 'form' } },
      ],
    }
    expect(visibleOptions(param, scope({ kind: 'form' })).map((option) => option.name)).toEqual(['a'])
    expect(visibleOptions(param, scope({ kind: 'json' }))).toHaveLength(2)
  })
})

describe('dropHiddenInputs', () => {
  it('drops what is hidden and keeps what nobody declares', () => {
    const inputs = { startInputType: 'chatInput', formTitle: 'Hello', startState: [], other: 1 }
    expect(dropHiddenInputs(start.inputs, inputs)).toEqual({ startInputType: 'chatInput', startState: [], other: 1 })
  })
  it('keeps a name as long as one parameter of that name is shown', () => {
    const params = [
      { label: 'B', name: 'b', type: 'string', show: { k: 'x' } },
      { label: 'B', name: 'b', type: 'array', show: { k: 'y' } },
    ]
    expect(dropHiddenInputs(params, { k: 'y', b: [] })).toEqual({ k: 'y', b: [] })
    expect(dropHiddenInputs(params, { k: 'z', b: [] })).toEqual({ k: 'z' })
  })
})

describe('what no run supports', () => {
  const params = [
    { label: 'Kept', name: 'kept', type: 'string' },
    { label: 'Knowledge', name: 'knowledge', type: 'array', unsupported: true },
  ]
  const options = [
    { label: 'Chat', name: 'chat' },
    { label: 'Webhook', name: 'webhook', unsupported: true },
  ]

  it.each([[undefined], [null], [''], [[]], ['[]'], [false]])('is not offered while its value is %j', (knowledge) => {
    expect(offeredParams(params, { knowledge }).map(({ name }) => name)).toEqual(['kept'])
  })

  it('stays in sight where a file has it', () => {
    expect(offeredParams(params, { knowledge: [{}] })).toHaveLength(2)
    expect(offeredOptions(options, 'webhook')).toHaveLength(2)
    expect(offeredOptions(options, 'chat').map(({ name }) => name)).toEqual(['chat'])
  })
})

describe('former names', () => {
  const params = [{ label: 'Tool', name: 'tool', type: 'asyncOptions', formerName: 'selected' }]
  it.each([
    [
      { selected: 'a', selectedConfig: { b: 1 }, other: 2 },
      { tool: 'a', toolConfig: { b: 1 }, other: 2 },
    ],
    [{ selected: 'a' }, { tool: 'a' }],
    [
      { selected: 'a', tool: 'c' },
      { selected: 'a', tool: 'c' },
    ],
    [
      { selected: '', tool: '' },
      { selected: '', tool: '' },
    ],
    [{}, {}],
  ])('evaluates %j', (inputs, expected) => {
    expect(withFormerNames(params, inputs)).toEqual(expected)
  })
})

describe('what no run supports', () => {
  const base = { label: 'Server', name: 'server', type: 'code' }
  const json = { ...base, unsupportedKeys: ['command'] }
  const choice = { ...base, options: [{ label: 'Soon', name: 'soon', unsupported: true }] }
  it.each<[Parameters<typeof unsupportedUse>[0], unknown, string | undefined]>([
    [json, '{"command":"npx"}', 'Server: “command” is not supported'],
    [json, { command: 'npx' }, 'Server: “command” is not supported'],
    [json, '{"url":"https://x.example","headers":{"command":"1"}}', undefined],
    [json, '{"url":', undefined],
    [json, null, undefined],
    [choice, 'soon', 'Server Soon is not supported yet'],
    [choice, 'now', undefined],
    [{ ...base, unsupported: true }, 'x', 'Server is not supported yet'],
    [{ ...base, unsupported: true }, '', undefined],
  ])('%#', (param, value, expected) => {
    expect(unsupportedUse(param, value)).toBe(expected)
  })
})

it.each([
  ['selectedTool', 'listCustomTools', true],
  ['mcpServerId', 'listServers', true],
  ['selectedServer', 'listServers', false],
])('whether %s of %s is a choice of one workspace: %s', (name, loadMethod, expected) => {
  expect(isChoiceOfInstallation({ name, loadMethod, label: name, type: 'asyncOptions' })).toBe(expected)
})
