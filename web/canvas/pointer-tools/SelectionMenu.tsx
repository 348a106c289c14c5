import { Menu as ActionMenu, Box, Kbd, Portal } from '@chakra-ui/react'
import { useRef } from 'react'
import { printKeys } from '../interactions/keyboard.ts'
import { closeMenu } from '../interactions/menus.ts'
import { useCanvas } from '../store/context.ts'
import { useRuns } from '../store/run-actions.ts'
import type { Menu } from '../store/store.ts'
import { allActions } from './selection-actions.ts'

/** The context menu of the selected nodes, or of the selected connection. */
export function SelectionMenu({ menu }: { menu: Menu }) {
  const canvas = useCanvas()
  const runs = useRuns()
  const opens = useRef(false)
  const actions = allActions(canvas, runs)
  const { place } = menu
  return (
    <ActionMenu.Root
      open
      positioning={{ placement: 'bottom-start', getAnchorRect: () => ({ ...place, width: 0, height: 0 }) }}
      onOpenChange={({ open }) => {
        if (!open && canvas.state.menu === menu) closeMenu(canvas, { focus: opens.current ? 'none' : 'opener' })
      }}
    >
      <Portal>
        <section aria-label="Menu">
          <ActionMenu.Positioner>
            <ActionMenu.Content minW="48" maxHeight="70vh" aria-label={labelOf(canvas.state.selection)}>
              {actions.map(({ label, icon: ActionIcon, keys, danger, run }) => (
                <ActionMenu.Item
                  key={label}
                  value={label}
                  color={danger ? 'fg.error' : undefined}
                  onSelect={() => {
                    closeMenu(canvas)
                    run(place)
                  }}
                >
                  <ActionIcon size={16} aria-hidden />
                  <Box as="span" flex="1">
                    {label}
                  </Box>
                  {keys && <Kbd size="sm">{printKeys(keys)}</Kbd>}
                </ActionMenu.Item>
              ))}
            </ActionMenu.Content>
          </ActionMenu.Positioner>
        </section>
      </Portal>
    </ActionMenu.Root>
  )
}

const labelOf = ({ nodes }: { nodes: readonly string[] }) =>
  nodes.length === 0 ? 'Connection' : nodes.length === 1 ? 'Node' : `${nodes.length} nodes`
