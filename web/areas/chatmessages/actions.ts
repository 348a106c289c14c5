/** Actions on the sessions of a flow. Each reports its result in a toast. */
import { csvLine } from '#contract/data/csv.ts'
import { errorMessage } from '#contract/errors.ts'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/query.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { downloadBlob } from '../../ui/download.ts'
import { fetchLeads, MAX_LEADS, MESSAGES } from './queries.ts'
import type { MessageFilters } from './search.ts'

export const countSessions = (count: number): string => (count === 1 ? '1 session' : `${count} sessions`)

/** Asks first. Returns true when the session is deleted. */
export async function deleteSession(flowId: string, sessionId: string): Promise<boolean> {
  const sure = await confirm({
    title: 'Delete this session?',
    description: 'This deletes its messages, files and ratings. Executions are kept.',
    confirmButtonName: 'Delete session',
    danger: true,
  })
  return sure && remove(() => api.delete(`/chatmessage/${flowId}`, { sessionId }), 'Session deleted')
}

interface Filtered {
  filters: MessageFilters
  /** The number of sessions that match. */
  total: number
}

/** Asks first. Deletes every session that matches the filters. */
export async function deleteSessions(flowId: string, { filters, total }: Filtered): Promise<boolean> {
  const isFiltered = Object.values(filters).some(Boolean)
  const sure = await confirm({
    title: isFiltered ? `Delete the ${countSessions(total)} that match?` : `Delete all ${countSessions(total)}?`,
    description: 'This deletes their messages, files and ratings. Executions are kept.',
    confirmButtonName: `Delete ${countSessions(total)}`,
    danger: true,
  })
  const call = () => api.delete(`/chatmessage/${flowId}/sessions`, { ...filters })
  return sure && remove(call, `${total === 1 ? 'Session' : 'Sessions'} deleted`)
}

async function remove(call: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await call()
    await invalidate(MESSAGES)
    notify.success(done)
    return true
  } catch (error) {
    notify.error(`Couldn’t delete: ${errorMessage(error)}`)
    return false
  }
}

/** Downloads the messages that match the filters. */
export async function exportMessages(flowId: string, filters: MessageFilters, format: 'json' | 'csv'): Promise<void> {
  const { chatType, feedbackType, ...rest } = filters
  const lists = { chatType: chatType && [chatType], feedbackType: feedbackType && [feedbackType] }
  try {
    const body = { chatflowId: flowId, ...rest, ...lists, format }
    const response = await api.stream('/export-import/chatflow-messages', body)
    downloadBlob(`${flowId}-Message.${format}`, await response.blob())
  } catch (error) {
    notify.error(`Couldn’t export: ${errorMessage(error)}`)
  }
}

/** Downloads all leads of a flow as a table. */
export async function exportLeads(flowId: string): Promise<void> {
  const lines = [csvLine(['Name', 'Email', 'Phone', 'Chat', 'Received'])]
  try {
    for (let page = 1; ; page++) {
      const leads = await fetchLeads(flowId, { page, limit: MAX_LEADS })
      lines.push(...leads.map((lead) => csvLine([lead.name, lead.email, lead.phone, lead.chatId, lead.createdDate])))
      if (leads.length < MAX_LEADS) break
    }
    // The mark by which spreadsheets know that this is UTF-8.
    downloadBlob(`${flowId}-Leads.csv`, new Blob(['\uFEFF', ...lines], { type: 'text/csv' }))
  } catch (error) {
    notify.error(`Couldn’t export: ${errorMessage(error)}`)
  }
}
