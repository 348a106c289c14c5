/** Chat flows as they are drawn: components that are plugged into each other by type, up to the one that answers. */

import { outputOptions } from '../../document/anchors.ts'
import { idNumber } from '../../document/ids.ts'
import { isStickyNote } from '../../document/sticky-note.ts'
import { allowed, refused } from '../../rules/verdict.ts'
import type { FlowKind } from '../types.ts'
import { conditionAnchors } from './condition.ts'
import { checkEnds, instancePath, linkInput, ports, unlinkInput, withOutputFor } from './connections.ts'
import { isDecision } from './endings.ts'
import { chatflowFacts } from './facts.ts'
import { handleWithoutTypes } from './handles.ts'
import { firstLinks, firstNodes, outputAnchors } from './new-nodes.ts'
import { HEADINGS, palette } from './palette.ts'

export const drawnChatflow: FlowKind = {
  ...chatflowFacts,

  ownsNode: ({ category = '' }) => HEADINGS.includes(category),
  palette,
  firstNodes,
  firstLinks,
  checkPlacement: () => allowed,

  frame: (definition) => ({ type: isStickyNote(definition) ? 'stickyNote' : 'customNode' }),
  newLabel: ({ label }) => label,
  copyLabel: (data, newId) => (isStickyNote(data) ? data.label : `${data.label} (${idNumber(newId)})`),
  outputAnchors,
  anchorsFromInputs: conditionAnchors,
  initialOutputs: ({ outputs }) => ({ output: outputs?.[0]?.name }),

  ports,
  withOutputFor,
  // The types of a component differ between its versions.
  handleKey: handleWithoutTypes,
  checkEnds,
  checkConnection: () => allowed,
  cycleAdvice: '',
  outputIndex: ({ data }, { sourceHandle }) => {
    if (!isDecision(data)) return 0
    const key = handleWithoutTypes(sourceHandle ?? '')
    const index = outputOptions(data).findIndex(({ id = '' }) => handleWithoutTypes(id) === key)
    return index < 0 ? undefined : index
  },
  edgeShape: () => ({ type: 'buttonedge', data: { label: '' } }),
  linkInput,
  unlinkInput,

  checkDisabling: () => refused('Nodes of a chat flow cannot be disabled. Remove the connection instead.'),
  isContainer: () => false,
  containerNoun: 'container',
  backEdges: () => [],
  withBackEdges: (node) => node,

  startNode: () => undefined,
  declaredValues: () => ({ state: [], form: [], webhook: [] }),
  outputReference: instancePath,
  chatValues: ['question', 'chat_history', 'file_attachment'],
  describeOutput: ({ label }) => ({ description: `Output of ${label}`, keys: [] }),
}
