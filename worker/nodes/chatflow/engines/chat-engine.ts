/** Engines that talk: with a memory, and with documents where they have a retriever. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { questionTurns } from '../../../llm/memory.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { ChatNodeType, StepContext } from '../../types.ts'
import { withFilesOfQuestion } from '../chains/chain-answer.ts'
import { answerFrom } from '../chains/retrieval-answer.ts'
import { requireComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { LLAMA_MODEL } from './llama-index.ts'

interface ChatEngineParts {
  label: string
  name: string
  type: string
  description: string
  /** Between the model and the memory. */
  inputs: InputParam[]
  /** Where the node has no system message. */
  system: string
}

export function chatEngine({ inputs, system, ...parts }: ChatEngineParts): ChatNodeType {
  const hasDocuments = inputs.some(({ name }) => name === 'vectorStoreRetriever')
  return {
    definition: {
      ...parts,
      version: 1,
      category: 'Engine',
      baseClasses: [parts.type],
      tags: ['LlamaIndex'],
      inputs: [
        anchor('Chat model', 'model', LLAMA_MODEL),
        ...inputs,
        anchor('Memory', 'memory', 'BaseChatMemory'),
        {
          label: 'System message',
          name: 'systemMessagePrompt',
          type: 'string',
          rows: 4,
          optional: true,
          placeholder: 'You are a helpful assistant',
        },
      ],
    },
    async run(context) {
      const started = context.clock.now()
      const { input, inputs: values } = context
      const model = await requireComponent(context, 'model', 'model', 'a chat model')
      const memory = await requireComponent(context, 'memory', 'memory', 'a memory')
      const documents = hasDocuments ? await retrieveDocuments(context) : []
      const remembered = await memory.read(model.open)
      const written = textOf(values.systemMessagePrompt).trim() || system
      const result = await answerFrom(
        {
          ...{ model, documents, started },
          system: hasDocuments && !written.includes('{context}') ? `${written}\n\nContext:\n{context}` : written,
          history: [...input.history, ...remembered.turns],
          question: withFilesOfQuestion(questionTurns({ text: input.text }), context),
          spent: remembered.usage,
        },
        context,
        { memoryType: memory.label },
      )
      await memory.write?.([...questionTurns(input), { role: 'assistant', content: textOf(result.output.content) }])
      return result
    },
  }
}

async function retrieveDocuments(context: StepContext): Promise<KnowledgeDocument[]> {
  const retriever = await requireComponent(context, 'vectorStoreRetriever', 'retriever', 'a retriever')
  return retriever.search(context.input.text)
}
