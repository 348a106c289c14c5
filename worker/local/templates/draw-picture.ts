/** A flow as an SVG image, which is readable on light and dark pages. Pure. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { ITERATION } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Sketch } from '#contract/home/home.ts'
import { sketchFlow } from '../../areas/chatflows/index.ts'

const PADDING = 24

/** A page shows pictures smaller, so letters are large. */
const FONT = { label: 30, type: 22, line: 34, lettersInLine: 13 }
const INK = '#18181b'
const EDGE = '#7d8590'

type Box = Sketch['nodes'][number]

/** Text that the image reads as text. */
const escapeText = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

export function drawPicture(title: string, flow: FlowDocument, definitions: readonly ComponentDefinition[]): string {
  const { width, height, nodes, edges } = sketchFlow(flow)
  const labels = flow.nodes.filter(({ data }) => !isStickyNote(data)).map(({ data }) => data.label)
  const known = new Map(definitions.map((each) => [each.name, each]))
  const [w, h] = [width + 2 * PADDING, height + 2 * PADDING]
  const lines = edges.flatMap(({ from, to }) => {
    const [source, target] = [nodes[from], nodes[to]]
    return source && target ? [edgeLine(source, target)] : []
  })
  const boxes = nodes.map((box, index) => nodeBox(box, labels[index] ?? '', known.get(box.name)))
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-PADDING} ${-PADDING} ${w} ${h}" width="${w / 2}" height="${h / 2}" font-family="Inter, system-ui, sans-serif" text-anchor="middle">`,
    `<title>${escapeText(title)}</title>`,
    ...boxes.filter((_, index) => isContainer(nodes[index])),
    ...lines,
    ...boxes.filter((_, index) => !isContainer(nodes[index])),
    '</svg>',
  ].join('\n')}\n`
}

const isContainer = (box: Box | undefined) => box?.name === ITERATION

function edgeLine(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2]
  const [x2, y2] = [to.x, to.y + to.height / 2]
  const bend = Math.max(40, Math.abs(x2 - x1) / 2)
  const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
  return `<path d="${path}" fill="none" stroke="${EDGE}" stroke-width="4"/><circle cx="${x2}" cy="${y2}" r="7" fill="${EDGE}"/>`
}

function nodeBox(box: Box, label: string, definition: ComponentDefinition | undefined): string {
  const { x, y, width, height } = box
  const color = definition?.color ?? EDGE
  const shape = (more: string) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="16" fill="${color}"${more}/>`
  const centre = x + width / 2
  const text = (line: string, at: number, size: number, weight: number) =>
    `<text x="${centre}" y="${at}" font-size="${size}" font-weight="${weight}" fill="${INK}">${escapeText(line)}</text>`
  if (isContainer(box)) {
    const bar = `<rect x="${x}" y="${y}" width="${width}" height="44" rx="16" fill="${color}"/>`
    return `${shape(` fill-opacity="0.25" stroke="${color}" stroke-width="3"`)}${bar}${text(label, y + 32, FONT.label, 600)}`
  }
  const rows = wrap(label)
  const type = definition?.label ?? box.name
  const sized = [
    ...rows.map((row) => ({ row, size: FONT.label, weight: 600 })),
    ...(rows.length === 1 && type !== label ? [{ row: type, size: FONT.type, weight: 400 }] : []),
  ]
  const top = y + (height - sized.length * FONT.line) / 2
  return (
    shape('') +
    sized
      .map(({ row, size, weight }, index) => text(row, Math.round(top + index * FONT.line + 26), size, weight))
      .join('')
  )
}

/** Two lines at most: the last takes the rest. */
function wrap(label: string): string[] {
  if (label.length <= FONT.lettersInLine) return [label]
  const space = label.lastIndexOf(' ', FONT.lettersInLine)
  return space < 0 ? [label] : [label.slice(0, space), label.slice(space + 1)]
}
