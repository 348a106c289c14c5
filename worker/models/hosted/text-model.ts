/** Models that complete texts: no tools, no schemas, and the conversation written as one text. */
import type { LanguageModelV4GenerateResult, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { additionalNumber, temperature, topP } from '../definition.ts'
import { streamWhole } from '../streams/whole-answer.ts'
import type { CallOptions, ChatModel } from '../types.ts'

type DefinitionFields = Omit<ComponentDefinition, 'category' | 'baseClasses'>

export function textModelDefinition({ inputs, ...own }: DefinitionFields): ComponentDefinition {
  return {
    ...own,
    category: 'LLMs',
    baseClasses: [own.type, 'BaseChatModel', 'LLM', 'BaseLLM', 'BaseLanguageModel', 'Runnable'],
    inputs: [
      ...inputs,
      { ...temperature, default: 0.7 },
      additionalNumber('Max tokens', 'maxTokens', { step: 1 }),
      topP,
    ],
  }
}

interface Completion {
  text: string
  inputTokens?: number
  outputTokens?: number
}

/** @param complete answers a text; it gets the options of the call */
export function textModel(
  modelId: string,
  complete: (prompt: string, options: CallOptions) => Promise<Completion>,
): ChatModel {
  const doGenerate = async (options: CallOptions): Promise<LanguageModelV4GenerateResult> => {
    if (options.tools?.length) throw new Error(`${modelId} cannot call tools. Choose a chat model.`)
    const { text, inputTokens, outputTokens } = await complete(textOfPrompt(options.prompt), options)
    const none = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
    return {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: inputTokens, ...none },
        outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
      },
      warnings: [],
    }
  }
  return {
    specificationVersion: 'v4',
    provider: 'text',
    modelId,
    supportedUrls: {},
    doGenerate,
    doStream: async (options) => streamWhole(await doGenerate(options)),
  }
}

const SPEAKERS: Record<string, string> = { user: 'Human', assistant: 'Assistant' }

/** A single message is the text itself; of several each has its speaker. */
function textOfPrompt(prompt: LanguageModelV4Prompt): string {
  const said = prompt.flatMap(({ role, content }) => {
    const text =
      typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return text.trim() === '' ? [] : [{ role, text }]
  })
  if (said.length === 1) return said[0]?.text ?? ''
  const lines = said.map(({ role, text }) => (SPEAKERS[role] ? `${SPEAKERS[role]}: ${text}` : text))
  return [...lines, 'Assistant:'].join('\n\n')
}
