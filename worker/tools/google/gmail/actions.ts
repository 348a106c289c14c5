/** What each action of the Gmail tool asks of a model, and of Gmail. */
import type { ActionName } from './inputs.ts'
import { composeMail, type Mail, type Message, readMail } from './mime.ts'

type Values = Record<string, unknown>

interface Field {
  type: 'string' | 'number' | 'array'
  description: string
  required?: boolean
  /** The input of the canvas that fixes it. */
  input?: string
  /** The input says what holds when the model names nothing. */
  isDefault?: boolean
}

export interface Action {
  /** What the model sees. */
  tool: string
  description: string
  fields: Record<string, Field>
  hasEffect: boolean
  request(values: Values): { method: string; path: string; query?: Values; body?: unknown }
  /** What the model is told of Gmail's answer; the JSON itself unless given. */
  tell?(answer: unknown, values: Values): unknown
}

const string = (description: string, rest: Partial<Field> = {}): Field => ({ type: 'string', description, ...rest })

const idOf = (thing: string) => ({ id: string(`ID of the ${thing}`, { required: true, input: `${thing}Id` }) })

const mailFields = (prefix: string): Record<string, Field> => ({
  to: string('Addresses of the recipients, separated by commas', { required: true, input: `${prefix}To` }),
  subject: string('The subject', { input: `${prefix}Subject` }),
  body: string('The text, plain or HTML', { input: `${prefix}Body` }),
  cc: string('Addresses for a copy, separated by commas', { input: `${prefix}Cc` }),
  bcc: string('Addresses for a hidden copy, separated by commas', { input: `${prefix}Bcc` }),
})

const labelFields: Record<string, Field> = {
  labelName: string('Name of the label', { required: true, input: 'labelName' }),
  labelColor: string("A colour of Gmail's palette, such as #fb4c2f", { input: 'labelColor' }),
}

const raw = (values: Values) => ({ raw: composeMail(values as unknown as Mail) })
const at = (path: string, { id }: Values, rest = '') => `${path}/${encodeURIComponent(String(id))}${rest}`
const mailOf = (message: unknown) => readMail((message ?? {}) as Message)

function listing(thing: string, path: string, prefix: string): Action {
  return {
    tool: `list_${path}`,
    description: `Lists ${path} in Gmail. The answer has IDs: ask for each ${thing} to read it.`,
    fields: {
      maxResults: { type: 'number', description: 'How many at most', input: `${prefix}MaxResults`, isDefault: true },
      query: string("In the words of Gmail's search, such as is:unread", { input: `${prefix}Query` }),
    },
    hasEffect: false,
    request: ({ maxResults, query }) => ({ method: 'GET', path, query: { maxResults, q: query } }),
  }
}

/** An action on one thing that needs nothing but its ID. */
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
    tell: (_: unknown, { id }: Values) => `The ${thing} ${id} ${done}.`,
  }
}

const trashing = (thing: string) => single(thing, 'trash', { method: 'POST', rest: '/trash', done: 'is in the trash' })
const untrashing = (thing: string) =>
  single(thing, 'untrash', { method: 'POST', rest: '/untrash', done: 'is out of the trash' })
const deletion = (thing: string) => single(thing, 'delete', { method: 'DELETE', done: 'was deleted for ever' })

function reading(thing: string, tell?: Action['tell']): Action {
  return {
    tool: `get_${thing}`,
    description: `Reads a ${thing} of Gmail.`,
    fields: idOf(thing),
    hasEffect: false,
    request: (values) => ({ method: 'GET', path: at(`${thing}s`, values) }),
    tell,
  }
}

function modifying(thing: string): Action {
  const labels = (what: string, input: string): Field => ({
    type: 'array',
    description: `IDs of labels to ${what}`,
    input,
  })
  return {
    tool: `modify_${thing}`,
    description: `Puts labels on a ${thing} of Gmail and takes them off.`,
    fields: {
      ...idOf(thing),
      addLabelIds: labels('put on', `${thing}AddLabelIds`),
      removeLabelIds: labels('take off', `${thing}RemoveLabelIds`),
    },
    hasEffect: true,
    request: (values) => ({
      method: 'POST',
      path: at(`${thing}s`, values, '/modify'),
      body: { addLabelIds: values.addLabelIds ?? [], removeLabelIds: values.removeLabelIds ?? [] },
    }),
  }
}

/** Gmail wants both colours of a label: black or white text, whichever is easier to read. */
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
    description: 'Creates a draft in Gmail, without sending it.',
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
    description: 'Replaces the whole content of a draft in Gmail.',
    fields: { ...idOf('draft'), ...mailFields('draftUpdate') },
    hasEffect: true,
    request: (values) => ({ method: 'PUT', path: at('drafts', values), body: { message: raw(values) } }),
  },
  sendDraft: {
    tool: 'send_draft',
    description: 'Sends a draft of Gmail.',
    fields: idOf('draft'),
    hasEffect: true,
    request: ({ id }) => ({ method: 'POST', path: 'drafts/send', body: { id } }),
  },
  deleteDraft: deletion('draft'),
  listMessages: listing('message', 'messages', 'message'),
  getMessage: reading('message', mailOf),
  sendMessage: {
    tool: 'send_message',
    description: 'Sends a mail by Gmail.',
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
    description: 'Lists the labels of Gmail.',
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
    description: 'Changes name and colour of a label in Gmail.',
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
