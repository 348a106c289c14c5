import { IconButton, Menu, Portal } from '@chakra-ui/react'
import { type Icon, IconDots } from '@tabler/icons-react'

export interface RowAction {
  label: string
  icon: Icon
  danger?: boolean
  onSelect(): void
}

/** What can be done with one row. `of` names the row for screen readers. */
export function RowMenu({ of, actions }: { of: string; actions: RowAction[] }) {
  if (actions.length === 0) return null
  return (
    <Menu.Root>
      <Menu.Trigger asChild>
        <IconButton variant="ghost" size="sm" aria-label={`Actions for ${of}`}>
          <IconDots aria-hidden />
        </IconButton>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content minW="44">
            {actions.map(({ label, icon: ActionIcon, danger, onSelect }) => (
              <Menu.Item key={label} value={label} onSelect={onSelect} color={danger ? 'fg.error' : undefined}>
                <ActionIcon size={18} aria-hidden />
                {label}
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  )
}
