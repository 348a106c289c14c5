/** URL search parameters of the messages page. Pure. */
import type { StoredMessage } from '#contract/chats/chatmessages.ts'
import { CHAT_TYPES, RATINGS } from '#contract/runs/conversation-kinds.ts'

export interface MessageFilters {
  chatType?: StoredMessage['chatType']
  feedbackType?: (typeof RATINGS)[number]
  /** A text that a message contains. */
  search?: string
  /** ISO timestamps. */
  startDate?: string
  endDate?: string
}

export interface MessagesSearch extends MessageFilters {
  page?: number
  /** The open session. */
  session?: string
  /** Shows leads in place of sessions. */
  view?: 'leads'
}

/** Returns the valid parameters of a URL's search and drops everything else. */
export function messagesSearch(search: Record<string, unknown>): MessagesSearch {
  const page = Number(search.page)
  const all: MessagesSearch = {
    chatType: CHAT_TYPES.find((type) => type === search.chatType),
    feedbackType: RATINGS.find((rating) => rating === search.feedbackType),
    search: text(search.search)?.slice(0, 200),
    startDate: date(search.startDate),
    endDate: date(search.endDate),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    session: text(search.session),
    view: search.view === 'leads' ? 'leads' : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

export const filtersOf = ({ page: _, session: __, view: ___, ...filters }: MessagesSearch): MessageFilters => filters

// The router parses a text of digits as a number.
const text = (value: unknown) =>
  (typeof value === 'string' && value) || typeof value === 'number' ? String(value) : undefined

const date = (value: unknown) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined)
