/** Draws a whole flow as boxes and lines on a 2D canvas, for the far view and the mini-map. */
import { truncate } from '#contract/data/format.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type Box, byId, nodeBox } from '../geometry/boxes.ts'
import { handleAt } from '../geometry/handles.ts'
import { isContainer, isNote } from '../geometry/node-size.ts'
import type { CanvasKind } from '../kinds/types.ts'
import type { Selection } from '../store/store.ts'

interface Colours {
  edge: string
  /** Nodes without a colour. */
  plain: string
  panel: string
  selected: string
  note: string
  /** The names on coloured boxes. */
  name: string
  font: string
}

/** Computed once for each document: boxes by colour, and each edge as four numbers. */
interface Picture {
  boxes: ReadonlyMap<string, Box>
  fills: ReadonlyMap<string | null, readonly Box[]>
  containers: readonly Box[]
  notes: readonly Box[]
  names: readonly { box: Box; name: string }[]
  lines: Float32Array
}

interface View {
  x: number
  y: number
  zoom: number
}

const pictures = new WeakMap<FlowDocument, Picture>()

/** Returns the picture of a document in flow coordinates, the same one for the far view and the mini-map. */
export function pictureOf(flow: FlowDocument, kind: CanvasKind): Picture {
  const picture = pictures.get(flow) ?? makePicture(flow, kind)
  pictures.set(flow, picture)
  return picture
}

function makePicture(flow: FlowDocument, kind: CanvasKind): Picture {
  const nodes = byId(flow.nodes)
  const boxes = new Map(flow.nodes.map((node) => [node.id, nodeBox(node, nodes)]))
  const fills = new Map<string | null, Box[]>()
  const containers: Box[] = []
  const notes: Box[] = []
  for (const node of flow.nodes) {
    const box = boxes.get(node.id) as Box
    const colour = node.data.color ?? null
    if (isNote(node)) notes.push(box)
    else if (isContainer(node)) containers.push(box)
    else {
      const alike = fills.get(colour)
      if (alike) alike.push(box)
      else fills.set(colour, [box])
    }
  }
  const names = flow.nodes.flatMap((node) =>
    isNote(node) || isContainer(node) ? [] : [{ box: boxes.get(node.id) as Box, name: node.data.label }],
  )
  return { boxes, fills, containers, notes, names, lines: computeLines(flow, boxes, kind) }
}

function computeLines(flow: FlowDocument, boxes: ReadonlyMap<string, Box>, kind: CanvasKind): Float32Array {
  const nodes = byId(flow.nodes)
  const lines = flow.edges.flatMap((edge) => {
    const source = boxes.get(edge.source)
    const target = boxes.get(edge.target)
    const [sourceNode, targetNode] = [nodes.get(edge.source), nodes.get(edge.target)]
    const from = sourceNode && handleAt(sourceNode, { type: 'source', id: edge.sourceHandle }, kind)
    const to = targetNode && handleAt(targetNode, { type: 'target', id: edge.targetHandle }, kind)
    if (!source || !target || !from || !to) return []
    return [source.x + from.x, source.y + from.y, target.x + to.x, target.y + to.y]
  })
  return new Float32Array(lines)
}

/** Draws the picture through `view`, in CSS pixels. */
export function draw(
  context: CanvasRenderingContext2D,
  picture: Picture,
  view: View & { selection: Selection; colours: Colours },
) {
  const { x, y, zoom, selection, colours } = view
  const rect = (box: Box) => context.rect(x + box.x * zoom, y + box.y * zoom, box.width * zoom, box.height * zoom)
  const fill = (boxes: readonly Box[], colour: string) => {
    context.beginPath()
    boxes.forEach(rect)
    context.fillStyle = colour
    context.fill()
  }
  const { lines } = picture
  context.beginPath()
  for (let i = 0; i < lines.length; i += 4) {
    context.moveTo(x + (lines[i] as number) * zoom, y + (lines[i + 1] as number) * zoom)
    context.lineTo(x + (lines[i + 2] as number) * zoom, y + (lines[i + 3] as number) * zoom)
  }
  context.strokeStyle = colours.edge
  context.lineWidth = 1
  context.stroke()
  fill(picture.notes, colours.note)
  fill(picture.containers, colours.panel)
  context.beginPath()
  picture.containers.forEach(rect)
  context.strokeStyle = colours.edge
  context.stroke()
  for (const [colour, boxes] of picture.fills) fill(boxes, colour ?? colours.plain)
  const chosen = selection.nodes.flatMap((id) => picture.boxes.get(id) ?? [])
  if (chosen.length === 0) return
  context.beginPath()
  chosen.forEach(rect)
  context.strokeStyle = colours.selected
  context.lineWidth = 3
  context.stroke()
}

/** In CSS pixels. Smaller names could not be read. */
const NAME = { largest: 13, least: 8, margin: 4, letter: 0.56 }

/** Writes the names of the nodes in view on their boxes. */
export function drawNames(
  context: CanvasRenderingContext2D,
  { names }: Picture,
  { x, y, zoom, colours }: View & { colours: Colours },
) {
  const { clientWidth: width, clientHeight: height } = context.canvas
  context.fillStyle = colours.name
  context.textBaseline = 'middle'
  let font = 0
  for (const { box, name } of names) {
    const [left, top] = [x + box.x * zoom, y + box.y * zoom]
    const [wide, high] = [box.width * zoom, box.height * zoom]
    const size = Math.min(NAME.largest, Math.floor(high - NAME.margin))
    if (size < NAME.least || left > width || top > height || left + wide < 0 || top + high < 0) continue
    if (size !== font) context.font = `600 ${size}px ${colours.font}`
    font = size
    const letters = Math.floor((wide - 2 * NAME.margin) / (size * NAME.letter))
    context.fillText(truncate(name, letters), left + NAME.margin, top + high / 2)
  }
}

/** Sizes the element's bitmap for the screen, clears it, and returns a context in CSS pixels. */
export function prepare(element: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio
  const width = Math.round(element.clientWidth * ratio)
  const height = Math.round(element.clientHeight * ratio)
  if (element.width !== width) element.width = width
  if (element.height !== height) element.height = height
  const context = element.getContext('2d')
  context?.setTransform(ratio, 0, 0, ratio, 0, 0)
  context?.clearRect(0, 0, element.clientWidth, element.clientHeight)
  return context
}

/** Returns the theme's current colours. */
export function readColours(element: Element): Colours {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(`--heddle-colors-${name}`).trim()
  return {
    edge: colour('border-control'),
    plain: colour('border-control'),
    panel: colour('bg-emphasized'),
    selected: colour('accent-border'),
    note: colour('warning-muted'),
    name: colour('black'),
    font: style.fontFamily,
  }
}
