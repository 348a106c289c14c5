/** Converts a flow's settings to the Share panel's values and back. Pure. */
import type { Callers } from '#contract/access/callers.ts'
import type { Chatflow, OverridableInput } from '#contract/chatflows/chatflows.ts'
import {
  ANONYMOUS_CHARACTERS,
  readApiConfig,
  readChatbotConfig,
  withFullTrace,
} from '#contract/chatflows/flow-settings.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { MAX_CALL_CHARACTERS } from '#contract/predictions/call-size.ts'
import { type ChatValues, chatProblems, readChatValues, withChatValues } from './chat-values.ts'
import { type SpeechValues, type StoredSpeech, speechOf, speechSettingsOf } from './speech-settings.ts'

export type ShareSettings = Pick<Chatflow, 'callers' | 'apikeyid' | 'apiConfig' | 'chatbotConfig' | 'followUpPrompts'> &
  StoredSpeech

export interface ShareValues {
  callers: Callers
  /** Empty: every key that may run flows. */
  apikeyid: string
  /** One a line. */
  sites: string
  limit: { on: boolean; calls: string; seconds: string; message: string }
  size: { on: boolean; characters: string }
  overrides: { on: boolean; inputs: Permits; variables: string[] }
  fullTrace: boolean
  callerTools: boolean
  chat: ChatValues
  speech: SpeechValues
}

/** The names of inputs that callers may set, by node label. */
type Permits = Record<string, string[]>

export function readShareValues({
  callers,
  apikeyid,
  apiConfig,
  chatbotConfig,
  followUpPrompts,
  ...speech
}: ShareSettings): ShareValues {
  const { rateLimit, callSize, overrideConfig, fullTrace, callerTools } = readApiConfig(apiConfig)
  const namesOf = (permits: { name: string; enabled: boolean }[]) =>
    permits.filter(({ enabled }) => enabled).map(({ name }) => name)
  return {
    callers,
    apikeyid: apikeyid ?? '',
    sites: readChatbotConfig(chatbotConfig).allowedOrigins.filter(Boolean).join('\n'),
    limit: {
      on: rateLimit !== undefined,
      calls: String(rateLimit?.limitMax ?? 60),
      seconds: String(rateLimit?.limitDuration ?? 60),
      message: rateLimit?.limitMsg ?? '',
    },
    size: { on: callSize !== undefined, characters: String(callSize?.maxCharacters ?? ANONYMOUS_CHARACTERS) },
    overrides: {
      on: overrideConfig !== undefined,
      inputs: Object.fromEntries(
        Object.entries(overrideConfig?.nodes ?? {}).map(([label, permits]) => [label, namesOf(permits)]),
      ),
      variables: namesOf(overrideConfig?.variables ?? []),
    },
    fullTrace: fullTrace !== undefined,
    callerTools: callerTools !== undefined,
    chat: readChatValues({ chatbotConfig, followUpPrompts }),
    speech: speechOf(speech),
  }
}

/** Keeps every other setting. */
export function buildShareSettings(
  values: ShareValues,
  stored: ShareSettings,
  known: readonly OverridableInput[],
): ShareSettings {
  const { callers, apikeyid, limit, size, overrides, fullTrace, callerTools } = values
  const api = parseRecord(withFullTrace(stored.apiConfig, fullTrace))
  const chat = withChatValues(stored, values.chat)
  return {
    ...speechSettingsOf(values.speech),
    callers,
    apikeyid: callers === 'keys' && apikeyid ? apikeyid : null,
    chatbotConfig: JSON.stringify({ ...parseRecord(chat.chatbotConfig), allowedOrigins: sitesOf(values) }),
    followUpPrompts: chat.followUpPrompts,
    apiConfig: JSON.stringify({
      ...api,
      ...((callerTools || api.callerTools !== undefined) && { callerTools: { status: callerTools } }),
      rateLimit: {
        ...parseRecord(api.rateLimit),
        status: limit.on,
        ...(limit.on && {
          limitMax: Number(limit.calls),
          limitDuration: Number(limit.seconds),
          limitMsg: limit.message,
        }),
      },
      ...((size.on || api.callSize !== undefined) && {
        callSize: { status: size.on, ...(size.on && { maxCharacters: Number(size.characters) }) },
      }),
      overrideConfig: {
        ...parseRecord(api.overrideConfig),
        status: overrides.on,
        ...(overrides.on && {
          nodes: permittedNodes(overrides.inputs, known),
          variables: overrides.variables.map((name) => ({ name, enabled: true })),
        }),
      },
    }),
  }
}

function permittedNodes(inputs: Permits, known: readonly OverridableInput[]): object {
  const entries = Object.entries(inputs).map(([node, names]) => {
    const detailsOf = (name: string) => known.find((input) => input.node === node && input.name === name)
    return [
      node,
      names.map((name) => ({ label: detailsOf(name)?.label, name, type: detailsOf(name)?.type, enabled: true })),
    ]
  })
  return Object.fromEntries(entries.filter(([, permits]) => (permits ?? []).length > 0))
}

const sitesOf = ({ sites }: Pick<ShareValues, 'sites'>): string[] =>
  sites
    .split(/[\s,]+/)
    .map((site) => site.trim())
    .filter(Boolean)

/** Returns messages by field. */
export function shareProblems(values: ShareValues): Record<string, string | false> {
  const { callers, limit, size } = values
  const sites = sitesOf(values)
  const wrong = sites.find((site) => !isSite(site))
  const isCount = (text: string) => Number(text) > 0 && Number.isFinite(Number(text))
  return {
    sites:
      (callers === 'sites' && sites.length === 0 && 'Enter at least one site.') ||
      (wrong !== undefined && `“${wrong}” isn’t a site. Enter it like https://example.com.`),
    calls: limit.on && !isCount(limit.calls) && 'Enter how many calls, a number above 0.',
    seconds: limit.on && !isCount(limit.seconds) && 'Enter the seconds, a number above 0.',
    characters:
      size.on &&
      !(isCount(size.characters) && Number(size.characters) <= MAX_CALL_CHARACTERS) &&
      `Enter a number from 1 to ${MAX_CALL_CHARACTERS}.`,
    ...chatProblems(values.chat),
  }
}

/** A host with or without a scheme, as the check of a call reads it. */
function isSite(site: string): boolean {
  const url = URL.parse(/^[a-z]+:\/\//i.test(site) ? site : `https://${site}`)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  const { hostname } = url
  return hostname === 'localhost' || hostname.startsWith('[') || /[^.]\.[^.]/.test(hostname)
}

function parseRecord(config: unknown): Record<string, unknown> {
  const value = typeof config === 'string' ? tryParseJson(config || '{}') : config
  return isRecord(value) ? value : {}
}
