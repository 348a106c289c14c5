/** Files sent with a question, in Flowise's shape. */
import type * as z from 'zod'
import type { uploadsAllowedSchema } from '../chatflows/chatflows.ts'
import { MODEL_CATEGORY } from '../flow/params/categories.ts'

export const MAX_UPLOADS = 10
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** The most bytes of all files of one call. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024
/** The most characters of all texts of one call. */
export const MAX_UPLOAD_CHARACTERS = 1_000_000
/** The most bytes of a call's body: the files in base64 and the rest. */
export const MAX_UPLOAD_BODY_BYTES = 16 * 1024 * 1024

export const IMAGE_TYPES = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'] as const
export const AUDIO_TYPES = ['audio/webm', 'audio/ogg', 'audio/mp4', 'audio/mpeg', 'audio/wav'] as const

/** A file of a question. */
export interface Upload {
  type: 'file' | 'file:full' | 'file:rag' | 'audio' | 'url' | 'stored-file'
  name: string
  mime?: string | null
  /** A `data:` URL; for `url` the file's URL; for `file:full` the text or its `data:` URL; absent for `stored-file`, which the chat already has. */
  data?: string | null
}

/** A file as messages and runs store it; its bytes are a row of `files`. */
export interface StoredUpload {
  type: 'stored-file' | 'stored-file:full'
  name: string
  mime: string
  /** Id of the row in `files`. */
  id: string
}

/** Returns the files of a stored message, leaving out invalid entries. */
export function storedUploads(value: unknown): StoredUpload[] {
  return Array.isArray(value) ? value.filter(isStoredUpload) : []
}

function isStoredUpload(value: unknown): value is StoredUpload {
  if (typeof value !== 'object' || value === null) return false
  const { type, name, mime, id } = value as Record<string, unknown>
  return (
    (type === 'stored-file' || type === 'stored-file:full') &&
    typeof name === 'string' &&
    typeof mime === 'string' &&
    typeof id === 'string'
  )
}

export const isImage = (mime: string): boolean => (IMAGE_TYPES as readonly string[]).includes(mime)
export const isAudio = (mime: string): boolean => (AUDIO_TYPES as readonly string[]).includes(mime)

const TEXT_MIME =
  /^(text\/[\w.+-]+|application\/(json|jsonl|x-ndjson|xml|yaml|x-yaml|toml|sql|javascript|x-javascript|typescript|x-sh|[\w.-]+\+(json|xml)))$/

const TEXT_EXTENSIONS = new Set(
  'txt md markdown csv tsv json jsonl ndjson html htm xml yaml yml toml ini conf log sql css scss js mjs cjs jsx ts mts tsx py rb go rs java kt swift c h cc cpp hpp cs php sh bash ps1 r lua vue svelte graphql proto tex rst srt vtt'.split(
    ' ',
  ),
)

/** Supported kinds of text files, as a text for people. */
export const TEXT_KINDS = 'text, Markdown, CSV, JSON, HTML, XML, YAML and source code'

/** True for text files, by the declared type or else by the file name. */
export function isTextFile({ name, mime }: { name: string; mime?: string | null }): boolean {
  const type = plainMime(mime)
  if (TEXT_MIME.test(type)) return true
  const extension = name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : ''
  return !type.startsWith('image/') && !type.startsWith('audio/') && TEXT_EXTENSIONS.has(extension)
}

/** `text/plain; charset=utf-8` → `text/plain`. */
export const plainMime = (mime: string | null | undefined): string =>
  (mime ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Detects the media type from the first bytes. Returns undefined unless it is a supported image or audio type. */
export function sniffMedia(bytes: Uint8Array): string | undefined {
  const ascii = (start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end))
  const begins = (...signature: number[]) => signature.every((byte, index) => bytes[index] === byte)
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'image/gif'
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp'
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WAVE') return 'audio/wav'
  if (begins(0x1a, 0x45, 0xdf, 0xa3)) return 'audio/webm'
  if (ascii(0, 4) === 'OggS') return 'audio/ogg'
  if (ascii(4, 8) === 'ftyp') return 'audio/mp4'
  if (ascii(0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)) return 'audio/mpeg'
  return undefined
}

const BYTES_AT_ONCE = 64 * 1024

type DecodedText = { text: string; problem?: never } | { text?: never; problem: 'invalid' | 'too long' }

/** Decodes UTF-8 without NUL characters, piece by piece: a text is given up at the first piece above the limit. */
export function textOfBytes(bytes: Uint8Array, maxCharacters = Number.POSITIVE_INFINITY): DecodedText {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let text = ''
  try {
    for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
      text += decoder.decode(bytes.subarray(at, at + BYTES_AT_ONCE), { stream: true })
      if (text.length > maxCharacters) return { problem: 'too long' }
    }
    text += decoder.decode()
  } catch {
    return { problem: 'invalid' }
  }
  return text.includes('\0') ? { problem: 'invalid' } : { text }
}

/** Removes folders, control characters, quotes and angle brackets from a file name. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = last.replace(/[\u0000-\u001f\u007f"'<>\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return clean === '' || /^\.+$/.test(clean) ? 'file' : clean
}

/** Returns the name, or a numbered one when it is taken: `photo (2).png`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number++) {
    const next = `${stem} (${number})${extension}`
    if (!taken.has(next)) return next
  }
}

/** Formats the text of a file for a prompt. */
export const docText = (name: string, text: string): string => `<doc name='${name}'>${text}</doc>`

export type AllowedUploads = z.infer<typeof uploadsAllowedSchema>

/** One file in the answer of `POST /attachments`, in Flowise's shape. */
export interface Attachment {
  name: string
  mimeType: string
  size: number
  /** The text; with `base64`, the bytes. */
  content: string
}

interface FlowNodes {
  nodes: readonly { data: { name: string; category?: string; inputs?: Record<string, unknown> | undefined } }[]
}

/** Media types of files that models accept besides text. */
export interface MediaSupport {
  sees: readonly string[]
  hears: readonly string[]
}

/** Audio types that each provider's wire format supports. */
const AUDIO_TYPES_OF: Record<string, readonly string[]> = {
  chatOpenAI: ['audio/mpeg', 'audio/wav'],
  chatOpenAICustom: ['audio/mpeg', 'audio/wav'],
  chatGoogleGenerativeAI: AUDIO_TYPES,
}

/** Suffix of a model's inputs in a node: `llmModel` with `llmModelConfig`. */
export function mediaSupportOf(inputs: Record<string, unknown>, model: string): MediaSupport {
  const config = inputs[`${model}Config`] as Record<string, unknown> | null | undefined
  return mediaSupportOfModel(String(inputs[model]), config ?? {})
}

/** @param config the inputs of the model itself */
export function mediaSupportOfModel(provider: string, config: Record<string, unknown>): MediaSupport {
  const allows = (name: string) => config[name] === true || config[name] === 'true'
  return {
    sees: allows('allowImageUploads') ? IMAGE_TYPES : [],
    hears:
      allows('allowAudioUploads') && Object.hasOwn(AUDIO_TYPES_OF, provider)
        ? (AUDIO_TYPES_OF[provider] as string[])
        : [],
  }
}

const CONFIG = 'Config'

function mediaSupportIn({ nodes }: FlowNodes): MediaSupport[] {
  return nodes.flatMap(({ data: { name, category, inputs = {} } }) => {
    if (category === MODEL_CATEGORY) return [mediaSupportOfModel(name, inputs)]
    const configs = Object.keys(inputs).filter((name) => name.endsWith(`Model${CONFIG}`))
    return configs.map((name) => mediaSupportOf(inputs, name.slice(0, -CONFIG.length)))
  })
}

/** True when a model of the flow has *Allow image uploads* on. */
export const acceptsImages = (flow: FlowNodes): boolean => mediaSupportIn(flow).some(({ sees }) => sees.length > 0)

/** Audio types that the flow's models with *Allow audio uploads* accept. */
export const acceptedAudio = (flow: FlowNodes): string[] => [
  ...new Set(mediaSupportIn(flow).flatMap(({ hears }) => hears)),
]

/** The uploads that a flow accepts: images for its models, and audio for speech to text or models. */
export function allowedUploads(flow: FlowNodes, { isSpeechToTextEnabled }: { isSpeechToTextEnabled: boolean }) {
  const isImageUploadAllowed = acceptsImages(flow)
  const images = { fileTypes: [...IMAGE_TYPES], maxUploadSize: MAX_IMAGE_BYTES / 1024 / 1024 }
  return {
    isSpeechToTextEnabled,
    isImageUploadAllowed,
    isRAGFileUploadAllowed: false,
    imgUploadSizeAndTypes: isImageUploadAllowed ? [images] : [],
    fileUploadSizeAndTypes: [],
  } satisfies AllowedUploads
}

interface SpeechToText {
  /** `openAIWhisper`, `groqWhisper`, `localAISTT`, … */
  provider: string
  settings: Record<string, unknown>
}

/** Returns the enabled provider of a flow's `speechToText`. */
export function parseSpeechToText(config: string | null): SpeechToText | undefined {
  const providers = Object.entries((config ? JSON.parse(config) : null) ?? {})
  const on = providers.find(([, value]) => (value as { status?: unknown } | null)?.status === true)
  return on && { provider: on[0], settings: on[1] as Record<string, unknown> }
}
