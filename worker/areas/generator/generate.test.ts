import { describe, expect, it, test } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import type { ModelMessage } from '../../models/messages.ts'
import { drawFlow } from '../../models/practice/flow-plan.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { type GenerateOptions, generateFlow } from './generate.ts'
import type { PlanStep } from './plan.ts'

const components = componentDefinitions()
const model = { name: 'practiceModel', config: { FLOWISE_CREDENTIAL_ID: 'c1' } }

type Step = Partial<Omit<PlanStep, 'inputs'>> & { inputs?: Record<string, unknown> }

const step = (id: string, type: string, { inputs = {}, ...more }: Step = {}): PlanStep => ({
  id,
  type: `${type}Agentflow`,
  label: id,
  inside: '',
  ...more,
  inputs: Object.entries(inputs).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  })),
})
/** `a > b`, `a:1 > b` */
const links = (...texts: string[]) =>
  texts.map((text) => {
    const [from = '', to = ''] = text.split(' > ')
    const [id = '', output = '0'] = from.split(':')
    return { from: id, output: Number(output), to }
  })

/** Answers with these in turn; what the model was told is in `told`. */
function generating(answers: unknown[], more: Partial<GenerateOptions> = {}) {
  const told: ModelMessage[][] = []
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15, input_cost: 1, output_cost: 1, total_cost: 2 }
  const request: GenerateOptions = {
    question: 'Answer questions',
    model,
    components,
    async ask(messages) {
      told.push([...messages])
      const answer = answers[Math.min(told.length, answers.length) - 1]
      return { text: typeof answer === 'string' ? answer : JSON.stringify(answer), messages: [], usage }
    },
    ...more,
  }
  return { told, run: () => generateFlow(request) }
}

async function draw(plan: object, draft?: FlowDocument): Promise<FlowDocument> {
  const { nodes, edges } = await generating([plan], { draft }).run()
  return { nodes, edges }
}
const nodeOf = (flow: Pick<FlowDocument, 'nodes'>, label: string) => {
  const node = flow.nodes.find(({ data }) => data.label === label)
  if (!node) throw new Error(`No node ${label}`)
  return node
}
const inputsOf = (flow: Pick<FlowDocument, 'nodes'>, label: string) => nodeOf(flow, label).data.inputs ?? {}
const edgesOf = (flow: Pick<FlowDocument, 'edges'>) =>
  flow.edges.map(({ sourceHandle, target }) => `${sourceHandle} > ${target}`)

const support = {
  steps: [
    step('start', 'start', { inputs: { startState: [{ key: 'mood', value: 'calm' }] } }),
    step('sort', 'condition', {
      inputs: {
        conditions: [
          { type: 'string', value1: '{{question}}', operation: 'contains', value2: 'refund' },
          { type: 'number', value1: '{{$flow.state.mood}}', operation: 'larger', value2: '3' },
        ],
      },
    }),
    step('refund', 'agent', {
      inputs: {
        agentMessages: [{ role: 'system', content: 'Refund what was asked in {{sort}}' }],
        agentTools: [{ agentSelectedTool: 'calculator', agentSelectedToolRequiresHumanInput: true }],
      },
    }),
    step('big', 'llm'),
    step('other', 'directReply', { inputs: { directReplyMessage: 'No.' } }),
    step('sent', 'directReply', { inputs: { directReplyMessage: '{{refund}} and {{ big }}' } }),
  ],
  links: links('start > sort', 'sort:0 > refund', 'sort:1 > big', 'sort:2 > other', 'refund > sent', 'big > sent'),
}

describe('a generated flow', () => {
  it('passes the checklist and the engine', async () => {
    const flow = await draw(support)
    expect(flowProblems(flow, components, { kind: agentflow })).toEqual([])
    expect(flow.nodes.map(({ id }) => id)).toEqual([
      'startAgentflow_0',
      'conditionAgentflow_0',
      'agentAgentflow_0',
      'llmAgentflow_0',
      'directReplyAgentflow_0',
      'directReplyAgentflow_1',
    ])
    expect(edgesOf(flow)).toEqual([
      'startAgentflow_0-output-startAgentflow > conditionAgentflow_0',
      'conditionAgentflow_0-output-0 > agentAgentflow_0',
      'conditionAgentflow_0-output-1 > llmAgentflow_0',
      'conditionAgentflow_0-output-2 > directReplyAgentflow_0',
      'agentAgentflow_0-output-agentAgentflow > directReplyAgentflow_1',
      'llmAgentflow_0-output-llmAgentflow > directReplyAgentflow_1',
    ])
  })

  it('has references by node ids, the chosen model, and tools with their defaults', async () => {
    const flow = await draw(support)
    expect(inputsOf(flow, 'sent').directReplyMessage).toBe('{{agentAgentflow_0}} and {{ llmAgentflow_0 }}')
    expect(inputsOf(flow, 'refund')).toMatchObject({
      agentModel: 'practiceModel',
      agentModelConfig: { agentModel: 'practiceModel', FLOWISE_CREDENTIAL_ID: 'c1' },
      agentMessages: [{ role: 'system', content: 'Refund what was asked in {{conditionAgentflow_0}}' }],
      agentTools: [
        {
          agentSelectedTool: 'calculator',
          agentSelectedToolConfig: { agentSelectedTool: 'calculator' },
          agentSelectedToolRequiresHumanInput: true,
        },
      ],
    })
    expect(inputsOf(flow, 'sort').conditions).toMatchObject([{ type: 'string' }, { type: 'number', value2: 3 }])
  })

  it('has the tool inputs of the plan over their defaults', async () => {
    const getting = {
      agentSelectedTool: 'requestsGet',
      agentSelectedToolConfig: { requestsGetUrl: 'https://x.example' },
    }
    const start = step('start', 'start')
    const ask = step('ask', 'agent', { inputs: { agentTools: [getting] } })
    const call = step('call', 'tool', {
      inputs: {
        toolAgentflowSelectedTool: 'calculator',
        toolInputArgs: [{ inputArgName: 'input', inputArgValue: '1 + 1' }],
      },
    })
    const flow = await draw({ steps: [start, ask, call], links: links('start > ask', 'ask > call') })
    expect(inputsOf(flow, 'ask').agentTools).toMatchObject([
      {
        agentSelectedToolConfig: {
          agentSelectedTool: 'requestsGet',
          requestsGetUrl: 'https://x.example',
          requestsGetName: 'requests_get',
        },
      },
    ])
    expect(inputsOf(flow, 'call')).toMatchObject({
      toolAgentflowSelectedToolConfig: { toolAgentflowSelectedTool: 'calculator' },
    })
  })

  it('is laid out from left to right without overlaps', async () => {
    const { nodes, edges } = await draw(support)
    const at = new Map(nodes.map(({ id, position }) => [id, position]))
    for (const { source, target } of edges) expect(at.get(source)?.x).toBeLessThan(at.get(target)?.x ?? 0)
    expect(new Set(nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size).toBe(nodes.length)
  })

  it('begins at Start when the plan has none', async () => {
    const flow = await draw({ steps: [step('answer', 'llm')], links: [] })
    expect(edgesOf(flow)).toEqual(['startAgentflow_0-output-startAgentflow > llmAgentflow_0'])
  })
})

describe('a changed draft', () => {
  const present = () => draw(support)

  it('keeps everything that the plan does not change', async () => {
    const draft = await present()
    const moved = {
      ...draft,
      nodes: draft.nodes.map((node) => ({ ...node, position: { x: node.position.x + 7, y: 3 } })),
    }
    const { told, run } = generating([{ steps: [], links: [] }], { draft: moved })
    await run().catch(() => {})
    const text = String(told[0]?.[1]?.content)
    const shown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
    expect(await draw(shown, moved)).toMatchObject({ nodes: moved.nodes, edges: moved.edges })
  })

  it('gets a step between two others, placed where there is room', async () => {
    const draft = await present()
    const { told, run } = generating([{}], { draft })
    await run().catch(() => {})
    const text = String(told[0]?.[1]?.content)
    const shown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
    const changed = {
      steps: [
        ...shown.steps.filter(({ id }: PlanStep) => id !== 'directReplyAgentflow_0'),
        step('polish', 'llm', { inputs: { llmMessages: [{ role: 'user', content: '{{agentAgentflow_0}}' }] } }),
      ],
      links: [
        ...shown.links.filter(
          ({ from, to }: { from: string; to: string }) =>
            from !== 'agentAgentflow_0' && to !== 'directReplyAgentflow_0',
        ),
        ...links('agentAgentflow_0 > polish', 'polish > directReplyAgentflow_1'),
      ],
    }
    const flow = await draw(changed, draft)
    const polish = nodeOf(flow, 'polish')
    expect(polish.id).toBe('llmAgentflow_1')
    expect(inputsOf(flow, 'polish')).toMatchObject({
      llmModel: 'practiceModel',
      llmMessages: [{ content: '{{agentAgentflow_0}}' }],
    })
    expect(flow.nodes.some(({ id }) => id === 'directReplyAgentflow_0')).toBe(false)
    for (const node of flow.nodes) {
      if (node !== polish) expect(draft.nodes).toContainEqual(node)
      if (node !== polish) expect(node.position).not.toEqual(polish.position)
    }
  })
})

describe('a plan with mistakes', () => {
  const good = { steps: [step('start', 'start'), step('a', 'llm')], links: links('start > a') }
  const bad = (more: Partial<typeof good>) => ({ ...good, ...more })

  test.each<[string, unknown, RegExp]>([
    ['no JSON', 'Sure! Here it is', /it is not JSON/],
    ['no plan', { steps: 1 }, /steps|links/],
    ['an unknown type', bad({ steps: [...good.steps, step('b', 'magic')] }), /does not match any of/],
    ['a link to nowhere', bad({ links: links('start > a', 'a > zzz') }), /there is no step zzz/],
    [
      'a circle',
      bad({ steps: [...good.steps, step('b', 'llm')], links: links('start > a', 'a > b', 'b > a') }),
      /cycle/,
    ],
    [
      'an unknown input',
      bad({ steps: [good.steps[0] as PlanStep, step('a', 'llm', { inputs: { magic: '1' } })] }),
      /no input magic/,
    ],
    [
      'a choice that is not offered',
      bad({ steps: [step('start', 'start', { inputs: { startInputType: 'phone' } }), step('a', 'llm')] }),
      /must be one of chatInput/,
    ],
    [
      'a list that is none',
      bad({ steps: [good.steps[0] as PlanStep, step('a', 'llm', { inputs: { llmMessages: 'Hi' } })] }),
      /must be a JSON list/,
    ],
    [
      'an item of other keys',
      bad({ steps: [good.steps[0] as PlanStep, step('a', 'llm', { inputs: { llmMessages: [{ who: 'x' }] } })] }),
      /have no who/,
    ],
    ['an output that is not there', bad({ links: links('start:4 > a') }), /it has no output 4/],
    ['two of one id', bad({ steps: [...good.steps, step('a', 'llm')] }), /Two steps have the id a/],
    [
      'a step inside of none',
      bad({ steps: [good.steps[0] as PlanStep, step('a', 'llm', { inside: 'start' })] }),
      /inside must be/,
    ],
    [
      'a reference to nothing',
      bad({
        steps: [good.steps[0] as PlanStep, step('a', 'llm', { inputs: { llmUserMessage: '{{llmAgentflow_9}}' } })],
      }),
      /refers to nothing/,
    ],
    [
      'a tool that is not there',
      bad({
        steps: [
          good.steps[0] as PlanStep,
          step('a', 'agent', { inputs: { agentTools: [{ agentSelectedTool: 'magic' }] } }),
        ],
      }),
      /magic is not available/,
    ],
    [
      'settings too deep to be kept',
      bad({
        steps: [
          good.steps[0] as PlanStep,
          step('a', 'agent', {
            inputs: {
              agentTools: `[{"agentSelectedTool":"calculator","agentSelectedToolConfig":${'['.repeat(5000)}${']'.repeat(5000)}}]`,
            },
          }),
        ],
      }),
      /nested too deeply/,
    ],
    [
      'keys of prototypes',
      bad({ steps: [good.steps[0] as PlanStep, step('a', 'llm', { inputs: { ['__proto__']: '{"polluted":1}' } })] }),
      /no input __proto__/,
    ],
    [
      'too many steps',
      bad({ steps: Array.from({ length: 101 }, (_, index) => step(`s${index}`, 'llm')) }),
      /More than 100/,
    ],
    ['too many links', bad({ links: Array(501).fill(good.links[0]) }), /More than 500/],
    ['steps that are none', { steps: [null, 5, []], links: [] }, /steps/],
    [
      'containers in each other',
      bad({
        steps: [
          good.steps[0] as PlanStep,
          step('a', 'iteration', { inside: 'b' }),
          step('b', 'iteration', { inside: 'a' }),
        ],
      }),
      /inside must be/,
    ],
  ])('is sent back once: %s', async (_name, plan, why) => {
    const { told, run } = generating([plan, good])
    const { usage, nodes } = await run()
    expect(nodes).toHaveLength(2)
    expect(told).toHaveLength(2)
    expect(told[1]?.at(-1)).toMatchObject({ role: 'user', content: expect.stringMatching(why) })
    expect(usage).toMatchObject({ total_tokens: 30, total_cost: 4 })
  })

  it('is refused the second time, with its problems and its usage', async () => {
    const { told, run } = generating([bad({ links: [] })])
    await expect(run()).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringMatching(/^The model drew no flow that can run\./),
      details: { problems: [expect.any(String)], usage: { total_tokens: 30 } },
    })
    expect(told).toHaveLength(2)
  })

  it('reports a failed model call', async () => {
    const { run } = generating([], { ask: () => Promise.reject(new Error('Incorrect API key')) })
    await expect(run()).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'The model could not be asked: Incorrect API key',
    })
  })

  it('is accepted when only a person can fill in what is missing', async () => {
    const { run } = generating([good], { model: { name: 'chatOpenAI', config: { modelName: 'm' } } })
    expect((await run()).problems).toMatchObject([
      { issue: expect.stringMatching(/Credential is required/), needsPerson: true },
    ])
  })
})

test.each(['Answer politely', 'Answer, and let a person approve it'])(
  'the practice model draws a flow that runs: %s',
  async (question) => {
    const { told, run } = generating([drawFlow(question)], { question })
    const { problems, nodes } = await run()
    expect(problems).toEqual([])
    expect(nodes.length).toBeGreaterThan(2)
    expect(told).toHaveLength(1)
  },
)

it('lists every type that can be placed in the prompt, and no model', () => {
  const { told, run } = generating([{}])
  return run().catch(() => {
    const text = String(told[0]?.[0]?.content)
    for (const { name, category } of components) {
      if (category === 'Tools' || (category === 'Agent Flows' && name !== 'stickyNoteAgentflow'))
        expect(text).toContain(name)
    }
    expect(text).toContain('scheduleCronExpression')
    expect(text).not.toContain('llmModel')
  })
})
