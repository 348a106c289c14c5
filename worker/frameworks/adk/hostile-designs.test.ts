// @defends design-file-expands
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_SOURCES } from '#contract/flow/sources.ts'
import { byDepth } from '#worker/local/testing/depth.ts'
import { costRatio } from '#worker/local/testing/growth.ts'
import { filesOf, llmAgent, problemsOf, readTexts } from './testing/designs.ts'

const team = (name: string, files: readonly string[]) =>
  `agent_class: SequentialAgent\nname: ${name}\nsub_agents:\n${files.map((file) => `  - config_path: ${file}\n`).join('')}`

const range = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at))

it('refuses files that double with each other', () => {
  const files = range(30, (at) => [`a${at}.yaml`, team(`a${at}`, [`a${at + 1}.yaml`, `a${at + 1}.yaml`])])
  const texts = {
    ...Object.fromEntries(files),
    'a30.yaml': llmAgent('', 'a30'),
    'root_agent.yaml': team('root', ['a0.yaml']),
  }
  expect(problemsOf(texts)).toEqual([
    'root_agent.yaml:1 The design has more than 500 agents, as each use of a file is an agent of its own.',
  ])
})

it('refuses aliases of aliases, with the line', () => {
  const laughs = range(20, (at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`)}]`)
  expect(problemsOf({ 'root_agent.yaml': ['a0: &a0 [x]', ...laughs].join('\n') })).toEqual([
    'root_agent.yaml:6 This is not YAML that ADK reads: it has more than 20000 values, with those that aliases stand for.',
  ])
})

it('refuses what is nested too deeply, with the line', () => {
  expect(problemsOf({ 'root_agent.yaml': `${llmAgent()}tools: ${'['.repeat(1000)}` })).toEqual([
    'root_agent.yaml:4 This is not YAML that ADK reads: it is nested too deeply.',
  ])
})

it('refuses four megabytes without reading them', () => {
  const text = `${llmAgent()}description: ${'a'.repeat(4_000_000)}\n`
  expect(problemsOf({ 'root_agent.yaml': text })).toEqual([
    'root_agent.yaml:1 This is not YAML that ADK reads: the files of the agents have more than 1000000 characters.',
  ])
})

it('reads no more than one million characters in all files together', () => {
  const files = range(4, (at) => [`a${at}.yaml`, llmAgent(`description: ${'a'.repeat(300_000)}\n`, `a${at}`)])
  const names = files.map(([name = '']) => name)
  expect(problemsOf({ 'root_agent.yaml': team('root', names), ...Object.fromEntries(files) })).toEqual([
    'a3.yaml:1 This is not YAML that ADK reads: the files of the agents have more than 1000000 characters.',
  ])
})

it('names the first problems only, and cuts what they quote', () => {
  const problems = problemsOf({
    'root_agent.yaml': llmAgent(range(100, (at) => `${'k'.repeat(1000)}${at}: 1\n`).join('')),
  })
  expect(problems.length).toBe(20)
  expect(Math.max(...problems.map(({ length }) => length))).toBeLessThan(400)
})

it('keeps names that objects have by themselves', () => {
  const texts = {
    'root_agent.yaml': 'agent_class: shop.Desk\nname: constructor\n__proto__: {polluted: 1}\ntoString: 1\n',
  }
  const { design } = readTexts(texts)
  expect([...(design.agents.get('root_agent.yaml')?.settings.keys() ?? [])]).toEqual(['name', '__proto__', 'toString'])
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
  expect(problemsOf({ 'root_agent.yaml': llmAgent('constructor: 1\n') })).toEqual([
    'root_agent.yaml:4 constructor is unknown: LlmAgent has no such key.',
  ])
})

/** Each makes a design of a given size. */
const SIZES: [string, (size: number) => Record<string, string>][] = [
  [
    'agents',
    (size) => ({
      'root_agent.yaml': team(
        'root',
        range(size / 20, (at) => `a${at}.yaml`),
      ),
      ...Object.fromEntries(
        range(size / 20, (at) => [`a${at}.yaml`, llmAgent(`description: ${'a '.repeat(200)}\n`, `a${at}`)]),
      ),
    }),
  ],
  ['tools', (size) => ({ 'root_agent.yaml': llmAgent(`tools:\n${'  - name: shop.tools.find\n'.repeat(size)}`) })],
  ['keys that come again', (size) => ({ 'root_agent.yaml': llmAgent('description: a\n'.repeat(size)) })],
  [
    'secrets',
    (size) => ({
      'root_agent.yaml': llmAgent(`tools: [{name: shop.a, args: {token: [${'sesame, '.repeat(size)}]}}]\n`),
    }),
  ],
  [
    'nodes inside a graph',
    (size) => ({
      'root_agent.yaml': `agent_class: Workflow\nname: flow\nedges:\n  - - START\n${range(size, (at) => `    - {agent_class: JoinNode, name: n${at}}\n`).join('')}`,
    }),
  ],
  [
    'uses of one file',
    (size) => ({
      'root_agent.yaml': team(
        'root',
        range(size, () => 'a.yaml'),
      ),
      'a.yaml': llmAgent('', 'a'),
    }),
  ],
]

it.each(SIZES)('takes linear time for many %s', async (_, make) => {
  const [small, large] = [filesOf(make(400)), filesOf(make(1600))]
  const { readDesign } = await import('./read-design.ts')
  const attempt = (files: typeof small) => () => {
    try {
      readDesign(files)
    } catch {}
  }
  // Linear work costs four times as much, quadratic work 16 times.
  expect(await costRatio(attempt(small), attempt(large), 8)).toBeLessThan(8)
})

it('has room for as many files as a flow may have', () => {
  const files = range(MAX_SOURCES - 1, (at) => [`a${at}.yaml`, llmAgent('', `a${at}`)])
  const names = files.map(([name = '']) => name)
  expect(readTexts({ 'root_agent.yaml': team('root', names), ...Object.fromEntries(files) }).design.agents.size).toBe(
    100,
  )
})

/** Lines of designs, right and wrong; a text of some of them hits more than one of random characters. */
const LINES = [
  'name: a',
  'name: b',
  'instruction: x',
  'model: m',
  'agent_class: Workflow',
  'agent_class: LoopAgent',
  'agent_class: shop.A',
  'sub_agents:',
  '  - config_path: a.yaml',
  '  - {code: shop.a}',
  'tools:',
  '  - name: exit_loop',
  '  - name: AgentTool',
  '    args:',
  '      agent: {config_path: root_agent.yaml}',
  '    args: {token: x, a: &x [1, *x]}',
  'edges:',
  '  - [START, a.yaml]',
  '  - [a, {yes: a.yaml, 1.5: [b]}]',
  '  - {from_node: START, to_node: a}',
  'generate_content_config:',
  '  topP: 012',
  '  safety_settings: [{category: 1}]',
  'output_schema:',
  '  name: shop.A',
  'before_agent_callbacks: [{name: a.b}, 1, ~]',
  '<<: {name: c}',
  'x: 2026-01-01',
  '? [a]',
  ': b',
  '- a',
  '---',
  '\t',
  '12: y',
  'max_iterations: .nan',
  'description: |',
  '  text',
]

it('throws nothing but its own error for any files', () => {
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.constantFrom(...LINES), { maxLength: 14 }).map((lines) => lines.join('\n')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  )
  const names = fc.constantFrom('root_agent.yaml', 'a.yaml', 'b/c.yml', '.env', 'agent.py', '../x', 'notes.md')
  const files = fc.dictionary(names, text, { maxKeys: 4 })
  fc.assert(
    fc.property(files, (texts) => {
      problemsOf(texts)
    }),
    { numRuns: byDepth(1000, 50_000) },
  )
})

it('throws nothing but its own error for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => readTexts({ 'root_agent.yaml': String.fromCharCode(...bytes) })).toThrow(/^Invalid Imported File: /)
    }),
    { numRuns: byDepth(300, 10_000) },
  )
})
