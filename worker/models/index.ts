/** All chat model providers. */
import { chatAnthropic } from './chat-anthropic.ts'
import { chatGoogleGenerativeAI } from './chat-google.ts'
import { groqChat } from './chat-groq.ts'
import { chatMistralAI } from './chat-mistral.ts'
import { chatOllama } from './chat-ollama.ts'
import { chatOpenAI } from './chat-openai.ts'
import { chatOpenAICustom } from './chat-openai-custom.ts'
import { practiceModel } from './practice-model.ts'
import type { ModelProvider } from './types.ts'

export const models: ModelProvider[] = [
  practiceModel,
  chatOpenAI,
  chatAnthropic,
  chatGoogleGenerativeAI,
  chatMistralAI,
  groqChat,
  chatOllama,
  chatOpenAICustom,
]
