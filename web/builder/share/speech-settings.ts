/** A flow's speech, read from its settings and written back to them in Flowise's shape. Pure. */
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'

export type StoredSpeech = Pick<Chatflow, 'speechToText' | 'textToSpeech'>

export interface ProviderChoice {
  /** The key of the provider; empty: off. */
  provider: string
  /** The settings of every provider that was ever chosen. */
  settings: Record<string, Record<string, unknown>>
}

export interface SpeechValues {
  hearing: ProviderChoice
  speaking: ProviderChoice
}

export const speechOf = ({ speechToText, textToSpeech }: StoredSpeech): SpeechValues => ({
  hearing: parseChoice(speechToText),
  speaking: parseChoice(textToSpeech),
})

/** Returns the settings to store; those of providers that are off are kept. */
export const speechSettingsOf = ({ hearing, speaking }: SpeechValues): StoredSpeech => ({
  speechToText: textOf(hearing),
  textToSpeech: textOf(speaking),
})

/** Returns the choice with other settings of its provider. */
export const withSettings = (choice: ProviderChoice, change: Record<string, unknown>): ProviderChoice => ({
  ...choice,
  settings: { ...choice.settings, [choice.provider]: { ...choice.settings[choice.provider], ...change } },
})

function parseChoice(config: string | null): ProviderChoice {
  const stored = tryParseJson(config ?? '')
  const entries = Object.entries(isRecord(stored) ? stored : {}).filter(
    (entry): entry is [string, Record<string, unknown>] => isRecord(entry[1]),
  )
  const provider = entries.find(([, settings]) => settings.status === true)?.[0] ?? ''
  return { provider, settings: Object.fromEntries(entries) }
}

function textOf({ provider, settings }: ProviderChoice): string | null {
  const names = [...new Set([...Object.keys(settings), ...(provider ? [provider] : [])])]
  if (names.length === 0) return null
  return JSON.stringify(
    Object.fromEntries(names.map((name) => [name, { ...settings[name], status: name === provider }])),
  )
}
