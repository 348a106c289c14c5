import { describe, expect, it } from 'vitest'
import { frameworkReportSchema } from '#contract/frameworks/report.ts'
import { llmAgent, problemsOf, readTexts, type Texts } from './testing/designs.ts'

const settingsOf = (texts: Texts, id = 'root_agent.yaml') => {
  const agent = readTexts(texts).design.agents.get(id)
  return Object.fromEntries([...(agent?.settings ?? [])].map(([key, { value }]) => [key, value]))
}

const keysIn = (texts: Texts, file = 'root_agent.yaml') =>
  readTexts(texts).report.files.find((each) => each.file === file)?.keys ?? []

describe('an agent', () => {
  it('has its settings as ADK reads them', () => {
    const more =
      'description: >-\n  Two\n  lines\noutput_key: answer\ndisallow_transfer_to_peers: yes\ninclude_contents: none\n'
    expect(settingsOf({ 'root_agent.yaml': llmAgent(more) })).toEqual({
      name: 'desk',
      model: 'gemini-2.5-flash',
      instruction: 'Answer.',
      description: 'Two lines',
      output_key: 'answer',
      disallow_transfer_to_peers: true,
      include_contents: 'none',
    })
  })

  it('says where each setting is', () => {
    const text = `# A comment\n${llmAgent('description: "Desk" # at the door\n')}`
    const { span } =
      readTexts({ 'root_agent.yaml': text }).design.agents.get('root_agent.yaml')?.settings.get('description') ?? {}
    expect([text.slice(span?.start, span?.end), span?.line, span?.column]).toEqual(['description: "Desk"', 5, 1])
  })

  it.each([
    ['Agent', 'LlmAgent'],
    ['""', 'LlmAgent'],
    ['google.adk.agents.LlmAgent', 'LlmAgent'],
    ['google.adk.agents.llm_agent.Agent', 'LlmAgent'],
    ['shop.agents.Desk', { code: 'shop.agents.Desk' }],
    ['ManagedAgent', { code: 'google.adk.agents.ManagedAgent' }],
  ])('of the class %s is %j', (written, name) => {
    const { design } = readTexts({ 'root_agent.yaml': llmAgent(`agent_class: ${written}\n`) })
    expect(design.agents.get('root_agent.yaml')?.class).toEqual(name)
  })

  it('of a class in Python keeps settings that nobody knows', () => {
    const files = { 'root_agent.yaml': 'agent_class: shop.agents.Desk\nname: desk\nrooms: [1, {a: b}]\n' }
    expect(settingsOf(files)).toEqual({ name: 'desk', rooms: [1, { a: 'b' }] })
    expect(keysIn(files).map(({ key, verdict }) => [key, verdict])).toEqual([
      ['agent_class', 'unsupported'],
      ['name', 'exact'],
      ['rooms', 'unsupported'],
    ])
  })

  it('has settings of its model in snake case, however they are written', () => {
    const more =
      'generate_content_config:\n  topP: 0.5\n  max_output_tokens: 64\n  stopSequences: [a, b]\n  thinkingConfig: {includeThoughts: true}\n'
    const { design } = readTexts({ 'root_agent.yaml': llmAgent(more) })
    const generation = [...(design.agents.get('root_agent.yaml')?.generation ?? [])].map(([key, { value }]) => [
      key,
      value,
    ])
    expect(Object.fromEntries(generation)).toEqual({
      top_p: 0.5,
      max_output_tokens: 64,
      stop_sequences: ['a', 'b'],
      thinking_config: { includeThoughts: true },
    })
  })

  it('names its code by key', () => {
    const more =
      'before_tool_callbacks:\n  - name: shop.hooks.check\n  - name: shop.hooks.note\noutput_schema: {name: shop.shapes.Answer}\n'
    const { design, report } = readTexts({ 'root_agent.yaml': llmAgent(more) })
    const code = [...(design.agents.get('root_agent.yaml')?.code ?? [])]
    expect(code.map(([key, names]) => [key, names.map((each) => each.code)])).toEqual([
      ['before_tool_callbacks', ['shop.hooks.check', 'shop.hooks.note']],
      ['output_schema', ['shop.shapes.Answer']],
    ])
    expect(report.tasks.filter(({ kind }) => kind === 'standIn').map(({ line, reason }) => [line, reason])).toEqual([
      [5, 'Runs in real ADK only: shop.hooks.check. Give it a stand-in to run it here.'],
      [6, 'Runs in real ADK only: shop.hooks.note. Give it a stand-in to run it here.'],
      [7, 'Runs in real ADK only: shop.shapes.Answer. Give it a stand-in to run it here.'],
    ])
  })

  it.each([
    ['google_search', { kind: 'ready' }],
    ['google.adk.tools.exit_loop', { kind: 'ready' }],
    ['shop.tools.find', { kind: 'code', args: null }],
    ['shop.tools.find\n    args: {a: 1}', { kind: 'code', args: { a: 1 } }],
    ['VertexAiSearchTool\n    args: {data_store_id: x}', { kind: 'class', args: { data_store_id: 'x' } }],
    [
      'McpToolset\n    args: {streamable_http_connection_params: {url: "https://example.com"}}',
      { kind: 'class', args: { streamable_http_connection_params: { url: 'https://example.com' } } },
    ],
    ['LongRunningFunctionTool\n    args: {func: shop.tools.ask}', { kind: 'class', args: { func: 'shop.tools.ask' } }],
  ])('has the tool %j', (written, tool) => {
    const { design } = readTexts({ 'root_agent.yaml': llmAgent(`tools:\n  - name: ${written}\n`) })
    expect(design.agents.get('root_agent.yaml')?.tools).toMatchObject([tool])
  })

  it('calls another agent as a tool', () => {
    const more =
      'tools:\n  - name: AgentTool\n    args:\n      agent: {config_path: ./summary.yaml}\n      skip_summarization: true\n'
    const { design } = readTexts({ 'root_agent.yaml': llmAgent(more), 'summary.yaml': llmAgent('', 'summary') })
    const [tool] = design.agents.get('root_agent.yaml')?.tools ?? []
    expect(tool).toMatchObject({ kind: 'agent', agent: { agent: 'summary.yaml', written: './summary.yaml' } })
    expect(tool?.kind === 'agent' && tool.settings.get('skip_summarization')?.value).toBe(true)
    expect([...design.agents.keys()]).toEqual(['root_agent.yaml', 'summary.yaml'])
  })
})

describe('a team', () => {
  it('has the agents of its files in their order', () => {
    const { design } = readTexts({
      'shop/team/b.yaml': llmAgent('', 'b'),
      'shop/root_agent.yaml':
        'agent_class: LoopAgent\nname: team\nmax_iterations: 3\nsub_agents:\n  - config_path: team/a.yaml\n  - code: shop.agents.c\n',
      'shop/team/a.yaml': 'agent_class: SequentialAgent\nname: a\nsub_agents: [{config_path: b.yaml}]\n',
    })
    expect([design.folder, design.root]).toEqual(['shop', 'root_agent.yaml'])
    expect(design.agents.get('root_agent.yaml')?.children).toMatchObject([
      { agent: 'team/a.yaml' },
      { code: 'shop.agents.c' },
    ])
    expect(design.agents.get('team/a.yaml')?.children).toMatchObject([{ agent: 'team/b.yaml' }])
    expect(design.agents.get('root_agent.yaml')?.settings.get('max_iterations')?.value).toBe(3)
  })

  it('begins with the only agent that no other refers to, and says that ADK does not', () => {
    const { design, report } = readTexts({
      'team.yaml': 'agent_class: ParallelAgent\nname: team\nsub_agents: [{config_path: a.yaml}]\n',
      'a.yaml': llmAgent('', 'a'),
      'services.yaml': 'services: []\n',
    })
    expect(design.root).toBe('team.yaml')
    expect(report.files.map(({ file, verdict, reasons }) => [file, verdict, reasons])).toEqual([
      ['team.yaml', 'changed', ['ADK begins with root_agent.yaml: rename this file to run the design there.']],
      ['a.yaml', 'exact', []],
      ['services.yaml', 'unsupported', ['No agent refers to this file. It is kept and exported.']],
    ])
  })

  it('tells of an agent that is used twice', () => {
    const { report } = readTexts({
      'root_agent.yaml':
        'agent_class: SequentialAgent\nname: team\nsub_agents:\n  - config_path: a.yaml\n  - config_path: a.yaml\n',
      'a.yaml': llmAgent('', 'a'),
    })
    expect(report.files[1]).toMatchObject({
      verdict: 'changed',
      reasons: [
        'It is used 2 times (root_agent.yaml, line 4; root_agent.yaml, line 5): each use is an agent of its own, and all are named a.',
      ],
    })
    expect(report.tasks).toContainEqual({
      kind: 'setting',
      file: 'a.yaml',
      line: 1,
      column: 1,
      reason: 'a already has a parent: duplicate it, or call it as a tool.',
    })
  })

  it('tells of two agents of one name', () => {
    const reason = 'Another agent is named a: root_agent.yaml, line 2. Rename one of them.'
    const files = {
      'root_agent.yaml': 'agent_class: SequentialAgent\nname: a\nsub_agents: [{config_path: b.yaml}]\n',
      'b.yaml': llmAgent('', 'a'),
    }
    expect(keysIn(files, 'b.yaml')[0]).toEqual({
      key: 'name',
      line: 1,
      column: 1,
      verdict: 'changed',
      reasons: [reason],
    })
    expect(readTexts(files).report.tasks).toContainEqual({
      kind: 'setting',
      file: 'b.yaml',
      line: 1,
      column: 1,
      reason,
    })
  })

  it('asks once for each model', () => {
    const { report } = readTexts({
      'root_agent.yaml': llmAgent('sub_agents: [{config_path: a.yaml}, {config_path: b.yaml}]\n'),
      'a.yaml': llmAgent('', 'a'),
      'b.yaml': 'name: b\ninstruction: Answer.\n',
    })
    expect(report.tasks.map(({ kind, file, reason }) => [kind, file, reason])).toEqual([
      ['model', 'root_agent.yaml', 'Choose a model for gemini-2.5-flash.'],
      ['model', 'b.yaml', 'No model is named: ADK takes that of the agent above, or its own default. Choose one.'],
    ])
  })
})

describe('a graph', () => {
  const graph = (edges: string) => `agent_class: Workflow\nname: flow\nedges:\n${edges}`
  const edgesOf = (edges: string) =>
    readTexts({ 'root_agent.yaml': graph(edges), 'a.yaml': llmAgent('', 'a') }).design.agents.get('root_agent.yaml')
      ?.edges

  it('has chains with a fan-out, code and routes', () => {
    const edges =
      '  - [START, [a.yaml, .nodes.sort], .nodes.check]\n  - [check, {again: a, yes: a.yaml, 2: a.yaml, __DEFAULT__: [.nodes.sort, a]}]\n'
    expect(edgesOf(edges)).toMatchObject([
      {
        kind: 'chain',
        steps: [
          { nodes: [{ kind: 'start' }] },
          {
            nodes: [
              { kind: 'reference', agent: 'a.yaml' },
              { kind: 'function', code: '.nodes.sort' },
            ],
          },
          { nodes: [{ kind: 'function', code: '.nodes.check' }] },
        ],
      },
      {
        steps: [
          { nodes: [{ kind: 'named', name: 'check' }] },
          {
            kind: 'routes',
            routes: [
              { route: 'again', nodes: [{ name: 'a' }] },
              { route: true, nodes: [{ agent: 'a.yaml' }] },
              { route: 2, nodes: [{ agent: 'a.yaml' }] },
              { route: '__DEFAULT__', nodes: [{ code: '.nodes.sort' }, { name: 'a' }] },
            ],
          },
        ],
      },
    ])
  })
})

describe('the report', () => {
  it('has the shape of its schema', () => {
    const { report } = readTexts({ 'root_agent.yaml': llmAgent('tools: [{name: shop.tools.a}]\n'), '.env': 'KEY=1\n' })
    expect(frameworkReportSchema.parse(report)).toEqual(report)
  })

  it.each([
    ['model: other\n', 'model (line 2)', 'changed', 'This key comes again in line 4, and ADK reads only that one.'],
    ['disallow_transfer_to_peers: "on"\n', 'disallow_transfer_to_peers', 'changed', 'ADK reads “on” as true.'],
    ['generate_content_config: {seed: "7"}\n', 'generate_content_config.seed', 'changed', 'ADK reads “7” as 7.'],
    [
      'tools: [{name: google_search, args: {a: 1}}]\n',
      'tools[0].args',
      'changed',
      'google_search takes no arguments: they have no effect.',
    ],
    [
      'tools: [{name: shop.tools.a, args: {day: 2026-01-01, 1: x}}]\n',
      'tools[0].args',
      'changed',
      '2026-01-01 in line 4: Python reads a date, which is a text here.',
    ],
    [
      'tools: [{name: McpToolset, args: {stdio_connection_params: {server_params: {command: npx}}}}]\n',
      'tools[0].args',
      'unsupported',
      'Runs in real ADK only: an MCP server that is started as a process. Give it a stand-in to run it here.',
    ],
    [
      'static_instruction: [12345678901234567890, .inf]\n',
      'static_instruction',
      'changed',
      '12345678901234567000 in line 4: the number has more digits than are read here.',
    ],
  ])('tells of %j', (more, key, verdict, reason) => {
    const found = keysIn({ 'root_agent.yaml': llmAgent(more) }).find((each) => each.key === key)
    expect(found).toMatchObject({ verdict, reasons: expect.arrayContaining([reason]) })
  })

  it('tells of a setting that a graph does not have', () => {
    const files = { 'root_agent.yaml': 'agent_class: Workflow\nname: flow\nfoo: 1\n' }
    expect(keysIn(files)[2]).toMatchObject({
      key: 'foo',
      verdict: 'changed',
      reasons: ['Workflow has no such setting: ADK ignores it.'],
    })
  })

  it.each([
    ['tools.py', 'x = 1', 'unsupported', 'Python is kept and exported. It does not run here.'],
    [
      'agent.py',
      'root_agent = 1',
      'unsupported',
      'ADK loads the agent of this file in place of root_agent.yaml. Python is kept and exported. It does not run here.',
    ],
    ['a.evalset.json', '{}', 'unsupported', 'Evaluations are kept and exported. They do not run here.'],
    [
      'more.yaml',
      'a: [',
      'unsupported',
      'No agent refers to this file. It is kept and exported. Its secrets, if any, are kept too: ',
    ],
    ['.env', 'A=1', 'changed', 'The names are kept, and the values are not: enter keys as credentials.'],
  ])('tells of the file %s', (name, text, verdict, reason) => {
    const { report } = readTexts({ 'root_agent.yaml': llmAgent(), [name]: text })
    expect(report.files[1]).toMatchObject({ file: name, verdict, reasons: [expect.stringContaining(reason)] })
  })

  it('has nothing to say of a file that is kept as it is', () => {
    const { report } = readTexts({ 'root_agent.yaml': llmAgent(), 'README.md': '# Desk' })
    expect(report.files[1]).toEqual({ file: 'README.md', verdict: 'exact', reasons: [], keys: [] })
  })
})

it('reads a design that another person wrote, whatever its line ends', () => {
  const text = `\ufeff${llmAgent('tools: [{name: exit_loop}]\n').replaceAll('\n', '\r\n')}`
  expect(settingsOf({ 'root_agent.yaml': text })).toMatchObject({ name: 'desk', instruction: 'Answer.' })
  expect(problemsOf({ 'root_agent.yaml': text })).toEqual([])
})
