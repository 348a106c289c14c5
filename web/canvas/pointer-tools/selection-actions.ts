/** Actions on the selected nodes or the selected connection. */
import {
  type Icon,
  IconCopy,
  IconEye,
  IconEyeOff,
  IconFiles,
  IconLayoutAlignBottom,
  IconLayoutAlignCenter,
  IconLayoutAlignLeft,
  IconLayoutAlignMiddle,
  IconLayoutAlignRight,
  IconLayoutAlignTop,
  IconLayoutDistributeHorizontal,
  IconLayoutDistributeVertical,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { checkDisabling, isDisabled } from '#contract/flow/params/disabled.ts'
import { notify } from '../../state/notify.ts'
import type { Point } from '../geometry/boxes.ts'
import { openSearch } from '../interactions/menus.ts'
import { type Alignment, alignSelection, distributeSelection } from '../store/arrange.ts'
import { duplicateSelection, removeSelection, toggleDisabled } from '../store/commands.ts'
import type { Runs } from '../store/run-actions.ts'
import type { Canvas } from '../store/store.ts'
import { copyNodes } from './clipboard-access.ts'

interface SelectionAction {
  label: string
  icon: Icon
  danger?: boolean
  /** As in the shortcuts of the canvas. */
  keys?: string
  /** Opens something else: the focus does not go back. */
  opens?: boolean
  run(place: Point): void
}

const explain = (verdict: { ok: boolean; reason?: string }) => {
  if (!verdict.ok && verdict.reason) notify.info(verdict.reason)
}

/** Those of the toolbar: few, and the same for one node and for several. */
export function mainActions(canvas: Canvas, runs: Runs | null): SelectionAction[] {
  const { flow, selection } = canvas.state
  const nodes = flow.nodes.filter(({ id }) => selection.nodes.includes(id))
  const [only] = nodes.length === 1 ? nodes : []
  const able = nodes.filter((node) => checkDisabling(flow, node, canvas.kind.flow).ok)
  const areDisabled = able.every(({ data }) => isDisabled(data))
  const step = only && canvas.state.run.trace.findLast(({ nodeId }) => nodeId === only.id)
  const { askReplay } = runs ?? {}
  return [
    ...(step && askReplay && canvas.state.run.executionId !== null
      ? [{ label: 'Replay from here', icon: IconPlayerPlay, keys: 'R', opens: true, run: () => askReplay(step) }]
      : []),
    { label: 'Duplicate', icon: IconCopy, keys: 'Mod+D', run: () => explain(duplicateSelection(canvas)) },
    ...(able.length > 0
      ? [
          {
            label: areDisabled ? 'Enable' : 'Disable',
            icon: areDisabled ? IconEye : IconEyeOff,
            keys: 'D',
            run: () => explain(toggleDisabled(canvas, selection.nodes)),
          },
        ]
      : []),
    { label: 'Delete', icon: IconTrash, keys: 'Delete', danger: true, run: () => removeSelection(canvas) },
  ]
}

const ALIGNMENTS: readonly { alignment: Alignment; label: string; icon: Icon }[] = [
  { alignment: 'left', label: 'Align left', icon: IconLayoutAlignLeft },
  { alignment: 'center', label: 'Align center', icon: IconLayoutAlignCenter },
  { alignment: 'right', label: 'Align right', icon: IconLayoutAlignRight },
  { alignment: 'top', label: 'Align top', icon: IconLayoutAlignTop },
  { alignment: 'middle', label: 'Align middle', icon: IconLayoutAlignMiddle },
  { alignment: 'bottom', label: 'Align bottom', icon: IconLayoutAlignBottom },
]

/** Everything, for the menu. */
export function allActions(canvas: Canvas, runs: Runs | null): SelectionAction[] {
  const { nodes, edges } = canvas.state.selection
  if (nodes.length === 0) return edges.length > 0 ? edgeActions(canvas, edges) : []
  const main = mainActions(canvas, runs)
  return [
    ...nextNode(canvas, nodes),
    ...main.slice(0, -1),
    { label: 'Copy', icon: IconFiles, keys: 'Mod+C', run: () => void copyNodes(canvas) },
    ...(nodes.length > 1 ? arrangements(canvas, nodes.length) : []),
    ...main.slice(-1),
  ]
}

/** One for each output of the only selected node. */
function nextNode(canvas: Canvas, ids: readonly string[]): SelectionAction[] {
  const node = canvas.state.flow.nodes.find(({ id }) => ids.length === 1 && id === ids[0])
  const outputs = node ? canvas.kind.flow.ports(node).outputs : []
  return outputs.map(({ id, label }) => ({
    label: outputs.length > 1 ? `Add a node after ${label}` : 'Add a node after it',
    icon: IconPlus,
    opens: true,
    run: (place) => {
      openSearch(canvas, { from: { nodeId: node?.id ?? '', handleId: id, type: 'source' }, at: null }, place)
    },
  }))
}

function arrangements(canvas: Canvas, count: number): SelectionAction[] {
  const aligned = ALIGNMENTS.map(({ alignment, ...shown }) => ({
    ...shown,
    run: () => alignSelection(canvas, alignment),
  }))
  if (count < 3) return aligned
  return [
    ...aligned,
    {
      label: 'Distribute horizontally',
      icon: IconLayoutDistributeVertical,
      run: () => distributeSelection(canvas, 'x'),
    },
    {
      label: 'Distribute vertically',
      icon: IconLayoutDistributeHorizontal,
      run: () => distributeSelection(canvas, 'y'),
    },
  ]
}

function edgeActions(canvas: Canvas, [edge = '', ...more]: readonly string[]): SelectionAction[] {
  return [
    ...(more.length === 0
      ? [
          {
            label: 'Insert a node',
            icon: IconPlus,
            opens: true,
            run: (place: Point) => openSearch(canvas, { edge }, place),
          },
        ]
      : []),
    { label: 'Delete', icon: IconTrash, keys: 'Delete', danger: true, run: () => removeSelection(canvas) },
  ]
}
