import { Box, Flex, IconButton, useMediaQuery } from '@chakra-ui/react'
import { IconPlus } from '@tabler/icons-react'
import { ReactFlowProvider } from '@xyflow/react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { notify } from '../state/notify.ts'
import { typeAhead } from '../state/type-ahead.ts'
import { useLocalStorage } from '../ui/use-local-storage.ts'
import type { Dock, DockTab } from './dock/use-dock.ts'
import { FindBar } from './find/FindBar.tsx'
import { focusNow, focusSoon, nodeSelector, zone } from './interactions/focus.ts'
import { handleKey, type KeyActions } from './interactions/keyboard.ts'
import { useClipboard } from './interactions/use-clipboard.ts'
import { CONTAINER_FIELD } from './panels/fields.ts'
import { PaletteAside } from './panels/PaletteAside.tsx'
import { Toolbar } from './panels/Toolbar.tsx'
import { layOut } from './store/arrange.ts'
import { toggleDisabled } from './store/commands.ts'
import { CanvasProvider } from './store/context.ts'
import { useCanvasValue } from './store/hooks.ts'
import { addNodeAt, spotWithoutPlace } from './store/insertions.ts'
import { type Runs, RunsProvider } from './store/run-actions.ts'
import { type Canvas, onlySelectedNode, select } from './store/store.ts'
import { BelowFlow } from './surface/BelowFlow.tsx'
import { LiveRegion } from './surface/LiveRegion.tsx'
import { Flow } from './surface/Surface.tsx'
import { useKeptInView, useView } from './surface/use-view.ts'

const ProblemFinder = lazy(() => import('./panels/ProblemFinder.tsx'))
const loadDock = () => import('./dock/SideDock.tsx')
const SideDock = lazy(loadDock)
const DockSheet = lazy(() => import('./dock/DockSheet.tsx'))
const loadPaletteSheet = () => import('./panels/PaletteSheet.tsx')
const PaletteSheet = lazy(loadPaletteSheet)
const loadConnectDialog = () => import('./panels/ConnectDialog.tsx')
const ConnectDialog = lazy(loadConnectDialog)
const ShortcutsDialog = lazy(() => import('./panels/ShortcutsDialog.tsx'))

export interface EditorProps {
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
  const { canvas, flowId, onSave, header, dock, chat, onOpenChat, runs, fits, empty } = props
  const [phone] = useMediaQuery(['(max-width: 48em)'], { ssr: false })
  const { selection } = useSnapshot(canvas.state)
  const [dialog, setDialog] = useState<{ connectFrom: string } | 'help' | null>(null)
  const [finds, setFinds] = useState(0)
  const [palette, setPalette] = useState(false)
  const [paletteFold, setPaletteFold] = useLocalStorage('canvas:palette', ['open', 'folded'])
  const [snap, setSnap] = useState(false)
  const [miniMap, setMiniMap] = useLocalStorage('canvas:miniMap', ['shown', 'folded'])
  // The view that was saved at a desk shows a corner of the flow on a phone.
  useState(() => phone && Object.assign(canvas, { view: null }))
  const view = useView(canvas)
  const only = onlySelectedNode(selection)

  useKeptInView(canvas, only)

  const isEmpty = useCanvasValue(canvas, ({ flow }) => canvas.kind.isEmpty(flow))
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is asked for
  useEffect(() => {
    if (fits > 0) view.fit()
  }, [fits])

  const open = (nodeId: string, param?: string) => {
    select(canvas, { nodes: [nodeId] })
    dock.open('settings', param && `[data-param="${CSS.escape(param)}"] :is(input, textarea, select, button)`)
    view.show(nodeId)
  }
  const add = (definition: ComponentDefinition) => {
    const verdict = addNodeAt(canvas, definition, spotWithoutPlace(canvas, definition, view.center()))
    setPalette(false)
    if (!verdict.ok) return notify.info(verdict.reason)
    // The next key is for the new node, not for the palette.
    const added = onlySelectedNode(canvas.state.selection)
    if (added !== undefined) focusSoon(nodeSelector(added))
  }

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
      else {
        setDialog({ connectFrom: from })
        typeAhead('[role="dialog"] [aria-label="Search nodes to connect to"]', { onEscape: () => setDialog(null) })
      }
    },
    openPalette: () => {
      setPalette(true)
      if (!focusNow(SEARCH)) focusSoon(SEARCH)
    },
    openSettings: () => dock.open('settings', '[aria-label="Node name"]'),
    openContainer: () => dock.open('settings', `#${CONTAINER_FIELD}`),
    toggleDisabled: () => {
      const verdict = toggleDisabled(canvas, canvas.state.selection.nodes)
      if (!verdict.ok) notify.info(verdict.reason)
    },
    runFromHere: () => runFrom(onlySelectedNode(canvas.state.selection)),
    openChat: onOpenChat,
    openOutline: () => dock.open('outline'),
    openChecklist: () => dock.open('checklist'),
    openHelp: () => setDialog('help'),
    closeDock: dock.close,
    find: () => setFinds((count) => count + 1),
    fit: view.fit,
    zoom: view.zoom,
    layOut: () => void layOut(canvas).then(view.fit),
  }
  useKeys(canvas, actions)
  useClipboard(canvas, view)

  const dockProps = {
    dock,
    nodeId: only,
    flowId,
    chat,
    onOpenChat,
    onOpenNode: open,
    onConnect: (id: string) => setDialog({ connectFrom: id }),
  }
  return (
    <Flex direction="column" height="100dvh" bg="bg">
      <Suspense>
        <ProblemFinder flowId={flowId} />
      </Suspense>
      {header({ actions, panel: dock.tab, openPanel: (panel) => (panel ? dock.open(panel) : dock.close()) })}
      <Flex flex="1" minHeight="0" onPointerEnter={() => void loadDock()}>
        {!phone && (
          <PaletteAside
            onAdd={add}
            isFolded={paletteFold === 'folded' && !palette}
            onFold={(fold) => {
              setPalette(false)
              setPaletteFold(fold ? 'folded' : 'open')
            }}
            onLeave={() => setPalette(false)}
          />
        )}
        <Box
          flex="1"
          minWidth="0"
          position="relative"
          as="section"
          aria-label="Canvas"
          onFocus={() => void loadConnectDialog()}
          {...zone('canvas')}
        >
          <Flow snap={snap} miniMap={miniMap === 'shown' && !phone} onOpen={() => dock.open('settings')} />
          {isEmpty && <BelowFlow>{empty}</BelowFlow>}
          {finds > 0 && <FindBar calls={finds} onShow={view.show} onClose={() => setFinds(0)} />}
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
              onClick={() => setPalette(true)}
            >
              <IconPlus />
            </IconButton>
          )}
        </Box>
        {!phone && dock.tab !== null && (
          <Box
            as="aside"
            aria-label="Details"
            position="relative"
            width={`${dock.width}px`}
            flex="none"
            borderLeftWidth="1px"
            bg="bg.panel"
            {...zone('dock')}
          >
            <Suspense>
              <SideDock {...dockProps} />
            </Suspense>
          </Box>
        )}
      </Flex>
      <Suspense>
        {phone && palette && <PaletteSheet onAdd={add} onClose={() => setPalette(false)} />}
        {phone && dock.tab !== null && <DockSheet {...dockProps} />}
        {dialog === 'help' && <ShortcutsDialog onClose={() => setDialog(null)} />}
        {dialog !== null && dialog !== 'help' && (
          <ConnectDialog nodeId={dialog.connectFrom} onClose={() => setDialog(null)} />
        )}
      </Suspense>
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
