/** What retrievers that change what another one finds have in common. */

import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { contextText } from '../chains/retrieval-answer.ts'
import { type RetrieverComponent, requireComponent, toComponent } from '../component-types.ts'

interface RetrieverNode extends Pick<ChatNodeType, 'definition' | 'credentials'> {
  open(context: StepContext): Promise<RetrieverComponent>
}

/** Returns a retriever that hands itself on, or runs where its documents or their text were asked for. */
export function searchingNode({ definition, credentials, open }: RetrieverNode): ChatNodeType {
  return {
    definition: { ...definition, outputs: listOutputs(definition) },
    ...(credentials && { credentials }),
    runsFor: ['document', 'text'],
    async run(context): Promise<StepResult> {
      const query = textOf(context.inputs.query).trim() || context.input.text
      const sourceDocuments = await (await open(context)).search(query)
      const content =
        context.output === 'document' ? JSON.stringify(sourceDocuments, null, 2) : contextText(sourceDocuments)
      return { input: { question: query }, output: { content, sourceDocuments } }
    },
    provide: async (context) => toComponent('retriever', await open(context)),
  }
}

const listOutputs = ({ label, type }: ComponentDefinition): ComponentDefinition['outputs'] => [
  { label, name: 'retriever', baseClasses: [type, 'BaseRetriever'] },
  {
    label: 'Document',
    name: 'document',
    description: 'The results with their metadata',
    baseClasses: ['Document', 'json'],
  },
  { label: 'Text', name: 'text', description: 'The text of the results', baseClasses: ['string', 'json'] },
]

export const openBaseRetriever = (context: StepContext): Promise<RetrieverComponent> =>
  requireComponent(context, 'baseRetriever', 'retriever', 'a retriever')

/** Returns each text once, where it came first. */
export function withoutRepeats(documents: readonly KnowledgeDocument[]): KnowledgeDocument[] {
  const known = new Set<string>()
  return documents.filter(({ pageContent }) => !known.has(pageContent) && known.add(pageContent))
}
