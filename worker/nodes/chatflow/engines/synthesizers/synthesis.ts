/** What response synthesizers have in common: prompts, and texts in pieces that a model takes at once. */
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../../inputs/node-inputs.ts'
import type { AskModel } from '../../component-types.ts'
import { fill } from '../../prompts/template.ts'

export const SYNTHESIZER = 'ResponseSynthesizer'

/** About 6,000 tokens. */
export const MAX_PIECE = 24_000

export const ANSWER = `Answer the question from these texts alone. If the answer is not in them, say that you do not know.

Texts:
{context}

Question: {query}`

const REFINE = `Question: {query}

Answer so far:
{existingAnswer}

There are more texts:
{context}

Write a better answer to the question with what they add. Where they add nothing, repeat the answer so far.`

export const answerParam: InputParam = {
  label: 'Text QA prompt',
  name: 'textQAPrompt',
  type: 'string',
  rows: 4,
  description: 'First-answer prompt. Variables: {context}, {query}',
  default: ANSWER,
  optional: true,
}

export const refineParam: InputParam = {
  label: 'Refine prompt',
  name: 'refinePrompt',
  type: 'string',
  rows: 4,
  description: 'Refine prompt. Variables: {existingAnswer}, {context}, {query}',
  default: REFINE,
  optional: true,
}

type DefinitionFields = Omit<ComponentDefinition, 'version' | 'category' | 'baseClasses'>

export const synthesizerNode = (own: DefinitionFields): ComponentDefinition => ({
  ...own,
  version: 1,
  category: 'Response Synthesizer',
  baseClasses: [own.type, SYNTHESIZER],
  tags: ['LlamaIndex'],
})

/** Answers from the first text, and makes the answer better with each text that follows. */
export async function refine(
  query: string,
  texts: readonly string[],
  { ask, inputs }: { ask: AskModel; inputs: Record<string, unknown> },
): Promise<string> {
  const pieces = texts.length > 0 ? texts : ['']
  const [first, next] = [textOf(inputs.textQAPrompt) || ANSWER, textOf(inputs.refinePrompt) || REFINE]
  let answer = ''
  for (const [at, context] of pieces.entries()) {
    const values = { query, context, existingAnswer: answer }
    answer = await ask(fill(at === 0 ? first : next, values), at === pieces.length - 1)
  }
  return answer
}

/** Returns the texts in as few pieces as a model takes. Linear in their length. */
export function packed(texts: readonly string[], limit = MAX_PIECE): string[] {
  const pieces: string[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const part of texts.flatMap((text) => slicesOf(text, limit))) {
    if (size + part.length > limit) {
      pieces.push([])
      size = 0
    }
    pieces.at(-1)?.push(part)
    size += part.length
  }
  return pieces.map((parts) => parts.join('\n\n'))
}

const slicesOf = (text: string, limit: number): string[] =>
  Array.from({ length: Math.ceil(text.length / limit) }, (_, at) => text.slice(at * limit, (at + 1) * limit))
