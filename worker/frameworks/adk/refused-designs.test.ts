import { describe, expect, it } from 'vitest'
import { llmAgent, problemsOf, readTexts, type Texts } from './testing/designs.ts'

const team = (more: string, name = 'team') => `agent_class: SequentialAgent\nname: ${name}\n${more}`
const root = (text: string) => ({ 'root_agent.yaml': text })

/** Lines that follow an agent of three lines. */
const LINES: [string, string][] = [
  ['foo: 1', '4 foo is unknown: LlmAgent has no such key.'],
  [
    'description: 2026-01-01',
    '4 description must be a text, and not 2026-01-01. Python reads it as a date: put it in quotes if it is a text.',
  ],
  [
    'description: yes',
    '4 description must be a text, and not true. Python reads it as true or false: put it in quotes if it is a text.',
  ],
  ['description:', '4 description must be a text, and not nothing.'],
  ['description: [a]', '4 description must be a text, and not a list.'],
  ['12: x', '4 The key 12 is a number for Python. Put it in quotes.'],
  ['disallow_transfer_to_peers: 2', '4 disallow_transfer_to_peers must be true or false, and not 2.'],
  ['include_contents: all', '4 include_contents must be one of default, none, and not “all”.'],
  ['name: a-b', '4 The name “a-b” must be a Python identifier.'],
  ['name: user', '4 An agent may not be named user.'],
  ['agent_class: Desk', '4 agent_class: ADK has no class “Desk”.'],
  [
    'agent_class: os.path',
    '4 os.path is in Python’s standard library or another module that ADK does not let designs use.',
  ],
  ['agent_class: [a]', '4 agent_class must be the name of a class, and not a list.'],
  ['model_code: {name: shop.models.m}', '4 The agent has a model and a model_code: only one of them may be there.'],
  [
    'model_code: {name: shop.models.m, args: []}',
    '4 model_code.args is unknown: model_code may have a name alone. Arguments are given in Python.',
  ],
  ['output_schema: shop.shapes.A', '4 output_schema must be a map of keys and values.'],
  ['output_schema: {}', '4 output_schema needs a name.'],
  ['before_model_callbacks: {name: a.b}', '4 before_model_callbacks must be a list.'],
  [
    'before_model_callbacks: [{name: check}]',
    '4 before_model_callbacks[0]: check is not the full name of Python code, such as shop.tools.find.',
  ],
  [
    'before_model_callbacks: [{name: .a.b}]',
    '4 before_model_callbacks[0]: .a.b is not the full name of Python code, such as shop.tools.find.',
  ],
  [
    'before_model_callbacks: [{name: "a.b; import os"}]',
    '4 before_model_callbacks[0]: a.b; import os is not the full name of Python code, such as shop.tools.find.',
  ],
  [
    'before_model_callbacks: [{name: subprocess.run}]',
    '4 before_model_callbacks[0]: subprocess.run is in Python’s standard library',
  ],
  ['sub_agents: {config_path: a.yaml}', '4 sub_agents must be a list.'],
  ['sub_agents: [a.yaml]', '4 sub_agents[0] must be a map of keys and values.'],
  ['sub_agents: [{}]', '4 sub_agents[0] needs either config_path or code.'],
  ['sub_agents: [{config_path: a.yaml, code: a.b}]', '4 sub_agents[0] needs either config_path or code.'],
  [
    'sub_agents: [{config_path: a.yaml, name: a}]',
    '4 sub_agents[0].name is unknown: a reference has a config_path or code.',
  ],
  ['sub_agents: [{config_path: gone.yaml}]', '4 The file gone.yaml is missing.'],
  [
    'sub_agents: [{config_path: ../a.yaml}]',
    '4 sub_agents[0]: the path “../a.yaml” leads elsewhere. It has to stay in the folder of this file.',
  ],
  ['sub_agents: [{config_path: a/../../b.yaml}]', '4 sub_agents[0]: the path “a/../../b.yaml” leads elsewhere.'],
  [
    'sub_agents: [{config_path: /etc/passwd}]',
    '4 sub_agents[0]: the path “/etc/passwd” leads elsewhere. Write it from the folder of this file.',
  ],
  ['sub_agents: [{config_path: 1}]', '4 sub_agents[0] must be the path of a file, and not 1.'],
  ['tools: {name: a.b}', '4 tools must be a list.'],
  ['tools: [google_search]', '4 tools[0] must be a map of keys and values.'],
  ['tools: [{args: {}}]', '4 tools[0] needs the name of a tool.'],
  ['tools: [{name: nope}]', '4 tools[0]: ADK has no tool called “nope”.'],
  ['tools: [{name: os.system}]', '4 tools[0]: os.system is in Python’s standard library'],
  ['tools: [{name: google_search, with: 1}]', '4 tools[0].with is unknown: a tool has a name and args.'],
  ['tools: [{name: exit_loop, args: {a: 1}}]', '4 tools[0].args: exit_loop takes no arguments.'],
  ['tools: [{name: a.b, args: [1]}]', '4 tools[0].args must be a map of keys and values.'],
  ['tools: [{name: AgentTool}]', '4 tools[0]: AgentTool needs args with the agent that it calls.'],
  ['tools: [{name: AgentTool, args: {agent: a.yaml}}]', '4 tools[0].args.agent must be a map of keys and values.'],
  ['tools: [{name: AgentTool, args: {agent: {code: a.b}, foo: 1}}]', '4 tools[0].args.foo is unknown.'],
  ['tools: [{name: LongRunningFunctionTool}]', '4 tools[0]: LongRunningFunctionTool needs args with a func'],
  ['tools: [{name: McpToolset}]', '4 tools[0]: McpToolset needs args with one of stdio_server_params'],
  ['generate_content_config: []', '4 generate_content_config must be a map of keys and values.'],
  ['generate_content_config: {foo: 1}', '4 generate_content_config.foo is unknown.'],
  ['generate_content_config: {topP: 1, top_p: 1}', '4 generate_content_config.top_p is there twice, as top_p too.'],
  [
    'generate_content_config: {tools: [a]}',
    '4 generate_content_config.tools does not belong here: write it as tools of the agent.',
  ],
  [
    'generate_content_config: {temperature: hot}',
    '4 generate_content_config.temperature must be a number, and not “hot”.',
  ],
  [
    'generate_content_config: {temperature: .inf}',
    '4 generate_content_config.temperature must be a number, and not Infinity.',
  ],
  ['generate_content_config: {seed: 1.5}', '4 generate_content_config.seed must be a whole number, and not 1.5.'],
  ['generate_content_config: {seed: "1e3"}', '4 generate_content_config.seed must be a whole number, and not “1e3”.'],
  [
    'generate_content_config: {stop_sequences: [a, 1]}',
    '4 generate_content_config.stop_sequences must be a list of texts, and not 1.',
  ],
  ['generate_content_config: {labels: {a: 1}}', '4 generate_content_config.labels must be a map of texts, and not 1.'],
  [
    'generate_content_config: {safety_settings: [{category: HARM_CATEGORY_HARASSMENT, threshold: OFF}]}',
    '4 generate_content_config.safety_settings must be a list of maps with texts, and not false. Python reads it as true or false',
  ],
  [
    'generate_content_config: {http_options: {baseUrl: "https://a"}}',
    '4 generate_content_config.http_options may not have a base URL',
  ],
  [
    'description: [',
    '5 This is not YAML that ADK reads: Flow sequence in block collection must be sufficiently indented',
  ],
  ['description: *x', '4 This is not YAML that ADK reads: the alias *x stands for nothing.'],
  [
    'description: !!python/name:os.system x',
    '4 This is not YAML that ADK reads: it has a value of the type !!python/name:os.system',
  ],
]

describe('a design is refused', () => {
  it.each(LINES)('for the line %j: %s', (line, problem) => {
    expect(problemsOf(root(llmAgent(`${line}\n`)))).toContainEqual(
      expect.stringContaining(`root_agent.yaml:${problem}`),
    )
  })

  const DESIGNS: [string, Texts, string][] = [
    ['no name', root('instruction: a\n'), 'root_agent.yaml:1 The agent has no name.'],
    ['no instruction', root('name: a\n'), 'root_agent.yaml:1 The agent has no instruction.'],
    ['an empty file', root('# nothing\n'), 'root_agent.yaml:1 The file is empty.'],
    ['a list', root('- a\n'), 'root_agent.yaml:1 An agent must be a map of keys and values.'],
    [
      'a model in a sequence',
      root(team('model: a\n')),
      'root_agent.yaml:3 model is unknown: SequentialAgent has no such key.',
    ],
    [
      'a circle of files',
      {
        ...root(team('sub_agents: [{config_path: a.yaml}]\n')),
        'a.yaml': team('sub_agents: [{config_path: root_agent.yaml}]\n', 'a'),
      },
      'a.yaml:3 These agents refer to each other in a circle: root_agent.yaml → a.yaml → root_agent.yaml.',
    ],
    [
      'an agent that is its own tool',
      root(llmAgent('tools: [{name: AgentTool, args: {agent: {config_path: root_agent.yaml}}}]\n')),
      'root_agent.yaml:4 These agents refer to each other in a circle: root_agent.yaml → root_agent.yaml.',
    ],
    [
      'a path that leaves the folder of its own file',
      {
        ...root(team('sub_agents: [{config_path: a/b.yaml}]\n')),
        'a/b.yaml': team('sub_agents: [{config_path: ../c.yaml}]\n'),
        'c.yaml': llmAgent(),
      },
      'a/b.yaml:3 sub_agents[0]: the path “../c.yaml” leads elsewhere.',
    ],
    [
      'a graph as a sub-agent',
      { ...root(team('sub_agents: [{config_path: a.yaml}]\n')), 'a.yaml': 'agent_class: Workflow\nname: a\n' },
      'root_agent.yaml:3 a.yaml is a Workflow, which may be the root or a node of a Workflow, and no sub-agent.',
    ],
    [
      'several roots',
      { 'a/root_agent.yaml': llmAgent(), 'b/root_agent.yaml': llmAgent() },
      'a/root_agent.yaml: More than one agent may be the root.',
    ],
    [
      'several agents without a root',
      { 'a.yaml': llmAgent(), 'b.yaml': llmAgent() },
      'b.yaml: More than one agent may be the root. Name the root’s file root_agent.yaml.',
    ],
    ['a toolbox', { 'tools.yaml': 'sources: {}\ntools: {}\n' }, ': There is no agent: neither root_agent.yaml nor'],
    ['broken YAML alone', { 'a.yaml': 'name: [\n' }, 'a.yaml:2 This is not YAML that ADK reads'],
    ['an agent in Python', { 'agent.py': 'root_agent = 1\n' }, ': agent.py is Python, which is not read.'],
    [
      'a node of a circle without a root',
      {
        'a.yaml': llmAgent('sub_agents: [{config_path: b.yaml}]\n'),
        'b.yaml': llmAgent('sub_agents: [{config_path: a.yaml}]\n'),
      },
      'b.yaml:4 These agents refer to each other in a circle',
    ],
  ]
  it.each(DESIGNS)('for %s', (_, files, problem) => {
    expect(problemsOf(files)).toContainEqual(expect.stringContaining(problem))
  })

  const GRAPHS: [string, string][] = [
    ['START', '5 edges[0] must be a list of steps, and not “START”.'],
    ['[START, later]', '5 No earlier edge has a node named “later”.'],
    ['[START, 1]', '5 edges[0][1] must be a node, and not 1.'],
    ['[START, [a.yaml, [a.yaml]]]', '5 edges[0][1][1] must be a node, and not a list.'],
    ['[{yes: a.yaml}]', '5 edges[0][0]: routes need a step before them.'],
    ['[START, {1.5: a.yaml}]', '5 edges[0][1].1.5: a route must be a text, a whole number, or true or false.'],
    ['{from_node: START, to: a.yaml}', '5 edges[0] must be a list of steps, or a map of from_node, to_node and route.'],
    ['[START, a.yaml, ./a.yaml]', '5 Write a.yaml, as before: ADK takes another spelling for another node.'],
    ['[START, os.system]', '5 edges[0][1]: os.system is in Python’s standard library'],
    ['[START, {agent_class: FunctionNode, name: f}]', '5 edges[0][1] has no func_code.'],
    [
      '[START, {agent_class: JoinNode, name: j}, {agent_class: JoinNode, name: j}]',
      '5 Two nodes of this graph are named j.',
    ],
  ]
  it.each(GRAPHS)('for the edge %j: %s', (edge, problem) => {
    const files = { ...root(`agent_class: Workflow\nname: flow\n\nedges:\n  - ${edge}\n`), 'a.yaml': llmAgent('', 'a') }
    expect(problemsOf(files)).toContainEqual(expect.stringContaining(`root_agent.yaml:${problem}`))
  })
})

it('names every problem of every file, with its line', () => {
  const files = {
    ...root(team('sub_agents:\n  - config_path: a.yaml\n  - config_path: gone.yaml\n')),
    'a.yaml': llmAgent('foo: 1\nbar: 2\n'),
  }
  expect(() => readTexts(files)).toThrow(
    'Invalid Imported File: root_agent.yaml, line 5: The file gone.yaml is missing. a.yaml, line 4: foo is unknown: LlmAgent has no such key. a.yaml, line 5: bar is unknown: LlmAgent has no such key.',
  )
})
