/** Converts the settings of a flow's chat page to the Share panel's values and back. Pure. */
import { type ChatbotSettings, readChatbotSettings } from '#contract/chatflows/chatbot-config.ts'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { DEFAULT_FOLLOW_UP_PROMPT, readFollowUpModel, withFollowUpModel } from '#contract/runs/follow-up-prompts.ts'

type ChatSettings = Pick<Chatflow, 'chatbotConfig' | 'followUpPrompts'>

export interface ChatValues {
  title: string
  welcome: string
  /** Empty: the colour of the product. */
  colors: Record<ColorName, string>
  /** Addresses of pictures, on the web or as data; empty: none. */
  avatars: Record<AvatarName, string>
  footer: string
  /** Behind the footer's text, with the address that it leads to. */
  company: string
  companyLink: string
  /** One a line. */
  starters: string
  feedback: boolean
  files: boolean
  /** Callers without a key may have files fetched from the web. */
  fetchUrls: boolean
  leads: { on: boolean; title: string; name: boolean; email: boolean; phone: boolean; thanks: string }
  followUps: { on: boolean; model: string; config: Record<string, unknown>; prompt: string }
  processing: { on: boolean; code: string }
}

export const COLORS = {
  title: 'Title bar',
  titleText: 'Title bar text',
  answer: 'Answers',
  answerText: 'Answer text',
  question: 'Questions',
  questionText: 'Question text',
  page: 'Background',
  footerText: 'Footer text',
} as const
export type ColorName = keyof typeof COLORS

export const AVATARS = {
  title: 'Image in the title bar',
  answer: 'Image beside answers',
  question: 'Image beside questions',
} as const
export type AvatarName = keyof typeof AVATARS

export function readChatValues({ chatbotConfig, followUpPrompts }: ChatSettings): ChatValues {
  const settings = readChatbotSettings(chatbotConfig)
  const { leads, footer, botMessage, userMessage, postProcessing } = settings
  const model = readFollowUpModel(followUpPrompts)
  return {
    title: settings.title ?? '',
    welcome: settings.welcomeMessage ?? '',
    colors: {
      title: settings.titleBackgroundColor ?? '',
      titleText: settings.titleTextColor ?? '',
      answer: botMessage.backgroundColor ?? '',
      answerText: botMessage.textColor ?? '',
      question: userMessage.backgroundColor ?? '',
      questionText: userMessage.textColor ?? '',
      page: settings.backgroundColor ?? '',
      footerText: footer.textColor ?? '',
    },
    avatars: {
      title: settings.titleAvatarSrc ?? '',
      answer: (botMessage.showAvatar && botMessage.avatarSrc) || '',
      question: (userMessage.showAvatar && userMessage.avatarSrc) || '',
    },
    footer: footer.text ?? '',
    company: footer.company ?? '',
    companyLink: footer.companyLink ?? '',
    starters: settings.starterPrompts.join('\n'),
    feedback: settings.chatFeedback.status,
    files: settings.fullFileUpload.status,
    fetchUrls: settings.fullFileUpload.fetchUrls,
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

/** Returns the settings of the look, in Flowise's keys. */
function mergeLook(stored: Record<string, unknown>, values: LookValues) {
  const { colors, avatars } = values
  const bubble = (name: 'answer' | 'question', kept: unknown) => ({
    ...recordOf(kept),
    backgroundColor: textOf(colors[name]),
    textColor: textOf(colors[`${name}Text`]),
    showAvatar: avatars[name].trim() !== '',
    avatarSrc: textOf(avatars[name]),
  })
  return {
    title: textOf(values.title),
    welcomeMessage: textOf(values.welcome),
    titleAvatarSrc: textOf(avatars.title),
    titleBackgroundColor: textOf(colors.title),
    titleTextColor: textOf(colors.titleText),
    backgroundColor: textOf(colors.page),
    botMessage: bubble('answer', stored.botMessage),
    userMessage: bubble('question', stored.userMessage),
    footer: {
      ...recordOf(stored.footer),
      textColor: textOf(colors.footerText),
      text: textOf(values.footer),
      company: textOf(values.company),
      companyLink: textOf(values.companyLink),
    },
  }
}

type LookValues = Pick<
  ChatValues,
  'title' | 'welcome' | 'colors' | 'avatars' | 'footer' | 'company' | 'companyLink' | 'starters'
>

/** Returns the look as the `theme` that Flowise's widget is given by the page it stands in. */
export function flowiseTheme({ chatbotConfig }: Pick<ChatSettings, 'chatbotConfig'>, values: LookValues): object {
  const stored = recordOf(tryParseJson(chatbotConfig || '{}'))
  const { botMessage, userMessage, footer, ...look } = readChatbotSettings(
    JSON.stringify({ ...stored, ...mergeLook(stored, values) }),
  )
  const { title, titleAvatarSrc, titleBackgroundColor, titleTextColor, welcomeMessage, errorMessage } = look
  const { backgroundColor, fontSize, starterPromptFontSize, poweredByTextColor, showAgentMessages } = look
  return {
    button: look.button,
    chatWindow: {
      ...{ title, titleAvatarSrc, titleBackgroundColor, titleTextColor, welcomeMessage, errorMessage },
      ...{ backgroundColor, fontSize, starterPromptFontSize, poweredByTextColor, showAgentMessages },
      ...{ sourceDocsTitle: look.sourceDocsTitle, botMessage, userMessage, textInput: look.textInput },
      footer: flowiseFooter(footer),
    },
  }
}

/** Returns a footer that is always set: without one, Flowise's widget names Flowise. */
function flowiseFooter({ text, company, companyLink, ...footer }: ChatbotSettings['footer']): object {
  if (!text && !company) return { ...footer, showFooter: false }
  return { ...footer, text: text ?? '', company: company ?? '', companyLink: companyLink ?? '' }
}

/** Keeps every other setting. */
export function withChatValues({ chatbotConfig, followUpPrompts }: ChatSettings, values: ChatValues): ChatSettings {
  const stored = recordOf(tryParseJson(chatbotConfig || '{}'))
  const { leads, followUps, processing } = values
  const { on, thanks, title, ...fields } = leads
  const { name, email, phone } = fields
  const config = {
    ...stored,
    ...mergeLook(stored, values),
    starterPrompts: Object.fromEntries(linesOf(values.starters).map((prompt, index) => [index, { prompt }])),
    chatFeedback: { ...recordOf(stored.chatFeedback), status: values.feedback },
    fullFileUpload: { ...recordOf(stored.fullFileUpload), status: values.files, fetchUrls: values.fetchUrls },
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

/** Returns messages by field. What the worker would not read, nobody can save. */
export function chatProblems(values: ChatValues): Record<string, string | false> {
  const { leads, followUps, processing, avatars, companyLink } = values
  const read = readChatbotSettings(JSON.stringify(mergeLook({}, values)))
  const isPicture = (src: string) => src.trim() === '' || isReadPicture(src.trim())
  return {
    avatars:
      !Object.values(avatars).every(isPicture) && 'Enter an https:// address, or choose a PNG, JPEG, GIF, WebP or SVG.',
    companyLink:
      (companyLink.trim() !== '' &&
        read.footer.companyLink === undefined &&
        'Enter an address like https://example.com.') ||
      (companyLink.trim() !== '' && values.company.trim() === '' && 'Name the company that the link leads to.'),
    leadFields: leads.on && !leads.name && !leads.email && !leads.phone && 'Choose what to ask for.',
    llmModel: followUps.on && !followUps.model && 'Choose the model that writes follow-up questions.',
    processing: processing.on && !processing.code.trim() && 'Write the code, or switch post-processing off.',
  }
}

const isReadPicture = (titleAvatarSrc: string) =>
  readChatbotSettings(JSON.stringify({ titleAvatarSrc })).titleAvatarSrc !== undefined

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const textOf = (value: string) => value.trim() || undefined
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** Returns the colour that a person typed, undefined while it is none. */
export const colorIn = (text: string): string | undefined =>
  /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text) ? text : undefined
