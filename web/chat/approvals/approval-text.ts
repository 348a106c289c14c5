/** Texts of approvals and their tools. Pure. */
import { isRecord } from '#contract/data/json.ts'
import type { Approval, ToolCallRequest } from '#contract/runs/approvals.ts'
import type { HumanInputQuestion, Responder, UsedTool } from '#contract/runs/events.ts'
import { formatDuration } from '../../ui/format.ts'

/** Returns the name of a tool for people: `web_scraper` becomes `Web scraper`. */
export function toolTitle(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => (/^[A-Z\d]+$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the names of the tools: `Calculator and Web scraper`. */
export function toolTitles(calls: readonly { tool: string }[]): string {
  const titles = [...new Set(calls.map(({ tool }) => toolTitle(tool)))]
  return new Intl.ListFormat('en').format(titles)
}

/** Returns the tool calls that a question asks to approve; none for other questions. */
export function requestedCalls({ toolCalls }: HumanInputQuestion): ToolCallRequest[] {
  const isCall = (call: unknown): call is ToolCallRequest => isRecord(call) && typeof call.tool === 'string'
  return Array.isArray(toolCalls) ? toolCalls.filter(isCall) : []
}

/** Where an agent's question lists its tool calls as JSON, after its own words. */
const CALLS = '```json\n[\n  {\n    "id": '

/** Returns an agent's question without the JSON of its tool calls, also when an excerpt cuts them off. */
export function withoutToolCalls(text: string): string {
  const start = text.lastIndexOf(CALLS)
  return start === -1 || !/\n {4}"name": /.test(text.slice(start)) ? text : text.slice(0, start).trimEnd()
}

type Decided = Pick<Approval, 'answer' | 'toolCalls'>

/** Returns `Allowed` or `Declined` for tool calls, `Approved` or `Rejected` for other questions. */
export function verdictOf({ answer: { type }, toolCalls }: Decided): string {
  if (toolCalls?.length) return type === 'proceed' ? 'Allowed' : 'Declined'
  return type === 'proceed' ? 'Approved' : 'Rejected'
}

/**
 * Returns who answered; empty when it is not known.
 * @param viewerId the user who looks at it, as is who has just answered and has no name yet
 */
export function responderText(by: Responder | undefined, viewerId?: string): string {
  if (!by) return ''
  if (by.kind === 'user') return by.id !== undefined && by.id === viewerId ? 'you' : (by.name ?? 'you')
  if (by.kind === 'team') return 'the team'
  if (by.kind === 'apiKey') return `API key ${by.name ?? ''}`.trim()
  return by.kind === 'caller' ? 'an API call' : 'a visitor'
}

/** Returns what others have decided last in a run: `Approved by the team`. */
export function decidedByOthers(approvals: readonly Approval[]): string | undefined {
  const approval = approvals.findLast(({ answer }) => isOfTeam(answer.by))
  return approval && `${verdictOf(approval)} by ${responderText(approval.answer.by)}`
}

const isOfTeam = (by: Responder | undefined) => by !== undefined && by.kind !== 'caller' && by.kind !== 'visitor'

/** Returns what follows a tool's name: ` (declined)`, ` (failed)`, and how long it ran, as ` · 1.2 s`. */
export function outcomeText({ error, declined, milliseconds }: Omit<UsedTool, 'tool'>): string {
  if (declined) return ' (declined)'
  const duration = milliseconds === undefined ? '' : ` · ${formatDuration(milliseconds)}`
  return (error === undefined ? '' : ' (failed)') + duration
}
