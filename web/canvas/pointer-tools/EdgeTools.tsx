import { IconPlus, IconX } from '@tabler/icons-react'
import { useStoreApi, ViewportPortal } from '@xyflow/react'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { openSearch } from '../interactions/menus.ts'
import { removeEdgesById } from '../store/commands.ts'
import { sceneOf } from '../store/connecting.ts'
import { useCanvas } from '../store/context.ts'
import { computeCurves, middleOf } from './curves.ts'

/** Long enough to get from the connection to its buttons. */
const STAYS = 300

/** Insert and remove, at the connection under the pointer or the selected one. For the pointer; the keyboard has the menu. */
export function EdgeTools() {
  const canvas = useCanvas()
  const { selection, connecting, menu } = useSnapshot(canvas.state)
  const hovered = useHoveredEdge()
  const selected = selection.nodes.length + selection.edges.length
  const edge = hovered ?? selection.edges[0]
  if (edge === undefined || selected > 1 || connecting || menu) return null
  return <Tools key={edge} edge={edge} />
}

function Tools({ edge }: { edge: string }) {
  const canvas = useCanvas()
  // Follows the nodes.
  useSnapshot(canvas.state).flow
  const scene = sceneOf(canvas)
  const curve = computeCurves(scene).find(({ id }) => id === edge)
  if (!curve) return null
  const { x, y } = middleOf(curve)
  const drawn = scene.flow.edges.find(({ id }) => id === edge)
  const source = scene.flow.nodes.find(({ id }) => id === drawn?.source)
  const hasLabel = drawn && source ? canvas.kind.edgeLabel(drawn, source) !== '' : false
  return (
    <ViewportPortal>
      <div
        className="heddle-edge-tools nopan nodrag"
        data-edge={edge}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y + (hasLabel ? 26 : -22)}px)` }}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-label="Insert a node"
          title="Insert a node"
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect()
            openSearch(canvas, { edge }, { x: left, y: bottom + 4 })
          }}
        >
          <IconPlus size={14} aria-hidden />
        </button>
        <button
          type="button"
          tabIndex={-1}
          aria-label="Remove connection"
          title="Remove connection"
          onClick={() => removeEdgesById(canvas, [edge])}
        >
          <IconX size={14} aria-hidden />
        </button>
      </div>
    </ViewportPortal>
  )
}

/** The connection under the pointer, and a moment longer. */
function useHoveredEdge(): string | undefined {
  const { domNode } = useStoreApi().getState()
  const [hovered, setHovered] = useState<string>()
  useEffect(() => {
    if (!domNode) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = ({ target, buttons }: PointerEvent) => {
      if (buttons > 0 || !(target instanceof Element)) return
      const tools = target.closest('.heddle-edge-tools')
      const edge = target.closest('.react-flow__edge')?.getAttribute('data-id') ?? undefined
      clearTimeout(timer)
      if (edge !== undefined) setHovered(edge)
      else if (!tools) timer = setTimeout(() => setHovered(undefined), STAYS)
    }
    domNode.addEventListener('pointerover', follow)
    return () => {
      clearTimeout(timer)
      domNode.removeEventListener('pointerover', follow)
    }
  }, [domNode])
  return hovered
}
