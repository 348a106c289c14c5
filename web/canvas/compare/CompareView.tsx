import { Badge, Box, Button, Dialog, Flex, Heading, IconButton, Portal, Stack, Text } from '@chakra-ui/react'
import { IconX } from '@tabler/icons-react'
import { ReactFlowProvider } from '@xyflow/react'
import { type ReactNode, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { formatFileSize } from '#contract/data/format.ts'
import { diffFlows, type Mark } from '#contract/flow/diff/diff.ts'
import type { SourceChange } from '#contract/flow/diff/diff-sources.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { CanvasKind, Definitions } from '../kinds/types.ts'
import { CanvasProvider, useCanvas } from '../store/context.ts'
import { createCanvas, select } from '../store/store.ts'
import { Flow } from '../surface/Surface.tsx'
import { useView } from '../surface/use-view.ts'
import { type Detail, type Difference, groupChanges, type Review } from './review.ts'
import { separateOverlaps } from './separate-overlaps.ts'

interface CompareViewProps {
  title: string
  /** Shown in full. Differences from `before` are marked. */
  after: FlowDocument
  before: FlowDocument | null
  /** What changed in the files that the flow was made from. */
  sources?: readonly SourceChange[]
  definitions: Definitions
  kind: CanvasKind
  /** Beside the title. */
  controls?: ReactNode
  /** Buttons in the header. */
  actions?: ReactNode
  /** Above the list of changes. */
  children?: ReactNode
  onClose: () => void
}

/** A read-only flow over the whole page; with `before`, its changes are marked and listed. */
export function CompareView({
  title,
  after,
  before,
  sources = [],
  definitions,
  kind,
  controls,
  actions,
  children,
  onClose,
}: CompareViewProps) {
  const compared = useMemo(() => {
    const components = [...definitions.values()]
    const diff = diffFlows(before ?? after, after, { components, kind: kind.flow })
    const review = groupChanges(diff)
    const { viewport: _viewport, ...flow } = diff.merged
    const canvas = createCanvas(separateOverlaps(flow, review.marks), components, kind)
    canvas.marks = review.marks
    return { canvas, review, key: crypto.randomUUID() }
  }, [before, after, definitions, kind])
  const { canvas, review, key } = compared
  return (
    <Dialog.Root open size="full" motionPreset="none" onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Positioner>
          <Dialog.Content height="100dvh" minHeight="0" rounded="none">
            <Flex as="header" align="center" gap="3" px="4" py="2" wrap="wrap" borderBottomWidth="1px">
              <Dialog.Title fontSize="md" flex={{ base: '1', md: 'none' }}>
                {title}
              </Dialog.Title>
              {controls && (
                <Flex order={{ base: 1, md: 0 }} width={{ base: 'full', md: 'auto' }} gap="3" wrap="wrap">
                  {controls}
                </Flex>
              )}
              <Flex
                order={{ base: 1, md: 0 }}
                width={{ base: 'full', md: 'auto' }}
                flex={{ md: '1' }}
                justify="end"
                gap="2"
                _empty={{ display: 'none' }}
              >
                {actions}
              </Flex>
              <IconButton size="sm" variant="ghost" aria-label="Close" title="Close" onClick={onClose}>
                <IconX size={18} />
              </IconButton>
            </Flex>
            <CanvasProvider key={key} value={canvas}>
              <ReactFlowProvider>
                <Flex flex="1" minHeight="0" direction={{ base: 'column', md: 'row' }}>
                  <Box flex="1" minWidth="0" minHeight="0" position="relative" as="section" aria-label="Canvas">
                    <Flow miniMap={false} readOnly />
                  </Box>
                  {(before || children) && (
                    <SidePanel label={before ? 'Changes' : 'About this flow'}>
                      {children}
                      {before && <Changes review={review} sources={sources} />}
                    </SidePanel>
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

function SidePanel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      as="aside"
      aria-label={label}
      width={{ base: 'full', md: '360px' }}
      maxHeight={{ base: '45%', md: 'none' }}
      overflowY="auto"
      borderLeftWidth={{ md: '1px' }}
      borderTopWidth={{ base: '1px', md: '0' }}
      bg="bg.panel"
      p="4"
    >
      {children}
    </Box>
  )
}

const words: Record<Mark, { label: string; palette: string }> = {
  added: { label: 'Added', palette: 'success' },
  removed: { label: 'Removed', palette: 'danger' },
  changed: { label: 'Changed', palette: 'warning' },
}

function Changes({ review, sources }: { review: Review; sources: readonly SourceChange[] }) {
  return (
    <>
      <DrawingChanges review={review} hasOthers={sources.length > 0} />
      {sources.length > 0 && <SourceChanges changes={sources} />}
    </>
  )
}

/** The list of changes. Each line shows its node. */
function DrawingChanges({ review, hasOthers }: { review: Review; hasOthers: boolean }) {
  const { differences, moved } = review
  const count = (mark: Mark) => differences.filter((each) => each.mark === mark).length
  const marks = (Object.keys(words) as Mark[]).filter((mark) => count(mark) > 0)
  const movedText = moved > 0 && (
    <Text fontSize="sm" color="fg.muted">
      {moved === 1 ? '1 node moved.' : `${moved} nodes moved.`}
    </Text>
  )
  if (differences.length === 0) {
    return movedText || <Text color="fg.muted">{hasOthers ? 'The drawing is the same.' : 'No differences.'}</Text>
  }
  return (
    <Stack gap="3">
      <Heading as="h2" size="sm">
        {differences.length === 1 ? '1 change' : `${differences.length} changes`}
      </Heading>
      <Flex gap="2" wrap="wrap" aria-label="Legend" role="group">
        {marks.map((mark) => (
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
      {movedText}
    </Stack>
  )
}

function SourceChanges({ changes }: { changes: readonly SourceChange[] }) {
  return (
    <Box mt="5">
      <Heading as="h2" size="sm" mb="2">
        Source files
      </Heading>
      <Stack as="ul" listStyleType="none" gap="2">
        {changes.map(({ name, mark, before, after }) => (
          <Flex as="li" key={name} gap="2" align="baseline" wrap="wrap">
            <Badge colorPalette={words[mark].palette} flex="none">
              {words[mark].label}
            </Badge>
            <Text fontSize="sm" overflowWrap="anywhere" minW="0">
              {name}
            </Text>
            <Text fontSize="xs" color="fg.muted">
              {[before, after].flatMap((bytes) => (bytes === undefined ? [] : formatFileSize(bytes))).join(' → ')}
            </Text>
          </Flex>
        ))}
      </Stack>
    </Box>
  )
}

function DifferenceLine({ difference }: { difference: Difference }) {
  const canvas = useCanvas()
  const view = useView(canvas)
  const { selection } = useSnapshot(canvas.state)
  const { id, nodeId, isEdge, mark, label, details } = difference
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
        <DetailText key={detail.label} detail={detail} />
      ))}
    </Box>
  )
}

function DetailText({ detail: { label, sides } }: { detail: Detail }) {
  return (
    <Box px="3" pb="2" fontSize="xs">
      <Text fontWeight="medium">{label}</Text>
      {sides ? (
        <>
          <TextSide kind="del" text={sides.before} />
          <TextSide kind="ins" text={sides.after} />
        </>
      ) : (
        <Text color="fg.muted">Changed. Secret values are hidden.</Text>
      )}
    </Box>
  )
}

function TextSide({ kind, text }: { kind: 'del' | 'ins'; text: string }) {
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
      {text === '' ? 'Empty' : text}
    </Box>
  )
}
