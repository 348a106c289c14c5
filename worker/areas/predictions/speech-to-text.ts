/** Transcribes sound with the provider in the flow's settings; each offers OpenAI's transcription call. */
import { eq } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import { speechToTextOf } from '#contract/uploads.ts'
import { chatflows, credentials } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { openCredential } from '../../components/credentials.ts'
import type { Egress } from '../../ports/types.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import type { Services } from '../../services.ts'

type Settings = Record<string, unknown>

interface Provider {
  /** Returns undefined when the settings have no address. */
  address(settings: Settings): string | undefined
  /** The credential field that holds the key. */
  key: string
  model: string
}

const PROVIDERS: Record<string, Provider> = {
  openAIWhisper: {
    address: () => 'https://api.openai.com/v1/audio/transcriptions',
    key: 'openAIApiKey',
    model: 'whisper-1',
  },
  groqWhisper: {
    address: () => 'https://api.groq.com/openai/v1/audio/transcriptions',
    key: 'groqApiKey',
    model: 'whisper-large-v3',
  },
  localAISTT: {
    address: ({ baseUrl }) => {
      const base = optionalText(baseUrl)
      return base && `${base.endsWith('/') ? base.slice(0, -1) : base}/audio/transcriptions`
    },
    key: 'localAIApiKey',
    model: 'whisper-1',
  },
}

const TIMEOUT_MS = 120_000
const MAX_ANSWER_BYTES = 1024 * 1024

/** @param label names the file in errors */
export type Transcribe = (file: { name: string; mime: string; bytes: Uint8Array }, label: string) => Promise<string>

/** Returns undefined when the flow has no speech to text. The returned function throws `bad_request` or `run_failed`. */
export async function transcriber(
  services: Services,
  { flow, wrappedKey }: RunContext,
  egress: Egress,
): Promise<Transcribe | undefined> {
  const rows = scope(services.db, flow)
  const [row] = await services.db
    .select({ speechToText: chatflows.speechToText })
    .from(chatflows)
    .where(rows.inWorkspace(chatflows, eq(chatflows.id, flow.id)))
  const chosen = speechToTextOf(row?.speechToText ?? null)
  if (!chosen) return undefined
  const { settings } = chosen
  const provider = Object.hasOwn(PROVIDERS, chosen.provider) ? PROVIDERS[chosen.provider] : undefined
  const address = provider?.address(settings)
  const [credential] = await rows.select(credentials, eq(credentials.id, optionalText(settings.credentialId) ?? ''))
  const fields = credential ? await openCredential(credential as never, wrappedKey, services.cipher) : {}

  return async (file, label) => {
    if (!provider || !address) {
      const known = Object.keys(PROVIDERS).join(', ')
      const message = provider ? 'has no address' : `"${chosen.provider}" is not supported; choose one of ${known}`
      throw new HeddleError('bad_request', `${label}: The flow's speech to text ${message}`)
    }
    const form = new FormData()
    form.set('file', new File([file.bytes as Uint8Array<ArrayBuffer>], file.name, { type: file.mime }))
    form.set('model', optionalText(settings.model) ?? provider.model)
    for (const name of ['language', 'prompt', 'temperature']) {
      const value = optionalText(settings[name])
      if (value) form.set(name, value)
    }
    const key = optionalText(fields[provider.key])
    const headers = key ? { authorization: `Bearer ${key}` } : undefined
    return transcribe(label, () =>
      egress.fetch(
        address,
        { method: 'POST', body: form, headers },
        { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
      ),
    )
  }
}

async function transcribe(label: string, call: () => Promise<Response>): Promise<string> {
  try {
    const response = await call()
    const answer = await response.text()
    if (!response.ok) throw new Error(`the provider answered ${response.status}: ${answer.slice(0, 300)}`)
    const { text } = JSON.parse(answer) as { text?: unknown }
    if (typeof text !== 'string') throw new Error('the provider answered no text')
    return text.trim()
  } catch (error) {
    throw new HeddleError('run_failed', `${label}: Speech to text failed: ${(error as Error).message}`)
  }
}

const optionalText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}
