/** Reads what a flow's owner set up for its chats. Everything else in the server's answer is left out. Pure. */
import { isColor } from '#contract/data/color.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type ChatForm, startForm } from '../chat/start-form.ts'
import { safeImage, safeLink } from './links.ts'

export interface LeadFields {
  title: string
  successMessage: string
  fields: ('name' | 'email' | 'phone')[]
}

export interface Settings {
  title: string
  avatar?: string
  welcome: string
  /** Shown in place of the error of a failed answer. */
  errorMessage: string
  placeholder: string
  prompts: string[]
  sourcesTitle: string
  showsSteps: boolean
  /** Answers can be rated. */
  isRated: boolean
  /** Answers can be listened to. */
  isSpoken: boolean
  startsAnew: boolean
  /** Asked for before the first message. */
  lead?: LeadFields
  form?: ChatForm
  accepts: { images: boolean; sound: boolean; texts: boolean }
  /** A maximum of 0 means none. */
  maxCharacters: number
  botAvatar?: string
  userAvatar?: string
  button: { icon?: string }
  footer: { text: string; company: string; link?: string }
  look: Look
}

/** CSS colours, and sizes in pixels; each where the owner has set one. */
export type Look = Partial<Record<LookColor, string>> & { fontSize?: number; promptSize?: number; buttonSize?: number }

export type LookColor =
  | 'background'
  | 'title'
  | 'titleText'
  | 'bot'
  | 'botText'
  | 'user'
  | 'userText'
  | 'input'
  | 'inputText'
  | 'accent'
  | 'button'
  | 'icon'
  | 'footerText'

export function readSettings(body: unknown): Settings {
  const config = record(body)
  const { botMessage, userMessage, textInput, uploads, fullFileUpload } = config
  const footer = record(config.footer)
  return {
    title: text(config.title) || 'Chat',
    avatar: safeImage(text(config.titleAvatarSrc)),
    welcome: text(config.welcomeMessage) || 'Hi there! How can I help?',
    errorMessage: text(config.errorMessage),
    placeholder: text(record(textInput).placeholder) || 'Type your question',
    prompts: promptsIn(config.starterPrompts),
    sourcesTitle: text(config.sourceDocsTitle) || 'Sources',
    showsSteps: config.showAgentMessages !== false,
    isRated: isOn(config.chatFeedback),
    isSpoken: config.isTTSEnabled === true,
    startsAnew: record(config.overrideConfig).generateNewSession === true,
    lead: leadIn(config.leads),
    form: formIn(config.flowData),
    accepts: {
      images: record(uploads).isImageUploadAllowed === true,
      sound: record(uploads).isSpeechToTextEnabled === true,
      texts: isOn(fullFileUpload),
    },
    maxCharacters: number(record(textInput).maxChars) ?? 0,
    botAvatar: avatarIn(botMessage),
    userAvatar: avatarIn(userMessage),
    button: { icon: safeImage(text(record(config.button).customIconSrc)) },
    footer:
      footer.showFooter === false
        ? { text: '', company: '' }
        : { text: text(footer.text), company: text(footer.company), link: safeLink(text(footer.companyLink)) },
    look: lookIn(config),
  }
}

function lookIn(config: Record<string, unknown>): Look {
  const [bot, user, input, button] = [config.botMessage, config.userMessage, config.textInput, config.button].map(
    record,
  )
  const colors: Partial<Record<LookColor, unknown>> = {
    background: config.backgroundColor,
    title: config.titleBackgroundColor,
    titleText: config.titleTextColor,
    bot: bot?.backgroundColor,
    botText: bot?.textColor,
    user: user?.backgroundColor,
    userText: user?.textColor,
    input: input?.backgroundColor,
    inputText: input?.textColor,
    accent: input?.sendButtonColor,
    button: button?.backgroundColor,
    icon: button?.iconColor,
    footerText: record(config.footer).textColor ?? config.poweredByTextColor,
  }
  return {
    ...Object.fromEntries(Object.entries(colors).filter(([, color]) => isColor(color))),
    fontSize: number(config.fontSize),
    promptSize: number(config.starterPromptFontSize),
    buttonSize: number(button?.size),
  }
}

/** Flowise keeps the prompts by their position: `{"0": {"prompt": "…"}}`. */
function promptsIn(value: unknown): string[] {
  return Object.values(record(value))
    .map((entry) => text(record(entry).prompt))
    .filter(Boolean)
}

function leadIn(value: unknown): LeadFields | undefined {
  const leads = record(value)
  const fields = (['name', 'email', 'phone'] as const).filter((field) => leads[field] === true)
  if (leads.status !== true || fields.length === 0) return undefined
  return {
    title: text(leads.title) || 'Tell us who you are before we start.',
    successMessage: text(leads.successMessage) || 'Thank you.',
    fields,
  }
}

/** The answer's flow is its Start node alone. */
function formIn(flowData: unknown): ChatForm | undefined {
  const flow = tryParseJson(text(flowData))
  if (!isRecord(flow) || !Array.isArray(flow.nodes)) return undefined
  return startForm(flow as unknown as FlowDocument, { startNode: ({ nodes }) => nodes[0] })
}

function avatarIn(message: unknown): string | undefined {
  const { showAvatar, avatarSrc } = record(message)
  return showAvatar === true ? safeImage(text(avatarSrc)) : undefined
}

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const number = (value: unknown): number | undefined => {
  const size = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof size === 'number' && size > 0 && size < 1e6 ? size : undefined
}
const isOn = (value: unknown): boolean => record(value).status === true
