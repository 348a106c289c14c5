import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../ports/types.ts'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import { drawChat, outputOf, runChat } from '../testing/chat.ts'

/** Runs code of the tests alone. The real sandbox has tests of its own. */
const sandbox: Sandbox = {
  run: async ({ code, globals }) => {
    const names = Object.keys(globals)
    const work = new Function(...names, `return (async () => { ${code} })()`)
    return { value: await work(...names.map((name) => globals[name])), logs: [] }
  },
}

const prompt = (template: string, promptValues: string) => ({ inputs: { template, promptValues } })

describe('an If/Else function', () => {
  const flow = drawChat(
    {
      scripted_0: {},
      ifElseFunction_0: {
        inputs: {
          functionInputVariables: '{"q":"{{question}}"}',
          ifFunction: 'if ($q.includes("refund")) return { kind: "refund" }',
          elseFunction: 'return "other"',
        },
      },
      promptTemplate_0: prompt('Refund: {r}', '{"r":"{{ifElseFunction_0.data.instance.kind}}"}'),
      promptTemplate_1: prompt('Other: {r}', '{"r":"{{ifElseFunction_0.data.instance}}"}'),
      llmChain_0: {},
      llmChain_1: {},
    },
    [
      'ifElseFunction_0:returnTrue > promptTemplate_0.promptValues',
      'ifElseFunction_0:returnFalse > promptTemplate_1.promptValues',
      'promptTemplate_0 > llmChain_0.prompt',
      'promptTemplate_1 > llmChain_1.prompt',
      'scripted_0 > llmChain_0.model',
      'scripted_0 > llmChain_1.model',
    ],
  )

  it.each([
    ['a refund "now"', 'user: Refund: refund', ['ifElseFunction_0', 'llmChain_0']],
    ['hello', 'user: Other: other', ['ifElseFunction_0', 'llmChain_1']],
  ])('runs one of two chains: %s', async (question, told, ran) => {
    const model = scriptedModel(['ok'])
    const ended = await runChat(flow, { models: model, question, sandbox })
    expect([ended.text, ended.ran, toldTo(model)]).toEqual(['ok', ran, [told]])
  })
})

describe('a custom function', () => {
  it('ends a flow, with data as JSON', async () => {
    const flow = drawChat(
      {
        customFunction_0: { output: 'output', inputs: { javascriptFunction: 'return "one"' } },
        customFunction_1: {
          output: 'EndingNode',
          inputs: {
            functionInputVariables: '{"a":"{{customFunction_0.data.instance}}"}',
            javascriptFunction: 'return [$a]',
          },
        },
      },
      ['customFunction_0 > customFunction_1.functionInputVariables'],
    )
    const ended = await runChat(flow, { sandbox })
    expect([ended.ran, outputOf(ended).json]).toEqual([['customFunction_0', 'customFunction_1'], ['one']])
  })

  it('never has its code resolved as a template', async () => {
    const javascriptFunction = 'return "{{question}} {{$vars.x}}"'
    const flow = drawChat(
      {
        customFunction_0: { output: 'output' },
        customFunction_1: { output: 'EndingNode', inputs: { javascriptFunction } },
      },
      ['customFunction_0 > customFunction_1.functionInputVariables'],
    )
    const first = { ...flow.nodes[0]?.data.inputs, javascriptFunction: 'return "{}"' }
    const nodes = flow.nodes.map((node, index) =>
      index === 0 ? { ...node, data: { ...node.data, inputs: first } } : node,
    )
    const ended = await runChat({ ...flow, nodes }, { sandbox, variables: { x: '1' } })
    expect(ended.text).toBe('{{question}} {{$vars.x}}')
  })
})

describe('variables of a run', () => {
  it('are got after they are set, without a connection', async () => {
    const flow = drawChat(
      {
        getVariable_0: { inputs: { variableName: 'who' } },
        customFunction_0: { output: 'output', inputs: { javascriptFunction: 'return "Ann"' } },
        setVariable_0: { inputs: { variableName: 'who' } },
        promptTemplate_0: prompt('Greet {name}', '{"name":"{{getVariable_0.data.instance}}"}'),
        scripted_0: {},
        llmChain_0: {},
      },
      [
        'customFunction_0 > setVariable_0.input',
        'getVariable_0 > promptTemplate_0.promptValues',
        'promptTemplate_0 > llmChain_0.prompt',
        'scripted_0 > llmChain_0.model',
      ],
    )
    const model = scriptedModel(['ok'])
    const ended = await runChat(flow, { models: model, sandbox })
    expect([ended.error, toldTo(model)]).toEqual([undefined, ['user: Greet Ann']])
    expect(ended.ran).toEqual(['customFunction_0', 'setVariable_0', 'getVariable_0', 'llmChain_0'])
  })
})
