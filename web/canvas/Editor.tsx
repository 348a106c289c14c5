import { Box, Flex, IconButton, useMediaQuery } from '@chakra-ui/react'
import { IconPlus } from '@tabler/icons-react'
import { ReactFlowProvider } from '@xyflow/react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { notify } from '../state/notify.ts'
import { useLocalStorage } from '../ui/use-local-storage.ts'
import type { DockPanelProps } from './dock/DockPanel.tsx'
import type { Dock, DockTab } from './dock/use-dock.ts'
import { FindBar } from './find/FindBar.tsx'
import { fieldSelector, focusNow, focusSoon, nodeSelector, zone } from './interactions/focus.ts'
import { handleKey, type KeyActions } from './interactions/keyboard.ts'
import { useClipboard } from './interactions/use-clipboard.ts'
import { type EditorDialog, keyActions } from './key-actions.ts'
import { PaletteAside } from './panels/PaletteAside.tsx'
import { Toolbar } from './panels/Toolbar.tsx'
import { CanvasProvider } from './store/context.ts'
import { useCanvasValue } from './store/hooks.ts'
import { addNodeAt, spotWithoutPlace } from './store/insertions.ts'
import { type Runs, RunsProvider } from './store/run-actions.ts'
import { type Canvas, onlySelectedNode, select } from './store/store.ts'
import { BelowFlow } from './surface/BelowFlow.tsx'
import { LiveRegion } from './surface/LiveRegion.tsx'
import { Flow } from './surface/Surface.tsx'
import { useKeptInView, useView, type View } from './surface/use-view.ts'

const ProblemFinder = lazy(() => import('./panels/ProblemFinder.tsx'))
const loadDock = () => import('./dock/SideDock.tsx')
const SideDock = lazy(loadDock)
const DockSheet = lazy(() => import('./dock/DockSheet.tsx'))
const loadPaletteSheet = () => import('./panels/PaletteSheet.tsx')
const PaletteSheet = lazy(loadPaletteSheet)
const loadConnectDialog = () => import('./panels/ConnectDialog.tsx')
const ConnectDialog = lazy(loadConnectDialog)
const ShortcutsDialog = lazy(() => import('./panels/ShortcutsDialog.tsx'))

interface EditorProps {
  canvas: Canvas
  /** Set for a stored flow; the checklist uses it to find a flow that calls itself. */
  flowId?: string
  onSave: () => void
  /** Rendered above the canvas. */
  header: (controls: EditorControls) => ReactNode
  dock: Dock
  /** Shown in the dock. */
  chat: ReactNode
  onOpenChat: () => void
  /** Null for a flow that was never saved. */
  runs: Runs | null
  /** Incremented to fit the flow to the view. */
  fits: number
  /** Rendered over an empty canvas. */
  empty: ReactNode
}

export interface EditorControls {
  actions: KeyActions
  panel: DockTab | null
  openPanel: (panel: DockTab | null) => void
}

const SEARCH = '#palette-search'

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
  const { canvas, flowId, header, dock, chat, onOpenChat, fits } = props
  const phone = usePhone(canvas)
  const { selection } = useSnapshot(canvas.state)
  const only = onlySelectedNode(selection)
  const view = useView(canvas)
  const palette = usePalette(canvas, view)
  const [dialog, setDialog] = useState<EditorDialog>(null)
  const [finds, setFinds] = useState(0)
  useKeptInView(canvas, only)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is asked for
  useEffect(() => {
    if (fits > 0) view.fit()
  }, [fits])

  const find = () => setFinds((count) => count + 1)
  const actions = keyActions({ ...props, view, setDialog, openPalette: palette.open, find })
  useKeys(canvas, actions)
  useClipboard(canvas, view)

  const openNode = (nodeId: string, param?: string) => {
    select(canvas, { nodes: [nodeId] })
    dock.open('settings', param && fieldSelector(param))
    view.show(nodeId)
  }
  const onConnect = (id: string) => setDialog({ connectFrom: id })
  const dockProps = { dock, nodeId: only, flowId, chat, onOpenChat, onOpenNode: openNode, onConnect }
  return (
    <Flex direction="column" height="100dvh" bg="bg">
      <Suspense>
        <ProblemFinder flowId={flowId} />
      </Suspense>
      {header({ actions, panel: dock.tab, openPanel: (panel) => (panel ? dock.open(panel) : dock.close()) })}
      <Flex flex="1" minHeight="0" onPointerEnter={() => void loadDock()}>
        {!phone && <PaletteAside {...palette.aside} />}
        <Stage
          {...{ canvas, phone, view, actions, finds }}
          empty={props.empty}
          onOpenSettings={() => dock.open('settings')}
          onCloseFind={() => setFinds(0)}
          onOpenPalette={palette.show}
        />
        {!phone && dock.tab !== null && <DockAside {...dockProps} />}
      </Flex>
      <Suspense>
        {phone && palette.isShown && <PaletteSheet onAdd={palette.aside.onAdd} onClose={palette.aside.onLeave} />}
        {phone && dock.tab !== null && <DockSheet {...dockProps} />}
        {dialog === 'help' && <ShortcutsDialog onClose={() => setDialog(null)} />}
        {dialog !== null && dialog !== 'help' && (
          <ConnectDialog nodeId={dialog.connectFrom} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </Flex>
  )
}

function usePhone(canvas: Canvas): boolean {
  const [phone = false] = useMediaQuery(['(max-width: 48em)'], { ssr: false })
  // The view that was saved at a desk shows a corner of the flow on a phone.
  useState(() => phone && Object.assign(canvas, { view: null }))
  return phone
}

/** The palette: beside the drawing, where it can be folded, or on a phone a sheet that is shown when it is asked for. */
function usePalette(canvas: Canvas, view: View) {
  const [isShown, setShown] = useState(false)
  const [fold, setFold] = useLocalStorage('canvas:palette', ['open', 'folded'])
  const show = () => setShown(true)
  const open = () => {
    show()
    if (!focusNow(SEARCH)) focusSoon(SEARCH)
  }
  const onAdd = (definition: ComponentDefinition) => {
    const verdict = addNodeAt(canvas, definition, spotWithoutPlace(canvas, definition, view.center()))
    setShown(false)
    if (!verdict.ok) return notify.info(verdict.reason)
    // The next key is for the new node, not for the palette.
    const added = onlySelectedNode(canvas.state.selection)
    if (added !== undefined) focusSoon(nodeSelector(added))
  }
  const onFold = (isFolded: boolean) => {
    setShown(false)
    setFold(isFolded ? 'folded' : 'open')
  }
  const aside = { isFolded: fold === 'folded' && !isShown, onAdd, onFold, onLeave: () => setShown(false) }
  return { isShown, show, open, aside }
}

interface StageProps {
  canvas: Canvas
  phone: boolean
  view: View
  actions: KeyActions
  finds: number
  empty: ReactNode
  onOpenSettings: () => void
  onCloseFind: () => void
  onOpenPalette: () => void
}

/** The drawing with what floats over it. */
function Stage({ canvas, phone, view, actions, finds, empty, ...on }: StageProps) {
  const [snap, setSnap] = useState(false)
  const [miniMap, setMiniMap] = useLocalStorage('canvas:miniMap', ['shown', 'folded'])
  const isEmpty = useCanvasValue(canvas, ({ flow }) => canvas.kind.isEmpty(flow))
  return (
    <Box
      flex="1"
      minWidth="0"
      position="relative"
      as="section"
      aria-label="Canvas"
      onFocus={() => void loadConnectDialog()}
      {...zone('canvas')}
    >
      <Flow snap={snap} miniMap={miniMap === 'shown' && !phone} onOpen={on.onOpenSettings} />
      {isEmpty && <BelowFlow>{empty}</BelowFlow>}
      {finds > 0 && <FindBar calls={finds} onShow={view.show} onClose={on.onCloseFind} />}
      <Toolbar
        snap={snap}
        miniMap={phone ? undefined : miniMap === 'shown'}
        onSnap={() => setSnap(!snap)}
        onMiniMap={() => setMiniMap(miniMap === 'shown' ? 'folded' : 'shown')}
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
          onPointerDown={() => void loadPaletteSheet()}
          onClick={on.onOpenPalette}
        >
          <IconPlus />
        </IconButton>
      )}
    </Box>
  )
}

function DockAside(props: DockPanelProps) {
  return (
    <Box
      as="aside"
      aria-label="Details"
      position="relative"
      width={`${props.dock.width}px`}
      flex="none"
      borderLeftWidth="1px"
      bg="bg.panel"
      {...zone('dock')}
    >
      <Suspense>
        <SideDock {...props} />
      </Suspense>
    </Box>
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
