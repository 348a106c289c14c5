import { Box, Button, Flex, Heading, Skeleton, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { ApiError, api } from '../api/client.ts'
import { componentsQuery, flowComponentsQuery } from '../api/components.ts'
import { flowListLink, flowPage } from '../api/flow-link.ts'
import { keys } from '../api/query.ts'
import type { CanvasKind } from '../canvas/kinds/types.ts'
import { completeCatalogue } from '../canvas/store/store.ts'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { BuilderEditor } from './BuilderEditor.tsx'
import { type Draft, newDraft, openDraft } from './draft.ts'

const UnopenedFlow = lazy(() => import('./UnopenedFlow.tsx'))

/** The canvas of one flow, or of a new one without `flowId`. The first save keeps the page. */
export function BuilderPage({ kind, flowId }: { kind: CanvasKind; flowId?: string }) {
  const [shown, setShown] = useState({ flowId, key: 0 })
  const savedAs = useRef<string>(undefined)
  if (flowId !== shown.flowId) {
    const isSameFlow = shown.flowId === undefined && flowId === savedAs.current
    setShown({ flowId, key: isSameFlow ? shown.key : shown.key + 1 })
  }
  const onFirstSave = (id: string) => {
    savedAs.current = id
  }
  return <LoadedCanvas key={shown.key} kind={kind} flowId={flowId} onFirstSave={onFirstSave} />
}

interface LoadedCanvasProps {
  kind: CanvasKind
  flowId: string | undefined
  /** Called before the address gets the new id. */
  onFirstSave: (id: string) => void
}

function LoadedCanvas({ kind, flowId: given, onFirstSave }: LoadedCanvasProps) {
  const [flowId] = useState(given)
  const catalogue = useQuery(componentsQuery)
  const used = useQuery({ ...flowComponentsQuery(flowId, kind.flow), enabled: !catalogue.data })
  // Whichever is there first draws the flow.
  const first = useFirst(
    catalogue.data
      ? { definitions: catalogue.data, hasCatalogue: true }
      : used.data && { definitions: used.data, hasCatalogue: false },
  )
  // Loaded once: the open canvas owns the flow, and its version guards the save.
  const stored = useQuery({
    queryKey: keys.one('canvas', flowId ?? ''),
    queryFn: () => api.get<Chatflow>(`/chatflows/${flowId}`),
    enabled: flowId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const opened = useMemo(() => {
    if (!first) return null
    if (flowId === undefined) return tryDraw(() => newDraft(first.definitions, kind), first)
    return stored.data ? tryOpen(stored.data, first, kind) : null
  }, [flowId, stored.data, first, kind])
  useEffect(() => {
    if (opened && 'draft' in opened && catalogue.data) completeCatalogue(opened.draft.canvas, catalogue.data)
  }, [opened, catalogue.data])

  if (stored.error instanceof ApiError && stored.error.status === 404) return <NotFound kind={kind} />
  const error = stored.error ?? (opened ? null : catalogue.error)
  if (error) {
    const retry = () => void Promise.all([stored.error && stored.refetch(), catalogue.error && catalogue.refetch()])
    return (
      <Titled kind={kind}>
        <ErrorState title="Couldn’t open the canvas" text={error.message} onRetry={retry} />
      </Titled>
    )
  }
  const page = stored.data && stored.data.type !== kind.type && flowPage(stored.data.type, stored.data.id)
  if (page) return <Navigate {...page} replace />
  if (!opened) return <CanvasSkeleton />
  if ('unopened' in opened) {
    return (
      <Titled kind={kind}>
        <Suspense>
          <UnopenedFlow type={opened.unopened} />
        </Suspense>
      </Titled>
    )
  }
  if ('message' in opened) {
    return (
      <Titled kind={kind}>
        <ErrorState title="This flow can’t be shown" text={opened.message} />
      </Titled>
    )
  }
  return <BuilderEditor draft={opened.draft} onFirstSave={onFirstSave} />
}

/** Returns the first value that was there. */
function useFirst<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value)
  if (first === undefined && value !== undefined) setFirst(value)
  return first ?? value
}

interface Catalogue {
  definitions: readonly ComponentDefinition[]
  /** False for those that the flow uses. */
  hasCatalogue: boolean
}

type Opened = { draft: Draft } | { message: string }

function tryOpen(stored: Chatflow, known: Catalogue, kind: CanvasKind): Opened | { unopened: FlowType } {
  if (stored.type !== kind.type) return { unopened: stored.type }
  return tryDraw(() => openDraft(stored, known.definitions, kind), known)
}

function tryDraw(open: () => Draft, { hasCatalogue }: Catalogue): Opened {
  try {
    const draft = open()
    draft.canvas.state.hasCatalogue = hasCatalogue
    return { draft }
  } catch (error) {
    return { message: error instanceof Error ? error.message : 'The stored flow can’t be read.' }
  }
}

function NotFound({ kind }: { kind: CanvasKind }) {
  return (
    <Titled kind={kind}>
      <EmptyState
        title={`${kind.flow.label} not found`}
        text="It was deleted or belongs to another workspace."
        action={
          <Button asChild>
            <Link {...flowListLink(kind.type)}>All {kind.flow.label.toLowerCase()}s</Link>
          </Button>
        }
      />
    </Titled>
  )
}

/** A page with a heading for screen readers. */
function Titled({ kind, children }: { kind: CanvasKind; children: ReactNode }) {
  return (
    <>
      <VisuallyHidden>
        <Heading as="h1">{kind.flow.label}</Heading>
      </VisuallyHidden>
      {children}
    </>
  )
}

function CanvasSkeleton() {
  return (
    <Flex direction="column" height="100dvh" aria-busy aria-label="Opening the canvas" role="status">
      <Skeleton height="56px" rounded="none" />
      <Flex flex="1" gap="1px">
        <Skeleton width="228px" rounded="none" hideBelow="md" />
        <Box flex="1" bg="bg.subtle" />
      </Flex>
    </Flex>
  )
}
