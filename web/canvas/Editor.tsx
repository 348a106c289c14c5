import { Box, Flex, Heading, IconButton, useMediaQuery } from '@chakra-ui/react'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ReactFlowProvider } from '@xyflow/react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { notify } from '../state/notify.ts'
import { BottomSheet } from './panels/BottomSheet.tsx'
import { Checklist } from './panels/Checklist.tsx'
import { ConnectDialog } from './panels/ConnectDialog.tsx'
import { CONTAINER_FIELD } from './panels/ContainerField.tsx'
import { Inspector } from './panels/Inspector.tsx'
import { Outline } from './panels/Outline.tsx'
import { Palette } from './panels/Palette.tsx'
import { Toolbar } from './panels/Toolbar.tsx'
import { layOut } from './store/arrange.ts'
import { addNode } from './store/commands.ts'
import { CanvasProvider } from './store/context.ts'
import { useCanvasValue } from './store/hooks.ts'
import { handleKey, type KeyActions } from './store/keyboard.ts'
import { followProblems } from './store/problems.ts'
import { type Runs, RunsProvider } from './store/run-actions.ts'
import { type Canvas, onlySelectedNode, select } from './store/store.ts'
import { useClipboard } from './store/use-clipboard.ts'
import { LiveRegion } from './surface/LiveRegion.tsx'
import { Flow } from './surface/Surface.tsx'
import { useView } from './surface/use-view.ts'

const ShortcutsDialog = lazy(() => import('./panels/ShortcutsDialog.tsx'))

export type SidePanel = 'settings' | 'checklist' | 'outline' | null

export interface EditorProps {
  canvas: Canvas
  /** Set for a stored flow; the checklist uses it to find a flow that calls itself. */
  flowId?: string
  onSave: () => void
  /** Rendered above the canvas. */
  header: (controls: EditorControls) => ReactNode
  /** Docked at the right; null when closed. */
  dock: ReactNode
  onOpenChat: () => void
  onCloseDock: () => void
  /** Null for a flow that was never saved. */
  runs: Runs | null
  /** Incremented to fit the flow to the view. */
  fits: number
  /** Rendered over an empty canvas. */
  empty: ReactNode
}

export interface EditorControls {
  actions: KeyActions
  panel: SidePanel
  openPanel: (panel: SidePanel) => void
}

/** Milliseconds until xyflow has measured its new width. */
const PANEL_SETTLES = 120

/** The editor: palette, drawing surface, settings, checklist, outline and keyboard. */
export function Editor(props: EditorProps) {
  return (
    <CanvasProvider value={props.canvas}>
      <RunsProvider value={props.runs}>
        <ReactFlowProvider>
          <EditorFrame {...props} />
          <LiveRegion />
        </ReactFlowProvider>
      </RunsProvider>
    </CanvasProvider>
  )
}

function EditorFrame(props: EditorProps) {
  const { canvas, flowId, onSave, header, dock, onOpenChat, onCloseDock, runs, fits, empty } = props
  const [phone] = useMediaQuery(['(max-width: 48em)'], { ssr: false })
  const { selection } = useSnapshot(canvas.state)
  const [panel, setPanel] = useState<SidePanel>('settings')
  const [dialog, setDialog] = useState<{ connectFrom: string } | 'help' | null>(null)
  const [palette, setPalette] = useState(false)
  const [snap, setSnap] = useState(false)
  const [miniMap, setMiniMap] = useState(true)
  const view = useView(canvas)
  const surface = useRef<HTMLDivElement>(null)
  const only = onlySelectedNode(selection)

  useEffect(() => followProblems(canvas, flowId), [canvas, flowId])
  // Selecting a node opens its settings.
  useEffect(() => {
    if (only !== undefined) setPanel('settings')
  }, [only])

  const isEmpty = useCanvasValue(canvas, ({ flow }) => canvas.kind.isEmpty(flow))
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is asked for
  useEffect(() => {
    if (fits > 0) view.fit()
  }, [fits])

  const open = (nodeId: string, param?: string) => {
    select(canvas, { nodes: [nodeId] })
    setPanel('settings')
    view.show(nodeId)
    focusSoon(param ? `[data-param="${CSS.escape(param)}"] :is(input, textarea, select, button)` : undefined)
  }
  const add = (definition: ComponentDefinition) => {
    const verdict = addNode(canvas, definition, view.centre())
    if (!verdict.ok) notify.info(verdict.reason)
    setPalette(false)
  }
  const docked = dock !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a panel comes or another node is selected
  useEffect(() => {
    if (only === undefined || phone) return
    const timer = setTimeout(() => view.reveal(only), PANEL_SETTLES)
    return () => clearTimeout(timer)
  }, [only, docked, phone])

  const runFrom = (nodeId: string | undefined) => {
    const item = canvas.state.run.trace.findLast((each) => each.nodeId === nodeId)
    if (!item || !runs?.askReplay || canvas.state.run.executionId === null) {
      return notify.info('Select a node of the last run to replay from it.')
    }
    runs.askReplay(item)
  }
  const actions: KeyActions = {
    save: onSave,
    connect: () => {
      const from = onlySelectedNode(canvas.state.selection)
      if (from === undefined) notify.info('Select one node to connect.')
      else setDialog({ connectFrom: from })
    },
    openPalette: () => {
      setPalette(true)
      focusSoon('#palette-search')
    },
    openSettings: () => {
      setPanel('settings')
      focusSoon('[aria-label="Node name"]')
    },
    openContainer: () => {
      setPanel('settings')
      focusSoon(`#${CONTAINER_FIELD}`)
    },
    runFromHere: () => runFrom(onlySelectedNode(canvas.state.selection)),
    openChat: onOpenChat,
    openOutline: () => setPanel('outline'),
    openChecklist: () => setPanel('checklist'),
    openHelp: () => setDialog('help'),
    fit: view.fit,
    zoom: view.zoom,
    layOut: () => void layOut(canvas).then(view.fit),
  }
  useKeys(canvas, actions)
  useClipboard(canvas, view.centre)

  const shown = panel === 'settings' && only === undefined ? null : panel
  const side = shown && (
    <SidePanelContent
      panel={shown}
      nodeId={only}
      flowId={flowId}
      onClose={() => (shown === 'settings' ? select(canvas, {}) : setPanel(null))}
    >
      {shown === 'checklist' && <Checklist onOpen={open} />}
      {shown === 'outline' && <Outline onOpen={open} onConnect={(id) => setDialog({ connectFrom: id })} />}
    </SidePanelContent>
  )
  return (
    <Flex direction="column" height="100dvh" bg="bg">
      {header({ actions, panel: shown, openPanel: setPanel })}
      <Flex flex="1" minHeight="0">
        {!phone && (
          <Box as="aside" width="228px" flex="none" borderRightWidth="1px" bg="bg.panel" aria-label="Palette">
            <Palette onAdd={add} />
          </Box>
        )}
        <Box ref={surface} flex="1" minWidth="0" position="relative" as="section" aria-label="Canvas">
          <Flow snap={snap} miniMap={miniMap && !phone} />
          {isEmpty && empty}
          <Toolbar
            snap={snap}
            miniMap={phone ? undefined : miniMap}
            onSnap={() => setSnap(!snap)}
            onMiniMap={() => setMiniMap(!miniMap)}
            onFit={view.fit}
            onLayOut={actions.layOut}
            onZoom={view.zoom}
          />
          {phone && (
            <IconButton
              position="absolute"
              right="4"
              bottom="4"
              colorPalette="accent"
              rounded="full"
              aria-label="Add a node"
              onClick={() => setPalette(true)}
            >
              <IconPlus />
            </IconButton>
          )}
        </Box>
        {!phone && side && (
          <Box as="aside" width="360px" flex="none" borderLeftWidth="1px" bg="bg.panel" aria-label="Details">
            {side}
          </Box>
        )}
        {!phone && dock && (
          <Box as="aside" width="380px" flex="none" borderLeftWidth="1px" bg="bg.panel" aria-label="Chat dock">
            {dock}
          </Box>
        )}
      </Flex>
      {phone && (
        <>
          <BottomSheet open={palette} label="Add a node" onClose={() => setPalette(false)}>
            <Palette onAdd={add} />
          </BottomSheet>
          <BottomSheet
            open={Boolean(side)}
            label="Details"
            closesItself
            onClose={() => (shown === 'settings' ? select(canvas, {}) : setPanel(null))}
          >
            {side}
          </BottomSheet>
          <BottomSheet open={Boolean(dock)} label="Chat" onClose={onCloseDock}>
            {dock}
          </BottomSheet>
        </>
      )}
      <Suspense>{dialog === 'help' && <ShortcutsDialog onClose={() => setDialog(null)} />}</Suspense>
      {dialog !== null && dialog !== 'help' && (
        <ConnectDialog nodeId={dialog.connectFrom} onClose={() => setDialog(null)} />
      )}
    </Flex>
  )
}

interface SidePanelContentProps {
  panel: Exclude<SidePanel, null>
  nodeId: string | undefined
  flowId: string | undefined
  onClose: () => void
  children: ReactNode
}

function SidePanelContent({ panel, nodeId, flowId, onClose, children }: SidePanelContentProps) {
  if (panel === 'settings')
    return nodeId === undefined ? null : <Inspector key={nodeId} nodeId={nodeId} flowId={flowId} onClose={onClose} />
  return (
    <Flex direction="column" height="full" minHeight="0">
      <Flex align="center" justify="space-between" px="4" py="3">
        <Heading as="h2" size="sm">
          {panel === 'checklist' ? 'Checklist' : 'Outline'}
        </Heading>
        <IconButton size="xs" variant="ghost" aria-label="Close" onClick={onClose}>
          <IconX size={16} />
        </IconButton>
      </Flex>
      <Box overflowY="auto" flex="1">
        {children}
      </Box>
    </Flex>
  )
}

function useKeys(canvas: Canvas, actions: KeyActions) {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => void handleKey(canvas, latest.current, event)
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [canvas])
}

/** Moves the focus after the next render. */
function focusSoon(selector: string | undefined) {
  if (selector) requestAnimationFrame(() => requestAnimationFrame(() => unfolded(selector)?.focus()))
}

/** Returns the element after opening the section around it. */
function unfolded(selector: string): HTMLElement | null {
  const found = document.querySelector<HTMLElement>(selector)
  found?.closest('details')?.setAttribute('open', '')
  return found
}
