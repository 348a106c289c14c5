/**
 * Reads a flow's `chatbotConfig`: the JSON text with which its owner sets up the chat page and the widget, in Flowise's
 * keys. An invalid value means its default. `flow-settings.ts` reads who may call the flow from the same text.
 */
import * as z from 'zod'
import { isColor } from '../data/color.ts'
import { isRecord, tryParseJson } from '../data/json.ts'

export const MAX_STARTER_PROMPTS = 12
/** The length of an image that is part of the settings, as a `data:` URL. */
export const MAX_AVATAR_CHARACTERS = 100_000

const isOn = z.boolean().catch(false)
const text = (max: number) =>
  z
    .string()
    .transform((value) => value.trim().slice(0, max))
    .transform((value) => (value === '' ? undefined : value))
    .optional()
    .catch(undefined)

const color = z.string().refine(isColor).optional().catch(undefined)

/** A picture as data or on the web. Pages of this server show pictures as data only. */
const imageAddress = z
  .string()
  .max(MAX_AVATAR_CHARACTERS)
  .regex(/^(?:https:\/\/[^\s"'<>\\]+|data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[\w+/]+={0,2})$/)
  .optional()
  .catch(undefined)

const webAddress = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s"'<>\\]+$/i)
  .optional()
  .catch(undefined)

/** Forms send numbers as texts. */
const size = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
    z.number().min(min).max(max).optional().catch(undefined),
  )

const bubble = z
  .object({ backgroundColor: color, textColor: color, showAvatar: isOn, avatarSrc: imageAddress })
  .catch({ showAvatar: false })

/** Theme of a chat. Undefined values fall back to the product's theme. */
const appearance = {
  title: text(200),
  titleAvatarSrc: imageAddress,
  titleBackgroundColor: color,
  titleTextColor: color,
  /** The first message of a chat, as Markdown. */
  welcomeMessage: text(5000),
  /** Shown in place of the error of a failed answer. */
  errorMessage: text(1000),
  backgroundColor: color,
  /** The size of messages, in pixels. */
  fontSize: size(10, 32),
  starterPromptFontSize: size(10, 32),
  poweredByTextColor: color,
  /** False hides the steps below an answer. */
  showAgentMessages: z.boolean().catch(true),
  /** Above the sources of an answer. */
  sourceDocsTitle: text(100),
  botMessage: bubble,
  userMessage: bubble,
  textInput: z
    .object({
      placeholder: text(200),
      backgroundColor: color,
      textColor: color,
      sendButtonColor: color,
      maxChars: size(1, 100_000),
      maxCharsWarningMessage: text(300),
    })
    .catch({}),
  footer: z
    .object({
      /** False hides the footer. */
      showFooter: z.boolean().catch(true),
      textColor: color,
      text: text(200),
      company: text(100),
      companyLink: webAddress,
    })
    .catch({ showFooter: true }),
  /** The bubble that opens the widget. */
  button: z
    .object({
      backgroundColor: color,
      iconColor: color,
      customIconSrc: imageAddress,
      /** In pixels. */
      size: size(32, 96),
    })
    .catch({}),
}

/** What a caller may leave before the first message; fields that are off are not stored. */
const leads = z
  .object({
    status: isOn,
    title: text(500),
    name: isOn,
    email: isOn,
    phone: isOn,
    successMessage: text(1000),
  })
  .catch({ status: false, name: false, email: false, phone: false })

const fullFileUpload = z
  .object({
    status: isOn,
    /** Callers without a key may name the address of a file, which this server fetches. */
    fetchUrls: isOn,
    /** Media types, separated by commas. Undefined means every format that can be read. */
    allowedUploadFileTypes: text(5000),
    pdfFile: z
      .object({ usage: z.enum(['perPage', 'perFile']).catch('perPage'), legacyBuild: isOn })
      .optional()
      .catch(undefined),
  })
  .catch({ status: false, fetchUrls: false })

/** Flowise keeps the code as the JSON text of a text. */
const code = z
  .string()
  .max(200_000)
  .transform((value) => {
    const inner = tryParseJson(value)
    return typeof inner === 'string' ? inner : value
  })
  .catch('')

const status = z.object({ status: isOn }).catch({ status: false })

const starterPrompts = z
  .record(z.string(), z.unknown())
  .transform((prompts) => Object.entries(prompts).sort(([a], [b]) => Number(a) - Number(b)))
  .transform((entries) => entries.map(([, entry]) => String((entry as { prompt?: unknown } | null)?.prompt ?? '')))
  .transform((prompts) => prompts.map((prompt) => prompt.trim().slice(0, 1000)).filter(Boolean))
  .transform((prompts) => prompts.slice(0, MAX_STARTER_PROMPTS))
  .catch([])

const chatbotSettingsSchema = z.object({
  ...appearance,
  starterPrompts,
  chatFeedback: status,
  leads,
  /** Whether callers get follow-up prompts; the flow's `followUpPrompts` says who writes them. */
  followUpPrompts: status,
  fullFileUpload,
  postProcessing: z.object({ enabled: isOn, customFunction: code }).catch({ enabled: false, customFunction: '' }),
  /** `generateNewSession`: each visit begins a new conversation. */
  overrideConfig: z.object({ generateNewSession: isOn }).catch({ generateNewSession: false }),
})

export type ChatbotSettings = z.infer<typeof chatbotSettingsSchema>

/** Returns the settings with their defaults. */
export function readChatbotSettings(text: string | null): ChatbotSettings {
  return chatbotSettingsSchema.parse(storedSettings(text))
}

const runSettingsSchema = chatbotSettingsSchema.pick({ leads: true, postProcessing: true, fullFileUpload: true })

/** The settings that every run asks for. */
export type RunSettings = z.infer<typeof runSettingsSchema>

/** Like `readChatbotSettings`, without reading how a chat looks. */
export function readRunSettings(text: string | null): RunSettings {
  return runSettingsSchema.parse(storedSettings(text))
}

function storedSettings(text: string | null): Record<string, unknown> {
  const stored = tryParseJson(text || '{}')
  return isRecord(stored) ? stored : {}
}

const optionalText = z.string().optional()

const shownBubble = z.object({
  backgroundColor: optionalText,
  textColor: optionalText,
  showAvatar: z.boolean(),
  avatarSrc: optionalText,
})

/** The settings that every caller of a flow may read, in Flowise's shape: colours are `#rrggbb`, sizes pixels. */
export const publicChatbotSettingsSchema = z
  .object({
    title: optionalText,
    titleAvatarSrc: optionalText.describe('An https: address or a data: address of an image, as all pictures here'),
    titleBackgroundColor: optionalText,
    titleTextColor: optionalText,
    welcomeMessage: optionalText.describe('Markdown'),
    errorMessage: optionalText.describe('In place of the error of a failed answer'),
    backgroundColor: optionalText,
    fontSize: z.number().optional(),
    starterPromptFontSize: z.number().optional(),
    poweredByTextColor: optionalText,
    showAgentMessages: z.boolean().describe('False hides the steps below an answer'),
    sourceDocsTitle: optionalText,
    botMessage: shownBubble,
    userMessage: shownBubble,
    textInput: z.object({
      placeholder: optionalText,
      backgroundColor: optionalText,
      textColor: optionalText,
      sendButtonColor: optionalText,
      maxChars: z.number().optional(),
      maxCharsWarningMessage: optionalText,
    }),
    footer: z.object({
      showFooter: z.boolean(),
      textColor: optionalText,
      text: optionalText,
      company: optionalText,
      companyLink: optionalText,
    }),
    button: z
      .object({
        backgroundColor: optionalText,
        iconColor: optionalText,
        customIconSrc: optionalText,
        size: z.number().optional(),
      })
      .describe('The bubble that opens the widget'),
    starterPrompts: z.record(z.string(), z.object({ prompt: z.string() })).describe('By their position: "0", "1", …'),
    chatFeedback: z.object({ status: z.boolean() }),
    leads: z.object({
      status: z.boolean().describe('Ask for the fields below before the first message'),
      title: optionalText,
      name: z.boolean(),
      email: z.boolean(),
      phone: z.boolean(),
      successMessage: optionalText,
    }),
    followUpPrompts: z.object({ status: z.boolean() }),
    fullFileUpload: z.object({
      status: z.boolean(),
      allowedUploadFileTypes: optionalText.describe('Media types, separated by commas; absent: every readable format'),
      pdfFile: z.object({ usage: z.enum(['perPage', 'perFile']), legacyBuild: z.boolean() }).optional(),
    }),
    overrideConfig: z.object({
      generateNewSession: z.boolean().describe('Each visit begins a new conversation'),
    }),
  })
  .meta({ id: 'ChatSettings' })

export type PublicChatbotSettings = z.infer<typeof publicChatbotSettingsSchema>
