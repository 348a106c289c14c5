import { textOf } from '../../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../../types.ts'
import { type AskModel, toComponent } from '../../component-types.ts'
import { fill } from '../../prompts/template.ts'
import { ANSWER, MAX_PIECE, packed, synthesizerNode } from './synthesis.ts'

export const treeSummarize: ComponentNodeType = {
  definition: synthesizerNode({
    label: 'TreeSummarize',
    name: 'treeSummarizeLlamaIndex',
    type: 'TreeSummarize',
    description: 'Answers from parts of the texts, then combines the answers until one is left',
    inputs: [
      {
        label: 'Prompt',
        name: 'prompt',
        type: 'string',
        rows: 4,
        description: 'Answer prompt. Variables: {context}, {query}',
        default: ANSWER,
        optional: true,
      },
    ],
  }),
  provide: async ({ inputs }) =>
    toComponent('synthesizer', {
      write: (query, texts, ask) => summarize(packed(texts), { query, prompt: textOf(inputs.prompt) || ANSWER }, ask),
    }),
}

/** Answers are cut so that two of them fit into a piece: each round has at most half of the pieces of the one before. */
async function summarize(
  pieces: readonly string[],
  { query, prompt }: { query: string; prompt: string },
  ask: AskModel,
): Promise<string> {
  const told = (context: string) => fill(prompt, { query, context })
  if (pieces.length <= 1) return ask(told(pieces[0] ?? ''), true)
  const answers: string[] = []
  for (const piece of pieces) answers.push((await ask(told(piece), false)).slice(0, MAX_PIECE / 2))
  return summarize(packed(answers), { query, prompt }, ask)
}
