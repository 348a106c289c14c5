// @defends caller-values-read
// @defends reaches-constructor
import { describe, expect, test } from 'vitest'
import type { InputParam } from '#contract/flow/params/definition.ts'
import type { StepOutput } from '#contract/runs/events.ts'
import {
  compileInputs,
  compileUpdates,
  constantUpdates,
  resolveInputs,
  updateState,
  withOverrides,
} from './resolve-inputs.ts'
import { lookupIn, type ScopeSource, withOwnOutput } from './scope.ts'

const outputs: Record<string, StepOutput | null> = {
  llm_0: { content: 'Hi there', answer: 42, list: [{ name: 'a' }], nested: { deep: true } },
  http_0: { http: { data: { ok: true }, status: 200 } },
  skipped_0: null,
}

const source: ScopeSource = {
  identity: {
    executionId: 'e',
    workspaceId: 'w',
    chatflowId: 'flow-1',
    chatId: 'chat-1',
    sessionId: 'session-1',
    apiMessageId: 'message-1',
    calledBy: [],
  },
  input: { question: 'cost $& and {{ $vars.key }}', form: { city: 'Bern', days: 3 }, history: [], text: '' },
  pastHistory: [{ role: 'user', content: 'before' }],
  view: {
    state: { name: 'Ada', items: [1, 2] },
    history: [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a' },
    ],
  },
  variables: { key: 'v1' },
  loopCount: 2,
  now: () => new Date('2026-01-02T03:04:05.000Z'),
  output: (id) => (Object.hasOwn(outputs, id) ? outputs[id] : undefined),
}
const lookup = lookupIn(source)

const text: InputParam = { label: 'T', name: 't', type: 'string', acceptVariable: true }

function resolved(
  inputs: Record<string, unknown>,
  params: InputParam[],
  components: Record<string, InputParam[]> = {},
) {
  return resolveInputs(
    compileInputs(inputs, params, (name) => components[name]),
    lookup,
  )
}

describe('the values of references', () => {
  test.each([
    ['{{question}}', 'cost $& and {{ $vars.key }}'],
    ['Say: {{ question }}!', 'Say: cost $& and {{ $vars.key }}!'],
    ['{{chat_history}}', 'Human: before\nHuman: q\nAssistant: a'],
    ['{{runtime_messages_length}}', 1],
    ['{{current_date_time}}', '2026-01-02T03:04:05.000Z'],
    ['[{{file_attachment}}]', '[]'],
    ['{{$flow.chatflowId}}/{{$flow.chatflowid}}/{{$flow.chatId}}', 'flow-1/flow-1/chat-1'],
    ['{{$flow.sessionId}} {{$flow.apiMessageId}}', 'session-1 message-1'],
    ['{{$flow.state.name}}', 'Ada'],
    ['{{$flow.state.items}}', '[1,2]'],
    ['{{$vars.key}}', 'v1'],
    ['{{$form.city}}', 'Bern'],
    ['{{$form.days}}', 3],
    ['in {{$form.days}} days', 'in 3 days'],
    ['{{llm_0}}', 'Hi there'],
    ['{{llm_0.output.answer}}', 42],
    ['{{llm_0.output.list[0].name}}', 'a'],
    ['{{llm_0.output.nested}}', '{"deep":true}'],
    ['{{llm\\_0}}', 'Hi there'],
    ['{{http_0}}', '{"ok":true}'],
    ['{{http_0.output.http.status}}', 200],
    ['<{{skipped_0}}>', '<>'],
    ['{{skipped_0.output.x}}', ''],
    ['{{loop_count}}', 2],
  ])('resolves %s', (template, value) => {
    expect(resolved({ t: template }, [text]).t).toBe(value)
  })

  test.each([
    ['{{$iteration}}', 0, 0],
    ['{{$iteration}}', false, false],
    ['<{{$iteration}}>', '', '<>'],
    ['{{$iteration}}', null, null],
    ['{{$iteration.name}}', 'Ada', 'Ada'],
    ['{{$iteration.name}}', { name: 'Ada' }, 'Ada'],
    ['{{$iteration.name.first}}', { name: { first: '' } }, ''],
    ['{{$iteration}}', { a: 1 }, '{"a":1}'],
    ['{{$iteration[1]}}', [1, 2], 2],
    ['{{$iteration.missing}}', { a: 1 }, '{{$iteration.missing}}'],
  ])('%s of the item %j resolves', (template, value, expected) => {
    const iteration = { index: 0, value, isFirst: true, isLast: true }
    const compiled = compileInputs({ t: template }, [text], () => undefined)
    expect(resolveInputs(compiled, lookupIn({ ...source, iteration })).t).toBe(expected)
  })

  test.each([
    '{{nobody_0}}',
    '{{llm_0.output.missing}}',
    '{{$vars.missing}}',
    '{{$vars.constructor}}',
    '{{constructor}}',
    '{{__proto__.polluted}}',
    '{{$flow.state.__proto__}}',
    '{{llm_0.output.constructor.constructor}}',
    '{{toString}}',
    '{{question.anything}}',
    '{{question[0]}}',
    '{{chat_history.length}}',
    '{{loop_count.x}}',
    '{{ 1 + 1 }}',
    '{{$iteration}}',
    '{{ output }}',
    '{"a": {"b": 1}}',
  ])('%s stays as typed', (template) => {
    expect(resolved({ t: `x ${template}` }, [text]).t).toBe(`x ${template}`)
    expect(resolved({ t: template }, [text]).t).toBe(template)
  })

  test('editor HTML is read as Markdown, including mentions', () => {
    const html =
      '<p>Say <span class="variable" data-type="mention" data-id="llm_0" data-label="llm_0">{{ llm_0 }}</span></p>'
    expect(resolved({ t: html }, [text]).t).toBe('Say Hi there')
  })
})

describe('references are resolved', () => {
  test('only in parameters that accept variables', () => {
    const params = [text, { label: 'C', name: 'code', type: 'code' }]
    expect(resolved({ t: '{{question}}', code: '{{question}}', other: '{{question}}' }, params)).toMatchObject({
      t: source.input.question,
      code: '{{question}}',
      other: '{{question}}',
    })
  })

  test('in nested arrays and objects', () => {
    const params: InputParam[] = [{ label: 'A', name: 'a', type: 'array', acceptVariable: true }]
    expect(resolved({ a: [{ k: { v: ['{{$form.days}}', 1, null] } }, 'x'] }, params).a).toEqual([
      { k: { v: [3, 1, null] } },
      'x',
    ])
  })

  test('in the config of a selected component, as it declares', () => {
    const params: InputParam[] = [{ label: 'M', name: 'm', type: 'asyncOptions', loadConfig: true }]
    const config = { modelName: '{{$vars.key}}', secret: '{{$vars.key}}' }
    const components = { chat: [{ label: '', name: 'modelName', type: 'string', acceptVariable: true }] }
    expect(resolved({ m: 'chat', mConfig: config }, params, components).mConfig).toEqual({
      modelName: 'v1',
      secret: '{{$vars.key}}',
    })
    expect(resolved({ m: 'unknown', mConfig: config }, params, components).mConfig).toEqual(config)
  })

  test('in the config of a component selected in an array item', () => {
    const item: InputParam = { label: 'T', name: 'tool', type: 'asyncOptions', loadConfig: true }
    const params: InputParam[] = [{ label: 'Ts', name: 'tools', type: 'array', array: [item] }]
    const tools = [{ tool: 'get', toolConfig: { url: 'https://x/{{$vars.key}}', name: '{{question}}' } }]
    const components = { get: [{ label: '', name: 'url', type: 'string', acceptVariable: true }] }
    expect(resolved({ tools }, params, components).tools).toEqual([
      { tool: 'get', toolConfig: { url: 'https://x/v1', name: '{{question}}' } },
    ])
  })

  test('with defaults for missing inputs, while cleared inputs stay empty', () => {
    const params: InputParam[] = [
      { label: '', name: 'a', type: 'boolean', default: true },
      { label: '', name: 'b', type: 'boolean', default: true },
    ]
    expect(resolved({ b: '' }, params)).toEqual({ a: true, b: '' })
  })

  test('without copying inputs that have none', () => {
    const compiled = compileInputs({ t: 'plain', list: [{ a: 1 }] }, [text], () => undefined)
    expect(resolveInputs(compiled, lookup)).toBe(resolveInputs(compiled, lookup))
  })
})

describe('references in text', () => {
  const body = { label: 'Body', name: 'body', type: 'string', acceptVariable: true, holdsJson: { kind: 'json' } }
  const resolved = (inputs: Record<string, unknown>) =>
    resolveInputs(
      compileInputs(inputs, [body], () => undefined),
      () => 'a "b"',
    ).body

  test('are inserted as JSON in JSON texts', () => {
    expect(resolved({ kind: 'json', body: '{"q": "{{question}}"}' })).toBe('{"q": "a \\"b\\""}')
  })
  test('are inserted unchanged in other texts', () => {
    expect(resolved({ kind: 'raw', body: 'q={{question}}' })).toBe('q=a "b"')
  })
})

describe('state updates', () => {
  const params: InputParam[] = [
    {
      label: 'U',
      name: 'update',
      type: 'array',
      acceptVariable: true,
      array: [
        { label: 'K', name: 'key', type: 'string' },
        { label: 'V', name: 'value', type: 'string', acceptVariable: true, acceptNodeOutputAsVariable: true },
      ],
    },
  ]
  const updated = (value: unknown, output: StepOutput, own?: unknown) =>
    updateState(
      { old: 1 },
      compileUpdates({ update: [{ key: 'k', value }] }, params),
      withOwnOutput(lookup, { output, value: own }),
    )

  test.each([
    ['{{ output }}', { content: 'text' }, 'text'],
    ['{{output}}', { content: 'text' }, 'text'],
    ['got {{ output }} for {{question}}', { content: 'text' }, `got text for ${source.input.question}`],
    ['{{ output.a.b }}', { content: '{"a":{"b":"x"}}' }, 'x'],
    ['{{ output.a.b }}', { content: '```json\n{"a":{"b":"x"}}\n```' }, 'x'],
    ['{{ output.answer }}', { content: 'no JSON', answer: 'spread' }, 'spread'],
    ['{{ output.http.data }}', { http: { data: { a: 1 } } }, { a: 1 }],
    ['{{ output }}', { http: { data: { a: 1 } } }, { a: 1 }],
    ['{{ output.list }}', { content: '{"list":[1,{"a":2}]}' }, [1, { a: 2 }]],
    ['<p>{{ output.list }}</p>', { content: '', list: [1] }, [1]],
    ['{{ output.n }}', { content: '{"n":3}' }, 3],
    ['{{ output.done }}', { content: '{"done":false}' }, false],
    ['in {{ output.list }}', { content: '{"list":[1]}' }, 'in [1]'],
    ['{{ $flow.state.items }}', { content: 'x' }, '[1,2]'],
    ['{{ output.nothing }}', { content: 'no JSON' }, '{{ output.nothing }}'],
    ['plain', {}, 'plain'],
    ['<p>{{ output }}</p>', { content: 'x' }, 'x'],
  ])('%s of %j', (value, output, expected) => {
    expect(updated(value, output)).toEqual({ old: 1, k: expected })
  })

  test.each([[[1, 'a']], [{ a: [1] }], [3], [false], [null]])(
    'the value %j that a node gives stays what it is',
    (value) => {
      expect(updated('{{ output }}', { content: 'as text' }, value)).toEqual({ old: 1, k: value })
    },
  )

  test('do not evaluate templates in the output', () => {
    expect(updated('{{ output }}', { content: '{{ $vars.key }} {{ output }}' })).toEqual({
      old: 1,
      k: '{{ $vars.key }} {{ output }}',
    })
  })

  test('do not evaluate templates in the caller’s values', () => {
    const update = [{ key: 'k', value: '{{ output }} {{question}}' }]
    const updates = constantUpdates({ update }, params)
    expect(updateState({}, updates, withOwnOutput(lookup, { output: { content: 'x' } }))).toEqual({
      k: '{{ output }} {{question}}',
    })
  })

  test('return the same object if there are none', () => {
    const state = { a: 1 }
    expect(updateState(state, compileUpdates({ update: '' }, params), lookup)).toBe(state)
  })
})

describe("a caller's values", () => {
  const own = { list: [1], message: 'old' }

  test('replace values and are appended to lists', () => {
    expect(withOverrides(own, { message: '{{question}}', list: [2] })).toEqual({
      message: '{{question}}',
      list: [1, 2],
    })
    expect(own).toEqual({ list: [1], message: 'old' })
  })

  test('leave the inputs unchanged if there are none', () => {
    expect(withOverrides(own, {})).toBe(own)
  })
})
