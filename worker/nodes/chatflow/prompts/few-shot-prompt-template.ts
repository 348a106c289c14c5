import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { fill, variablesIn } from './template.ts'

export const fewShotPromptTemplate: ComponentNodeType = {
  definition: {
    label: 'Few Shot Prompt Template',
    name: 'fewShotPromptTemplate',
    version: 1,
    type: 'FewShotPromptTemplate',
    category: 'Prompts',
    description: 'A prompt with examples of questions and answers',
    baseClasses: ['FewShotPromptTemplate', 'BaseStringPromptTemplate', 'BasePromptTemplate'],
    inputs: [
      {
        label: 'Examples',
        name: 'examples',
        type: 'string',
        rows: 4,
        description: 'A JSON list of objects whose values fill in the example prompt',
        placeholder: '[{ "word": "happy", "antonym": "sad" }]',
      },
      anchor('Example prompt', 'examplePrompt', 'PromptTemplate', {
        description: 'Prompt for one example, with {variables}',
      }),
      { label: 'Prefix', name: 'prefix', type: 'string', rows: 4, placeholder: 'Give the antonym of every input' },
      { label: 'Suffix', name: 'suffix', type: 'string', rows: 4, placeholder: 'Word: {input}\nAntonym:' },
      additionalParam('Example separator', 'exampleSeparator', { default: '\n\n' }),
    ],
  },
  async provide(context) {
    const { inputs } = context
    const example = await requireComponent(context, 'examplePrompt', 'prompt', 'a Prompt Template to Example prompt')
    const shown = examplesIn(inputs.examples).map((values) =>
      example
        .messages(values)
        .map(({ content }) => content)
        .join('\n'),
    )
    const [prefix, suffix] = [textOf(inputs.prefix), textOf(inputs.suffix)]
    const separator = textOf(inputs.exampleSeparator) || '\n\n'
    return toComponent('prompt', {
      variables: [...new Set([...variablesIn(prefix), ...variablesIn(suffix)])],
      values: {},
      messages: (values) => [
        { role: 'user', content: [fill(prefix, values), ...shown, fill(suffix, values)].join(separator) },
      ],
    })
  },
}

function examplesIn(value: unknown): Record<string, string>[] {
  const examples = typeof value === 'string' ? tryParseJson(value) : value
  if (!Array.isArray(examples) || !examples.every(isRecord)) throw new Error('Examples must be a JSON list of objects')
  return examples.map((values) =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, textOf(text)])),
  )
}
