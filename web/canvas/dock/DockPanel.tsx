import { Box, Flex, IconButton, Tabs, Text } from '@chakra-ui/react'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useId, useRef } from 'react'
import { focusSoon } from '../interactions/focus.ts'
import { Checklist } from '../panels/Checklist.tsx'
import { Inspector } from '../panels/Inspector.tsx'
import { Outline } from '../panels/Outline.tsx'
import type { Dock, DockTab } from './use-dock.ts'

export interface DockPanelProps {
  dock: Dock
  /** The only selected node. */
  nodeId: string | undefined
  /** Undefined for a flow that was never saved. */
  flowId: string | undefined
  chat: ReactNode
  onOpenChat: () => void
  onOpenNode: (nodeId: string, param?: string) => void
  onConnect: (nodeId: string) => void
}

const TABS: readonly { tab: DockTab; label: string }[] = [
  { tab: 'settings', label: 'Node' },
  { tab: 'chat', label: 'Chat' },
  { tab: 'checklist', label: 'Checklist' },
  { tab: 'outline', label: 'Outline' },
]

/** Settings of the selected node, chat, checklist and outline, one at a time. */
export function DockPanel(props: DockPanelProps) {
  const { dock, nodeId, flowId, chat, onOpenChat, onOpenNode, onConnect } = props
  const id = useId()
  useEffect(() => {
    if (dock.focus) focusSoon(dock.focus.selector)
  }, [dock.focus])
  const panel = { dock, id }
  const hasChatted = useRef(false)
  hasChatted.current ||= dock.tab === 'chat'
  return (
    <Flex direction="column" height="full" minHeight="0">
      {/* By hand, or an arrow key on the way to another tab would open the chat, which takes the focus. */}
      <Tabs.Root
        size="sm"
        activationMode="manual"
        value={dock.tab}
        ids={{ trigger: (tab) => `${id}-tab-${tab}`, content: (tab) => `${id}-${tab}` }}
        onValueChange={({ value }) => (value === 'chat' ? onOpenChat() : dock.open(value as DockTab))}
      >
        <Flex align="center" borderBottomWidth="1px" ps="1" pe="2">
          <Tabs.List flex="1" minWidth="0" borderBottomWidth="0" aria-label="Panels">
            {TABS.map(({ tab, label }) => (
              <Tabs.Trigger key={tab} value={tab} px="2.5">
                {label}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <IconButton size="xs" variant="ghost" aria-label="Close panel" title="Close panel" onClick={dock.close}>
            <IconX size={16} />
          </IconButton>
        </Flex>
      </Tabs.Root>
      <Box position="relative" flex="1" minHeight="0">
        <Panel {...panel} tab="settings">
          {nodeId === undefined ? (
            <Text p="4" fontSize="sm" color="fg.muted">
              Select a node to see its settings.
            </Text>
          ) : (
            <Inspector key={nodeId} nodeId={nodeId} flowId={flowId} />
          )}
        </Panel>
        {/* Stays as it is behind another tab: the scroll position, a half-written question. */}
        <Panel {...panel} tab="chat" stays={hasChatted.current}>
          <Suspense>{chat}</Suspense>
        </Panel>
        <Panel {...panel} tab="checklist">
          <Checklist onOpen={onOpenNode} />
        </Panel>
        <Panel {...panel} tab="outline">
          <Outline onOpen={onOpenNode} onConnect={onConnect} />
        </Panel>
      </Box>
    </Flex>
  )
}

interface PanelProps {
  dock: Dock
  id: string
  tab: DockTab
  stays?: boolean
  children: ReactNode
}

function Panel({ dock, id, tab, stays = false, children }: PanelProps) {
  const isShown = dock.tab === tab
  return (
    <Box
      role="tabpanel"
      id={`${id}-${tab}`}
      aria-labelledby={`${id}-tab-${tab}`}
      position="absolute"
      inset="0"
      overflowY="auto"
      visibility={isShown ? 'visible' : 'hidden'}
      // With reduced motion everything has a very short transition: a field would still be hidden when it gets the focus.
      transitionProperty="none"
    >
      {(isShown || stays) && children}
    </Box>
  )
}
