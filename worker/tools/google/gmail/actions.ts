/** The actions of the Gmail tool: arguments for the model and requests to Gmail. */
import type { ActionName } from './inputs.ts'
import { composeMail, type Mail, type Message, readMail } from './mime.ts'

type Values = Record<string, unknown>

interface Field {
  type: 'string' | 'number' | 'array'
  description: string
  required?: boolean
  /** The canvas input that fixes the value. */
  input?: string
  /** The canvas input is only a default; the model can override it. */
  isDefault?: boolean
}

export interface Action {
  /** Tool name for the model. */
  tool: string
  description: string
  fields: Record<string, Field>
  hasEffect: boolean
  request(values: Values): { method: string; path: string; query?: Values; body?: unknown }
  /** Formats Gmail's response for the model. Default: the JSON. */
  format?(answer: unknown, values: Values): unknown
}

const string = (description: string, rest: Partial<Field> = {}): Field => ({ type: 'string', description, ...rest })

const idOf = (thing: string) => ({ id: string(`ID of the ${thing}`, { required: true, input: `${thing}Id` }) })

const mailFields = (prefix: string): Record<string, Field> => ({
  to: string('Recipient addresses, separated by commas', { required: true, input: `${prefix}To` }),
  subject: string('The subject', { input: `${prefix}Subject` }),
  body: string('The text, plain or HTML', { input: `${prefix}Body` }),
  cc: string('CC addresses, separated by commas', { input: `${prefix}Cc` }),
  bcc: string('BCC addresses, separated by commas', { input: `${prefix}Bcc` }),
})

const labelFields: Record<string, Field> = {
  labelName: string('Name of the label', { required: true, input: 'labelName' }),
  labelColor: string("A color from Gmail's palette, such as #fb4c2f", { input: 'labelColor' }),
}

const raw = (values: Values) => ({ raw: composeMail(values as unknown as Mail) })
const at = (path: string, { id }: Values, rest = '') => `${path}/${encodeURIComponent(String(id))}${rest}`
const mailOf = (message: unknown) => readMail((message ?? {}) as Message)

function listing(thing: string, path: string, prefix: string): Action {
  return {
    tool: `list_${path}`,
    description: `Lists ${path} in Gmail. Returns IDs: get each ${thing} to read it.`,
    fields: {
      maxResults: {
        type: 'number',
        description: 'Maximum number of results',
        input: `${prefix}MaxResults`,
        isDefault: true,
      },
      query: string("A query in Gmail's search syntax, such as is:unread", { input: `${prefix}Query` }),
    },
    hasEffect: false,
    request: ({ maxResults, query }) => ({ method: 'GET', path, query: { maxResults, q: query } }),
  }
}

/** An action that needs only the ID of a resource. */
function single(
  thing: string,
  verb: string,
  { method, rest = '', done }: { method: string; rest?: string; done: string },
) {
  return {
    tool: `${verb}_${thing}`,
    description: `${verb[0]?.toUpperCase()}${verb.slice(1)}s a ${thing} in Gmail.`,
    fields: idOf(thing),
    hasEffect: true,
    request: (values: Values) => ({ method, path: at(`${thing}s`, values, rest) }),
    format: (_: unknown, { id }: Values) => `The ${thing} ${id} ${done}.`,
  }
}

const trashing = (thing: string) =>
  single(thing, 'trash', { method: 'POST', rest: '/trash', done: 'was moved to the trash' })
const untrashing = (thing: string) =>
  single(thing, 'untrash', { method: 'POST', rest: '/untrash', done: 'was removed from the trash' })
const deletion = (thing: string) => single(thing, 'delete', { method: 'DELETE', done: 'was permanently deleted' })

function reading(thing: string, format?: Action['format']): Action {
  return {
    tool: `get_${thing}`,
    description: `Reads a ${thing} in Gmail.`,
    fields: idOf(thing),
    hasEffect: false,
    request: (values) => ({ method: 'GET', path: at(`${thing}s`, values) }),
    format,
  }
}

function modifying(thing: string): Action {
  const labels = (what: string, input: string): Field => ({
    type: 'array',
    description: `IDs of the labels to ${what}`,
    input,
  })
  return {
    tool: `modify_${thing}`,
    description: `Adds and removes labels of a ${thing} in Gmail.`,
    fields: {
      ...idOf(thing),
      addLabelIds: labels('add', `${thing}AddLabelIds`),
      removeLabelIds: labels('remove', `${thing}RemoveLabelIds`),
    },
    hasEffect: true,
    request: (values) => ({
      method: 'POST',
      path: at(`${thing}s`, values, '/modify'),
      body: { addLabelIds: values.addLabelIds ?? [], removeLabelIds: values.removeLabelIds ?? [] },
    }),
  }
}

/** Gmail requires a text color, too: black or white, whichever has more contrast. */
function labelBody({ labelName, labelColor }: Values) {
  if (!labelColor) return { name: labelName }
  const [red = 0, green = 0, blue = 0] = (String(labelColor).match(/[0-9a-f]{2}/gi) ?? []).map((hex) =>
    Number.parseInt(hex, 16),
  )
  const isBright = red * 0.299 + green * 0.587 + blue * 0.114 > 150
  return { name: labelName, color: { backgroundColor: labelColor, textColor: isBright ? '#000000' : '#ffffff' } }
}

export const gmailActions: Record<ActionName, Action> = {
  listDrafts: listing('draft', 'drafts', 'draft'),
  createDraft: {
    tool: 'create_draft',
    description: 'Creates a draft in Gmail without sending it.',
    fields: mailFields('draft'),
    hasEffect: true,
    request: (values) => ({ method: 'POST', path: 'drafts', body: { message: raw(values) } }),
  },
  getDraft: reading('draft', async (draft) => {
    const { id, message } = draft as { id?: string; message?: unknown }
    return { draftId: id, ...(await mailOf(message)) }
  }),
  updateDraft: {
    tool: 'update_draft',
    description: 'Replaces the content of a draft in Gmail.',
    fields: { ...idOf('draft'), ...mailFields('draftUpdate') },
    hasEffect: true,
    request: (values) => ({ method: 'PUT', path: at('drafts', values), body: { message: raw(values) } }),
  },
  sendDraft: {
    tool: 'send_draft',
    description: 'Sends a draft in Gmail.',
    fields: idOf('draft'),
    hasEffect: true,
    request: ({ id }) => ({ method: 'POST', path: 'drafts/send', body: { id } }),
  },
  deleteDraft: deletion('draft'),
  listMessages: listing('message', 'messages', 'message'),
  getMessage: reading('message', mailOf),
  sendMessage: {
    tool: 'send_message',
    description: 'Sends an email with Gmail.',
    fields: mailFields('message'),
    hasEffect: true,
    request: (values) => ({ method: 'POST', path: 'messages/send', body: raw(values) }),
  },
  modifyMessage: modifying('message'),
  trashMessage: trashing('message'),
  untrashMessage: untrashing('message'),
  deleteMessage: deletion('message'),
  listLabels: {
    tool: 'list_labels',
    description: 'Lists the labels in Gmail.',
    fields: {},
    hasEffect: false,
    request: () => ({ method: 'GET', path: 'labels' }),
  },
  getLabel: reading('label'),
  createLabel: {
    tool: 'create_label',
    description: 'Creates a label in Gmail.',
    fields: labelFields,
    hasEffect: true,
    request: (values) => ({
      method: 'POST',
      path: 'labels',
      body: { ...labelBody(values), labelListVisibility: 'labelShow', messageListVisibility: 'show' },
    }),
  },
  updateLabel: {
    tool: 'update_label',
    description: 'Changes the name and color of a label in Gmail.',
    fields: { ...idOf('label'), ...labelFields },
    hasEffect: true,
    request: (values) => ({ method: 'PATCH', path: at('labels', values), body: labelBody(values) }),
  },
  deleteLabel: deletion('label'),
  listThreads: listing('thread', 'threads', 'thread'),
  getThread: reading('thread', async (thread) => {
    const { id, messages = [] } = thread as { id?: string; messages?: Message[] }
    return { id, messages: await Promise.all(messages.map(readMail)) }
  }),
  modifyThread: modifying('thread'),
  trashThread: trashing('thread'),
  untrashThread: untrashing('thread'),
  deleteThread: deletion('thread'),
}
