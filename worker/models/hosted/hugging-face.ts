import { keyCredential } from '#contract/flow/params/builders.ts'
import { hostedModel } from './hosted-model.ts'

export const huggingFaceApi = keyCredential(
  { label: 'HuggingFace API', name: 'huggingFaceApi', hosts: ['router.huggingface.co'] },
  { name: 'huggingFaceApiKey' },
)

export const chatHuggingFace = hostedModel({
  label: 'Hugging Face',
  name: 'chatHuggingFace',
  type: 'ChatHuggingFace',
  version: 3,
  description: 'Open models on Hugging Face’s inference providers',
  credential: huggingFaceApi,
  key: 'huggingFaceApiKey',
  models: ['meta-llama/Llama-3.3-70B-Instruct', 'openai/gpt-oss-120b', 'Qwen/Qwen3-32B'],
  address: 'https://router.huggingface.co/v1',
})
