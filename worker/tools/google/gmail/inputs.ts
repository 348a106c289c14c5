/** Canvas inputs of the Gmail tool. */

import { additionalParam } from '#contract/flow/params/builders.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'

const MAX_RESULTS = 100

/** Actions per resource, in display order. */
export const ACTIONS = {
  drafts: ['listDrafts', 'createDraft', 'getDraft', 'updateDraft', 'sendDraft', 'deleteDraft'],
  messages: [
    'listMessages',
    'getMessage',
    'sendMessage',
    'modifyMessage',
    'trashMessage',
    'untrashMessage',
    'deleteMessage',
  ],
  labels: ['listLabels', 'getLabel', 'createLabel', 'updateLabel', 'deleteLabel'],
  threads: ['listThreads', 'getThread', 'modifyThread', 'trashThread', 'untrashThread', 'deleteThread'],
} as const

export type Kind = keyof typeof ACTIONS
export type ActionName = (typeof ACTIONS)[Kind][number]

/** Converts `listDrafts` to `List drafts`. */
const titleOf = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^[a-z]/, (first) => first.toUpperCase())

const singular = (kind: Kind) => kind.slice(0, -1)

/** Name of the input with the selected actions: `draftActions`. */
export const actionsInput = (kind: Kind) => `${singular(kind)}Actions`

function buildChoice(kind: Kind): InputParam {
  const label = titleOf(singular(kind))
  return {
    label: `${label} actions`,
    name: actionsInput(kind),
    type: 'multiOptions',
    options: ACTIONS[kind].map((name) => ({ label: titleOf(name), name })),
    show: { gmailType: [kind] },
  }
}

/** An input that fixes an argument, so that the model can't set it. */
const fixed = (kind: Kind, actions: ActionName[], [label, name, rest]: [string, string, Partial<InputParam>?]) =>
  additionalParam(label, name, { acceptVariable: true, show: { [actionsInput(kind)]: actions }, ...rest })

const addresses = { description: 'Addresses, separated by commas', placeholder: 'ann@example.com, bo@example.com' }
const text = { rows: 4, placeholder: 'Dear Ann, …' }
const search = { placeholder: 'is:unread from:ann@example.com', description: "A query in Gmail's search syntax" }
const labelIds = { description: 'Separated by commas', placeholder: 'INBOX, STARRED' }
const maxResults = { type: 'number', default: MAX_RESULTS, acceptVariable: false }

export const gmailInputs: InputParam[] = [
  {
    label: 'Type',
    name: 'gmailType',
    type: 'options',
    options: Object.keys(ACTIONS).map((kind) => ({ label: titleOf(kind), name: kind })),
  },
  ...(Object.keys(ACTIONS) as Kind[]).map(buildChoice),
  fixed('drafts', ['listDrafts'], ['Max results', 'draftMaxResults', maxResults]),
  fixed('drafts', ['createDraft'], ['To', 'draftTo', addresses]),
  fixed('drafts', ['createDraft'], ['Subject', 'draftSubject']),
  fixed('drafts', ['createDraft'], ['Body', 'draftBody', text]),
  fixed('drafts', ['createDraft'], ['CC', 'draftCc', addresses]),
  fixed('drafts', ['createDraft'], ['BCC', 'draftBcc', addresses]),
  fixed('drafts', ['getDraft', 'updateDraft', 'sendDraft', 'deleteDraft'], ['Draft ID', 'draftId']),
  fixed('drafts', ['updateDraft'], ['To (update)', 'draftUpdateTo', addresses]),
  fixed('drafts', ['updateDraft'], ['Subject (update)', 'draftUpdateSubject']),
  fixed('drafts', ['updateDraft'], ['Body (update)', 'draftUpdateBody', text]),
  fixed('messages', ['listMessages'], ['Max results', 'messageMaxResults', maxResults]),
  fixed('messages', ['listMessages'], ['Query', 'messageQuery', search]),
  fixed('messages', ['sendMessage'], ['To', 'messageTo', addresses]),
  fixed('messages', ['sendMessage'], ['Subject', 'messageSubject']),
  fixed('messages', ['sendMessage'], ['Body', 'messageBody', text]),
  fixed('messages', ['sendMessage'], ['CC', 'messageCc', addresses]),
  fixed('messages', ['sendMessage'], ['BCC', 'messageBcc', addresses]),
  fixed(
    'messages',
    ['getMessage', 'modifyMessage', 'trashMessage', 'untrashMessage', 'deleteMessage'],
    ['Message ID', 'messageId'],
  ),
  fixed('messages', ['modifyMessage'], ['Add label IDs', 'messageAddLabelIds', labelIds]),
  fixed('messages', ['modifyMessage'], ['Remove label IDs', 'messageRemoveLabelIds', labelIds]),
  fixed('labels', ['createLabel', 'updateLabel'], ['Label name', 'labelName']),
  fixed('labels', ['createLabel', 'updateLabel'], ['Label color', 'labelColor', { placeholder: '#fb4c2f' }]),
  fixed('labels', ['getLabel', 'updateLabel', 'deleteLabel'], ['Label ID', 'labelId']),
  fixed('threads', ['listThreads'], ['Max results', 'threadMaxResults', maxResults]),
  fixed('threads', ['listThreads'], ['Query', 'threadQuery', search]),
  fixed(
    'threads',
    ['getThread', 'modifyThread', 'trashThread', 'untrashThread', 'deleteThread'],
    ['Thread ID', 'threadId'],
  ),
  fixed('threads', ['modifyThread'], ['Add label IDs', 'threadAddLabelIds', labelIds]),
  fixed('threads', ['modifyThread'], ['Remove label IDs', 'threadRemoveLabelIds', labelIds]),
]
