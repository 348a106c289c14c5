/** How query engines answer: from texts, with the response synthesizer that is connected. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import type { UsageMetadata } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { flagOf } from '../../../inputs/node-inputs.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { StepContext, StepResult } from '../../types.ts'
import { askModel, chainResult } from '../chains/chain-answer.ts'
import { type ModelComponent, openComponentAt, type SynthesizerComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { packed, refine, SYNTHESIZER } from './synthesizers/synthesis.ts'

export const QUERY_ENGINE = 'BaseQueryEngine'

export const synthesizerAnchor: InputParam = anchor('Response synthesizer', 'responseSynthesizer', SYNTHESIZER, {
  description: 'How to combine several texts into one answer. Defaults to Compact and Refine',
  optional: true,
})

interface EngineQuestion {
  model: ModelComponent
  texts: readonly string[]
  documents: readonly KnowledgeDocument[]
  started: Date
  /** The usage of earlier calls. */
  spent?: UsageMetadata | undefined
}

const compactAndRefine: SynthesizerComponent = {
  write: (query, texts, ask) => refine(query, packed(texts), { ask, inputs: {} }),
}

export async function answerFromTexts(
  { model, texts, documents, started, spent }: EngineQuestion,
  context: StepContext,
): Promise<StepResult> {
  const { write } = (await openComponentAt(context, 'responseSynthesizer', 'synthesizer')) ?? compactAndRefine
  const sources = flagOf(context.inputs.returnSourceDocuments) ? documents : []
  if (context.isLast && sources.length > 0) context.emit({ event: 'sourceDocuments', data: [...sources] })
  let usage: UsageMetadata = spent ?? { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
  let hasSpoken = false
  const text = await write(context.input.text, texts, async (content, isLast) => {
    hasSpoken = isLast
    const turns = [{ role: 'user' as const, content }]
    const answer = await askModel({ model, turns }, { ...context, isLast: isLast && context.isLast })
    usage = addUsage(usage, answer.usage)
    return answer.text
  })
  if (context.isLast && !hasSpoken) context.emit({ event: 'token', data: text })
  const turns = [{ role: 'user' as const, content: context.input.text }]
  return chainResult({ text, usage }, { model, turns, started }, context, {
    ...(sources.length > 0 && { sourceDocuments: sources }),
  })
}
