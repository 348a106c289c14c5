/** What the Share panel edits of a flow's chat page, read from its settings and written back to them. Pure. */
import { readChatbotSettings } from '#contract/chatbot-config.ts'
import type { Chatflow } from '#contract/chatflows.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { DEFAULT_FOLLOW_UP_PROMPT, readFollowUpModel, withFollowUpModel } from '#contract/runs/follow-up-prompts.ts'

export type ChatSettings = Pick<Chatflow, 'chatbotConfig' | 'followUpPrompts'>

export interface ChatValues {
  title: string
  welcome: string
  /** Empty: the colour of the product. */
  colors: Record<ColorName, string>
  footer: string
  /** One a line. */
  starters: string
  feedback: boolean
  files: boolean
  leads: { on: boolean; title: string; name: boolean; email: boolean; phone: boolean; thanks: string }
  followUps: { on: boolean; model: string; config: Record<string, unknown>; prompt: string }
  processing: { on: boolean; code: string }
}

export const COLORS = {
  title: 'Title bar',
  answer: 'Answers',
  question: 'Questions',
  page: 'Background',
} as const
export type ColorName = keyof typeof COLORS

export function chatValuesOf({ chatbotConfig, followUpPrompts }: ChatSettings): ChatValues {
  const settings = readChatbotSettings(chatbotConfig)
  const { leads, footer, botMessage, userMessage, postProcessing } = settings
  const model = readFollowUpModel(followUpPrompts)
  return {
    title: settings.title ?? '',
    welcome: settings.welcomeMessage ?? '',
    colors: {
      title: settings.titleBackgroundColor ?? '',
      answer: botMessage.backgroundColor ?? '',
      question: userMessage.backgroundColor ?? '',
      page: settings.backgroundColor ?? '',
    },
    footer: footer.text ?? '',
    starters: settings.starterPrompts.join('\n'),
    feedback: settings.chatFeedback.status,
    files: settings.fullFileUpload.status,
    leads: {
      on: leads.status,
      title: leads.title ?? '',
      name: leads.name,
      email: leads.email,
      phone: leads.phone,
      thanks: leads.successMessage ?? '',
    },
    followUps: {
      on: model !== undefined,
      model: model?.name ?? '',
      config: model?.config ?? {},
      prompt: model?.prompt ?? DEFAULT_FOLLOW_UP_PROMPT,
    },
    processing: { on: postProcessing.enabled, code: postProcessing.customFunction },
  }
}

/** Keeps every other setting. */
export function withChatValues({ chatbotConfig, followUpPrompts }: ChatSettings, values: ChatValues): ChatSettings {
  const stored = recordOf(tryParseJson(chatbotConfig || '{}'))
  const { colors, leads, followUps, processing } = values
  const { on, thanks, title, ...fields } = leads
  const { name, email, phone } = fields
  const config = {
    ...stored,
    title: textOf(values.title),
    welcomeMessage: textOf(values.welcome),
    titleBackgroundColor: textOf(colors.title),
    backgroundColor: textOf(colors.page),
    botMessage: { ...recordOf(stored.botMessage), backgroundColor: textOf(colors.answer) },
    userMessage: { ...recordOf(stored.userMessage), backgroundColor: textOf(colors.question) },
    footer: { ...recordOf(stored.footer), text: textOf(values.footer) },
    starterPrompts: Object.fromEntries(linesOf(values.starters).map((prompt, index) => [index, { prompt }])),
    chatFeedback: { ...recordOf(stored.chatFeedback), status: values.feedback },
    fullFileUpload: { ...recordOf(stored.fullFileUpload), status: values.files },
    leads: {
      ...recordOf(stored.leads),
      status: on,
      title: textOf(title),
      name,
      email,
      phone,
      successMessage: textOf(thanks),
    },
    followUpPrompts: { status: followUps.on },
    postProcessing: { enabled: processing.on, customFunction: JSON.stringify(processing.code) },
  }
  const model = { name: followUps.model, config: followUps.config, prompt: followUps.prompt }
  return {
    chatbotConfig: JSON.stringify(config),
    followUpPrompts: withFollowUpModel(followUpPrompts, followUps.on ? model : undefined),
  }
}

/** Returns messages by field. */
export function chatProblems({ leads, followUps, processing }: ChatValues): Record<string, string | false> {
  return {
    leadFields: leads.on && !leads.name && !leads.email && !leads.phone && 'Choose what to ask for.',
    llmModel: followUps.on && !followUps.model && 'Choose the model that writes follow-up questions.',
    processing: processing.on && !processing.code.trim() && 'Write the code, or switch post-processing off.',
  }
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const textOf = (value: string) => value.trim() || undefined
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
