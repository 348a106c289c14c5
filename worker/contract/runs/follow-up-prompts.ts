/**
 * Reads a flow's `followUpPrompts`: the JSON text that says which model writes questions to go on with after an answer, in
 * Flowise's shape: `{status, selectedProvider, [provider]: {credentialId, modelName, prompt, temperature, …}}`.
 */
import * as z from 'zod'
import { isRecord, tryParseJson } from '../data/json.ts'
import { CREDENTIAL_ID } from '../flow/document/serialize.ts'

export const DEFAULT_FOLLOW_UP_PROMPT =
  'Given the following conversations: {history}. Please help me predict the three most likely questions that human would ask and keeping each question short and concise.'

export interface FollowUpModel {
  /** The component of the model: `chatOpenAI`. */
  name: string
  /** Its inputs, with the credential's id. */
  config: Record<string, unknown>
  /** With `{history}`. */
  prompt: string
}

const settingsSchema = z.object({
  status: z.literal(true),
  selectedProvider: z.string().min(1).max(100),
})

/** Flowise's names of providers whose component is called otherwise. */
const COMPONENTS: Readonly<Record<string, string>> = { ollama: 'chatOllama' }

/** Returns the model that writes follow-up prompts, or undefined when none does. */
export function readFollowUpModel(text: string | null): FollowUpModel | undefined {
  const stored = tryParseJson(text || 'null')
  const settings = settingsSchema.safeParse(stored)
  if (!settings.success || !isRecord(stored)) return undefined
  const { selectedProvider } = settings.data
  const chosen = Object.hasOwn(stored, selectedProvider) ? stored[selectedProvider] : undefined
  const { credentialId, prompt, ...config } = isRecord(chosen) ? chosen : {}
  return {
    name: COMPONENTS[selectedProvider] ?? selectedProvider,
    config: { ...config, ...(typeof credentialId === 'string' && credentialId && { [CREDENTIAL_ID]: credentialId }) },
    prompt: typeof prompt === 'string' && prompt.trim() ? prompt : DEFAULT_FOLLOW_UP_PROMPT,
  }
}

/** Returns the JSON text with another model, or switched off. Keeps what other providers are set to. */
export function withFollowUpModel(text: string | null, model: FollowUpModel | undefined): string {
  const stored = tryParseJson(text || '{}')
  const others = isRecord(stored) ? stored : {}
  if (!model) return JSON.stringify({ ...others, status: false })
  const { [CREDENTIAL_ID]: credentialId, ...config } = model.config
  const chosen = { ...config, ...(credentialId ? { credentialId } : {}), prompt: model.prompt }
  return JSON.stringify({ ...others, status: true, selectedProvider: model.name, [model.name]: chosen })
}
