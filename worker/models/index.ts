/** All chat model providers. */
import { chatAnthropic } from './chat-anthropic.ts'
import { chatGoogleGenerativeAI } from './chat-google.ts'
import { groqChat } from './chat-groq.ts'
import { chatMistralAI } from './chat-mistral.ts'
import { chatOllama } from './chat-ollama.ts'
import { chatOpenAI } from './chat-openai.ts'
import { chatOpenAICustom } from './chat-openai-custom.ts'
import { azureChatOpenAI } from './hosted/azure-openai.ts'
import { awsChatBedrock } from './hosted/bedrock.ts'
import { chatCerebras } from './hosted/cerebras.ts'
import { chatCloudflareWorkersAI } from './hosted/cloudflare-workers-ai.ts'
import { chatCohere } from './hosted/cohere.ts'
import { chatDeepseek } from './hosted/deepseek.ts'
import { chatFireworks } from './hosted/fireworks.ts'
import { chatHuggingFace } from './hosted/hugging-face.ts'
import { huggingFaceInference } from './hosted/hugging-face-inference.ts'
import { chatOpenRouter } from './hosted/openrouter.ts'
import { chatPerplexity } from './hosted/perplexity.ts'
import { replicate } from './hosted/replicate.ts'
import { chatTogetherAI } from './hosted/together-ai.ts'
import { chatXAI } from './hosted/xai.ts'
import { practiceModel } from './practice-model.ts'
import { withStreaming } from './streaming.ts'
import type { ModelProvider } from './types.ts'

export const models: ModelProvider[] = [
  practiceModel,
  ...[
    chatOpenAI,
    chatAnthropic,
    chatGoogleGenerativeAI,
    chatMistralAI,
    groqChat,
    chatOllama,
    chatOpenAICustom,
    azureChatOpenAI,
    awsChatBedrock,
    chatCohere,
    chatDeepseek,
    chatXAI,
    chatOpenRouter,
    chatTogetherAI,
    chatFireworks,
    chatCerebras,
    chatPerplexity,
    chatHuggingFace,
    chatCloudflareWorkersAI,
  ].map(withStreaming),
  huggingFaceInference,
  replicate,
]
