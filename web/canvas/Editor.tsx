import { Box, Drawer, Flex, Heading, IconButton, Portal, useMediaQuery } from '@chakra-ui/react'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ReactFlowProvider, useReactFlow, useStoreApi } from '@xyflow/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ComponentDefinition } from '#contract/flow/definition.ts'
import { notify } from '../ui/notify.ts'
import { layOut } from './arrange.ts'
import { Checklist } from './Checklist.tsx'
import { ConnectDialog } from './ConnectDialog.tsx'
import { type Canvas, select } from './canvas.ts'
import { copySelection, lastClipboard, readClipboard } from './clipboard.ts'
import { addNode, pasteClipboard, removeSelection } from './commands.ts'
import { CanvasProvider } from './context.ts'
import { Flow } from './Flow.tsx'
import { Inspector } from './Inspector.tsx'
import { handleKey, isTyping, type KeyActions, selectFocused } from './keyboard.ts'
import { LiveRegion } from './LiveRegion.tsx'
import { Outline } from './Outline.tsx'
import { Palette } from './Palette.tsx'
import { followProblems } from './problems.ts'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { Toolbar } from './Toolbar.tsx'
import { freePlace, showNode, viewOf, viewWith } from './view-port.ts'

export type SidePanel = 'settings' | 'checklist' | 'outline' | null

export interface EditorProps {
  canvas: Canvas
  onSave: () => void
  /** Above the canvas; gets what its buttons need. */
  header: (controls: EditorControls) => ReactNode
  /** Docked at the right; null while closed. */
  dock: ReactNode
  onCloseDock: () => void
}

export interface EditorControls {
  actions: KeyActions
  panel: SidePanel
  openPanel: (panel: SidePanel) => void
}

/** Milliseconds until the drawing surface knows its new width. */
const PANEL_SETTLES = 120

/** The editor that the builders share: palette, drawing surface, settings, checklist, outline, keyboard. */
export function Editor(props: EditorProps) {
  return (
    <CanvasProvider value={props.canvas}>
      <ReactFlowProvider>
        <EditorFrame {...props} />
        <LiveRegion />
      </ReactFlowProvider>
    </CanvasProvider>
  )
}

function EditorFrame({ canvas, onSave, header, dock, onCloseDock }: EditorProps) {
  const [phone] = useMediaQuery(['(max-width: 48em)'], { ssr: false })
  const { selection } = useSnapshot(canvas.state)
  const [panel, setPanel] = useState<SidePanel>('settings')
  const [dialog, setDialog] = useState<{ connectFrom: string } | 'help' | null>(null)
  const [palette, setPalette] = useState(false)
  const [snap, setSnap] = useState(false)
  const [miniMap, setMiniMap] = useState(true)
  const view = useView(canvas)
  const surface = useRef<HTMLDivElement>(null)
  const only = selection.nodes.length === 1 && selection.edges.length === 0 ? selection.nodes[0] : undefined

  useEffect(() => followProblems(canvas), [canvas])
  // Selecting a node shows its settings, whatever was open before.
  useEffect(() => {
    if (only !== undefined) setPanel('settings')
  }, [only])

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

  const actions: KeyActions = {
    save: onSave,
    connect: () => (only === undefined ? notify.info('Select one node to connect.') : setDialog({ connectFrom: only })),
    openPalette: () => {
      setPalette(true)
      focusSoon('#palette-search')
    },
    openSettings: () => {
      setPanel('settings')
      focusSoon('[aria-label="Name of the node"]')
    },
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
          <Sheet open={palette} label="Add a node" onClose={() => setPalette(false)}>
            <Palette onAdd={add} />
          </Sheet>
          <Sheet
            open={Boolean(side)}
            label="Details"
            closesItself
            onClose={() => (shown === 'settings' ? select(canvas, {}) : setPanel(null))}
          >
            {side}
          </Sheet>
          <Sheet open={Boolean(dock)} label="Chat" onClose={onCloseDock}>
            {dock}
          </Sheet>
        </>
      )}
      {dialog === 'help' && <ShortcutsDialog onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== 'help' && (
        <ConnectDialog nodeId={dialog.connectFrom} onClose={() => setDialog(null)} />
      )}
    </Flex>
  )
}

interface SidePanelContentProps {
  panel: Exclude<SidePanel, null>
  nodeId: string | undefined
  onClose: () => void
  children: ReactNode
}

function SidePanelContent({ panel, nodeId, onClose, children }: SidePanelContentProps) {
  if (panel === 'settings')
    return nodeId === undefined ? null : <Inspector key={nodeId} nodeId={nodeId} onClose={onClose} />
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

interface SheetProps {
  open: boolean
  label: string
  onClose: () => void
  /** The content has a button that closes it. */
  closesItself?: boolean
  children: ReactNode
}

/** On a phone every panel comes up from below. */
function Sheet({ open, label, onClose, closesItself = false, children }: SheetProps) {
  return (
    <Drawer.Root open={open} placement="bottom" onOpenChange={(change) => !change.open && onClose()} lazyMount>
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content height="75dvh" roundedTop="2xl" aria-label={label}>
            {!closesItself && (
              <Flex justify="end" p="1">
                <IconButton size="sm" variant="ghost" aria-label={`Close: ${label}`} onClick={onClose}>
                  <IconX size={18} />
                </IconButton>
              </Flex>
            )}
            <Box flex="1" minHeight="0" overflowY="auto">
              {children}
            </Box>
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  )
}

/** Moving the view by command. */
function useView(canvas: Canvas) {
  const instance = useReactFlow()
  const store = useStoreApi()
  const pane = () => ({ width: store.getState().width, height: store.getState().height })
  return {
    fit: () => {
      const view = viewOf(canvas.state.flow, pane())
      if (view) void instance.setViewport(view, { duration: 200 })
    },
    zoom: (by: 1 | -1) => void (by > 0 ? instance.zoomIn({ duration: 100 }) : instance.zoomOut({ duration: 100 })),
    /** Brings a node back onto the pane when a panel has taken its place. */
    reveal: (id: string) => {
      const view = viewWith(canvas.state.flow, id, { view: instance.getViewport(), pane: pane() })
      if (view) void instance.setViewport(view, { duration: 150 })
    },
    show: (id: string) => showNode(instance as never, canvas.state.flow, id),
    /** The middle of what is on screen, in flow coordinates; further right when a node stands there. */
    centre: () => {
      const { width, height, transform } = store.getState()
      const [x, y, zoom] = transform
      return freePlace(canvas.state.flow, { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom })
    },
  }
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

/** Copy, cut and paste by the browser's own events, which need no permission. */
function useClipboard(canvas: Canvas, centre: () => { x: number; y: number }) {
  const middle = useRef(centre)
  middle.current = centre
  useEffect(() => {
    const copy = (event: globalThis.ClipboardEvent) => {
      if (isTyping(event.target) || !window.getSelection()?.isCollapsed) return
      selectFocused(canvas, event.target)
      const text = copySelection(canvas)
      if (text === null) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut') removeSelection(canvas)
    }
    const paste = (event: globalThis.ClipboardEvent) => {
      if (isTyping(event.target)) return
      const clipboard = readClipboard(event.clipboardData?.getData('text/plain') || lastClipboard())
      if (!clipboard) return
      event.preventDefault()
      const verdict = pasteClipboard(canvas, clipboard, { at: middle.current() })
      if (!verdict.ok) notify.info(verdict.reason)
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', copy)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', copy)
      document.removeEventListener('paste', paste)
    }
  }, [canvas])
}

/** Moves the focus once what was opened is on screen. */
function focusSoon(selector: string | undefined) {
  if (selector)
    requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus()))
}
