/** How chains answer from documents: the context that the model reads, and the sources of its answer. */
import type { ChatTurn, UsageMetadata } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { flagOf } from '../../../inputs/node-inputs.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { StepContext, StepResult } from '../../types.ts'
import type { ModelComponent } from '../component-types.ts'
import { fill } from '../prompts/template.ts'
import { askModel, chainResult } from './chain-answer.ts'

export const returnSourcesParam = {
  label: 'Return source documents',
  name: 'returnSourceDocuments',
  type: 'boolean',
  optional: true,
}

interface RetrievalQuestion {
  model: ModelComponent
  /** With places for the documents ({context}) and the question. */
  system: string
  /** Before the question. */
  history: readonly ChatTurn[]
  question: readonly ChatTurn[]
  documents: readonly KnowledgeDocument[]
  started: Date
  /** The usage of earlier calls. */
  spent?: UsageMetadata | undefined
}

/** Asks the model, with the documents as its context. */
export async function answerFrom(
  { model, system, history, question, documents, started, spent }: RetrievalQuestion,
  context: StepContext,
  more: Record<string, unknown> = {},
): Promise<StepResult> {
  const values = { context: contextText(documents), question: question.map(({ content }) => content).join('\n') }
  const filled = fill(system, values)
  const told: ChatTurn[] = filled === '' ? [] : [{ role: 'system', content: filled }]
  const turns = [...told, ...history, ...question]
  const sources = flagOf(context.inputs.returnSourceDocuments) ? documents : []
  if (context.isLast && sources.length > 0) context.emit({ event: 'sourceDocuments', data: [...sources] })
  const answer = await askModel({ model, turns }, context)
  const usage = spent ? addUsage(spent, answer.usage) : answer.usage
  return chainResult({ ...answer, usage }, { model, turns, started }, context, {
    ...(sources.length > 0 && { sourceDocuments: sources }),
    ...more,
  })
}

export const contextText = (documents: readonly KnowledgeDocument[]): string =>
  documents.map(({ pageContent }) => pageContent).join('\n\n')
