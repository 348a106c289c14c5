import { Badge, Box, Button, Dialog, Flex, Heading, IconButton, Portal, Stack, Text } from '@chakra-ui/react'
import { IconX } from '@tabler/icons-react'
import { ReactFlowProvider } from '@xyflow/react'
import { type ReactNode, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { ComponentDefinition } from '#contract/flow/definition.ts'
import type { FlowDocument } from '#contract/flow/document.ts'
import { createCanvas, type Mark, select } from '../canvas.ts'
import { CanvasProvider, useCanvas } from '../context.ts'
import { Flow } from '../Flow.tsx'
import { useView } from '../useView.ts'
import { comparison, type Difference } from './comparison.ts'

export interface CompareViewProps {
  title: string
  /** Shown in full; with `before`, what differs from it is marked. */
  after: FlowDocument
  before: FlowDocument | null
  definitions: ReadonlyMap<string, ComponentDefinition>
  /** Below the title: what is compared with what. */
  controls?: ReactNode
  /** What can be done with what is seen. */
  actions?: ReactNode
  /** Above the list of changes. */
  children?: ReactNode
  onClose: () => void
}

/** A flow to look at, over the whole page; beside another one, with what was added, removed and changed. */
export function CompareView({
  title,
  after,
  before,
  definitions,
  controls,
  actions,
  children,
  onClose,
}: CompareViewProps) {
  const compared = useMemo(() => comparison(before ?? after, after, definitions.values()), [before, after, definitions])
  const canvas = useMemo(() => {
    const { viewport: _viewport, ...flow } = compared.flow
    const shown = createCanvas(flow, [...definitions.values()])
    shown.marks = compared.marks
    return shown
  }, [compared, definitions])
  return (
    <Dialog.Root open size="full" motionPreset="none" onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Positioner>
          <Dialog.Content height="100dvh" minHeight="0" rounded="none">
            <Flex as="header" align="center" gap="3" px="4" py="2" wrap="wrap" borderBottomWidth="1px">
              <Dialog.Title fontSize="md">{title}</Dialog.Title>
              {controls}
              <Flex flex="1" justify="end" align="center" gap="2" wrap="wrap">
                {actions}
                <IconButton size="sm" variant="ghost" aria-label="Close" title="Close" onClick={onClose}>
                  <IconX size={18} />
                </IconButton>
              </Flex>
            </Flex>
            <CanvasProvider key={canvas.state.flow.nodes.length + title} value={canvas}>
              <ReactFlowProvider>
                <Flex flex="1" minHeight="0" direction={{ base: 'column', md: 'row' }}>
                  <Box flex="1" minWidth="0" minHeight="0" position="relative" as="section" aria-label="Canvas">
                    <Flow miniMap={false} readOnly />
                  </Box>
                  {(before || children) && (
                    <Box
                      as="aside"
                      aria-label="Changes"
                      width={{ base: 'full', md: '360px' }}
                      maxHeight={{ base: '45%', md: 'none' }}
                      overflowY="auto"
                      borderLeftWidth={{ md: '1px' }}
                      borderTopWidth={{ base: '1px', md: '0' }}
                      bg="bg.panel"
                      p="4"
                    >
                      {children}
                      {before && <Changes differences={compared.differences} />}
                    </Box>
                  )}
                </Flex>
              </ReactFlowProvider>
            </CanvasProvider>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

const words: Record<Mark, { label: string; palette: string }> = {
  added: { label: 'Added', palette: 'success' },
  removed: { label: 'Removed', palette: 'danger' },
  changed: { label: 'Changed', palette: 'warning' },
}

/** Legend and list in one: each line leads to its node. */
function Changes({ differences }: { differences: readonly Difference[] }) {
  const count = (mark: Mark) => differences.filter((each) => each.mark === mark).length
  if (differences.length === 0) return <Text color="fg.muted">There is no difference.</Text>
  return (
    <Stack gap="3">
      <Heading as="h2" size="sm">
        {differences.length === 1 ? '1 change' : `${differences.length} changes`}
      </Heading>
      <Flex gap="2" wrap="wrap" aria-label="Legend" role="group">
        {(Object.keys(words) as Mark[]).map((mark) => (
          <Badge key={mark} colorPalette={words[mark].palette}>
            {count(mark)} {words[mark].label.toLowerCase()}
          </Badge>
        ))}
      </Flex>
      <Stack as="ul" listStyleType="none" gap="2">
        {differences.map((difference) => (
          <li key={difference.id}>
            <DifferenceLine difference={difference} />
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

function DifferenceLine({ difference }: { difference: Difference }) {
  const canvas = useCanvas()
  const view = useView(canvas)
  const { selection } = useSnapshot(canvas.state)
  const { id, nodeId, mark, label, details } = difference
  const isEdge = id !== nodeId
  const chosen = selection.nodes.includes(id) || selection.edges.includes(id)
  const open = () => {
    select(canvas, isEdge ? { edges: [id] } : { nodes: [id] })
    view.show(nodeId)
  }
  return (
    <Box borderWidth="1px" rounded="lg" borderColor={chosen ? 'accent.border' : undefined}>
      <Button
        variant="ghost"
        size="sm"
        width="full"
        height="auto"
        minH="8"
        py="1"
        px="2"
        justifyContent="start"
        whiteSpace="normal"
        textAlign="start"
        onClick={open}
      >
        <Badge colorPalette={words[mark].palette} flex="none">
          {words[mark].label}
        </Badge>
        {label}
      </Button>
      {details.map((detail) => (
        <Box key={detail.label} px="3" pb="2" fontSize="xs">
          <Text fontWeight="medium">{detail.label}</Text>
          <Side kind="del" text={detail.before} />
          <Side kind="ins" text={detail.after} />
        </Box>
      ))}
    </Box>
  )
}

function Side({ kind, text }: { kind: 'del' | 'ins'; text: string }) {
  const palette = kind === 'del' ? 'danger' : 'success'
  return (
    <Box
      as={kind}
      display="block"
      textDecoration="none"
      bg={`${palette}.subtle`}
      color={`${palette}.fg`}
      rounded="md"
      px="2"
      py="1"
      mt="1"
      maxH="40"
      overflowY="auto"
      whiteSpace="pre-wrap"
      overflowWrap="anywhere"
      tabIndex={text.length > 400 ? 0 : undefined}
    >
      {kind === 'del' ? '− ' : '+ '}
      {text === '' ? 'nothing' : text}
    </Box>
  )
}
