import { Box, chakra } from '@chakra-ui/react'
import type { Sketch } from '#contract/home/home.ts'

const Line = chakra('path')
const Shape = chakra('rect')

const PADDING = 40
/** A flow of one node is not drawn larger than this. */
const MIN_SIZE = { width: 900, height: 360 }

/** A small drawing of a flow's nodes and edges. */
export function FlowSketch({ sketch: { width, height, nodes, edges } }: { sketch: Sketch }) {
  const [w, h] = [Math.max(width, MIN_SIZE.width), Math.max(height, MIN_SIZE.height)]
  const viewBox = [(width - w) / 2 - PADDING, (height - h) / 2 - PADDING, w + 2 * PADDING, h + 2 * PADDING].join(' ')
  return (
    <Box asChild display="block" w="full" h="24" bg="bg.subtle" borderRadius="l2">
      <svg viewBox={viewBox} preserveAspectRatio="xMidYMid meet" aria-hidden>
        {edges.map(({ from, to }) => {
          const [source, target] = [nodes[from], nodes[to]]
          if (!source || !target) return null
          const [x1, y1] = [source.x + source.width, source.y + source.height / 2]
          const [x2, y2] = [target.x, target.y + target.height / 2]
          const bend = Math.max(40, Math.abs(x2 - x1) / 2)
          return (
            <Line
              key={`${from}-${to}`}
              d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
              fill="none"
              stroke="border.emphasized"
              strokeWidth="2px"
              vectorEffect="non-scaling-stroke"
            />
          )
        })}
        {nodes.map(({ name, x, y, width: across, height: down }, index) => (
          <Shape
            // biome-ignore lint/suspicious/noArrayIndexKey: a node is its place in the drawing
            key={index}
            x={x}
            y={y}
            width={across}
            height={down}
            rx="20"
            fill={name === 'startAgentflow' ? 'accent.solid' : 'bg.panel'}
            stroke={name === 'startAgentflow' ? 'accent.solid' : 'fg.muted'}
            strokeWidth="1.5px"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
    </Box>
  )
}
