/** Chat flows: components that are plugged into each other by type. They are stored as they were imported. */

import { idNumber } from '../../document/ids.ts'
import { isStickyNote } from '../../document/sticky-note.ts'
import { allowed } from '../../rules/verdict.ts'
import type { FlowKind } from '../types.ts'
import { checkEnds, linkInput, ports, unlinkInput } from './connections.ts'
import { handleWithoutTypes } from './handles.ts'
import { outputAnchors } from './new-nodes.ts'

export const chatflow: FlowKind = {
  type: 'CHATFLOW',
  label: 'Chat flow',
  newName: 'New chat flow',
  fileSuffix: 'Chatflow',
  isRunnable: false,

  ownsNode: () => false,
  palette: { headings: [], headingOf: () => undefined },
  firstNodes: [],
  checkPlacement: () => allowed,

  frame: (definition) => ({ type: isStickyNote(definition) ? 'stickyNote' : 'customNode' }),
  newLabel: ({ label }) => label,
  copyLabel: (data, newId) => (isStickyNote(data) ? data.label : `${data.label} (${idNumber(newId)})`),
  outputAnchors,
  anchorsFromInputs: () => undefined,
  initialOutputs: ({ outputs }) => ({ output: outputs?.[0]?.name }),

  ports,
  // The types of a component differ between its versions.
  handleKey: handleWithoutTypes,
  checkEnds,
  checkConnection: () => allowed,
  cycleAdvice: '',
  outputIndex: () => undefined,
  edgeShape: () => ({ type: 'buttonedge', data: { label: '' } }),
  linkInput,
  unlinkInput,

  isContainer: () => false,
  containerNoun: 'container',
  jumpTarget: () => undefined,
  withJumpTarget: (node) => node,

  structureProblems: () => [],
  inputProblems: () => [],
  checksInput: () => false,
  flowProblems: () => [],

  startNode: () => undefined,
  declaredValues: () => ({ state: [], form: [], webhook: [] }),
  describeOutput: ({ label }) => ({ description: `Output of ${label}`, keys: [] }),
}

/** Agent flows of the first generation, which are drawn like chat flows. */
export const multiagent: FlowKind = {
  ...chatflow,
  type: 'MULTIAGENT',
  label: 'Older agent flow',
  newName: 'New agent flow',
  fileSuffix: 'Agents',
}
