import { Box, Button, Flex, IconButton, Input, Stack, Text } from '@chakra-ui/react'
import { IconArrowRight, IconPlugConnected, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { graphOf, topologicalOrder } from '#contract/flow/document/graph.ts'
import { namedText } from '#contract/flow/references/reference-names.ts'
import { findInFlow } from '../find/find-in-flow.ts'
import { labelOf, removeEdgesById, removeSelection } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { announce, select } from '../store/store.ts'
import { edgeLabel, nodeNames } from '../surface/node-labels.ts'

interface OutlineProps {
  /** Opens a node's settings and shows it on the canvas. */
  onOpen: (nodeId: string) => void
  onConnect: (nodeId: string) => void
}

/** The flow as a list in running order, for screen readers and keyboards. */
export function Outline({ onOpen, onConnect }: OutlineProps) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state)
  const graph = graphOf(flow)
  const { order, rest } = topologicalOrder(graph)
  const [query, setQuery] = useState('')
  const found = query.trim() === '' ? null : new Set(findInFlow(flow, query).map(({ nodeId }) => nodeId))
  const nodes = [...order, ...rest].flatMap((id) => (found?.has(id) === false ? [] : (graph.nodes.get(id) ?? [])))
  return (
    <Stack gap="0">
      <Box p="3" pb="0">
        <Input
          size="sm"
          type="search"
          aria-label="Filter nodes"
          placeholder="Filter by name, type, or text"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </Box>
      {nodes.length === 0 && (
        <Text role="status" p="3" fontSize="sm" color="fg.muted">
          {found ? `No node matches “${query}”.` : 'The flow is empty.'}
        </Text>
      )}
      <Stack as="ol" listStyleType="none" gap="1" p="3" aria-label="Nodes in running order">
        {nodes.map((node) => (
          <li key={node.id}>
            <OutlineNode node={node} edges={graph.outgoing.get(node.id) ?? []} onOpen={onOpen} onConnect={onConnect} />
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

function OutlineNode({
  node,
  edges,
  onOpen,
  onConnect,
}: { node: FlowNode; edges: readonly FlowEdge[] } & OutlineProps) {
  const canvas = useCanvas()
  const { label, type, name } = node.data
  const labelled = (edge: FlowEdge) => {
    const text = namedText(edgeLabel(edge, node, canvas.kind), nodeNames(canvas.state.flow))
    return text && ` (${text})`
  }
  const remove = () => {
    select(canvas, { nodes: [node.id] })
    removeSelection(canvas)
  }
  return (
    <Box borderWidth="1px" rounded="lg" p="1">
      <Flex align="center">
        <Button variant="ghost" size="xs" flex="1" minWidth="0" justifyContent="start" onClick={() => onOpen(node.id)}>
          <Text truncate>{label || name}</Text>
          <Text color="fg.muted" fontWeight="normal" fontSize="xs">
            {type ?? name}
          </Text>
        </Button>
        {!node.data.hideOutput && (
          <RowButton label={`Connect ${label} to another node`} onClick={() => onConnect(node.id)}>
            <IconPlugConnected size={14} />
          </RowButton>
        )}
        <RowButton label={`Delete ${label}`} onClick={remove}>
          <IconTrash size={14} />
        </RowButton>
      </Flex>
      {edges.length > 0 && (
        <Box as="ul" listStyleType="none" pl="4" aria-label={`Connections from ${label}`}>
          {edges.map((edge) => (
            <Flex as="li" key={edge.id} align="center" gap="1" fontSize="xs" color="fg.muted">
              <IconArrowRight size={12} aria-label="to" role="img" />
              <Text flex="1" truncate>
                {labelOf(canvas, edge.target)}
                {labelled(edge)}
              </Text>
              <RowButton
                label={`Remove the connection from ${label} to ${labelOf(canvas, edge.target)}`}
                onClick={() => {
                  removeEdgesById(canvas, [edge.id])
                  announce(canvas, 'Connection removed')
                }}
              >
                <IconX size={12} />
              </RowButton>
            </Flex>
          ))}
        </Box>
      )}
    </Box>
  )
}

function RowButton({ label, ...rest }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return <IconButton aria-label={label} title={label} size="2xs" variant="ghost" {...rest} />
}
