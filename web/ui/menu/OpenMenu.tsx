import { Menu, type MenuItemProps, Portal } from '@chakra-ui/react'
import type { Icon } from '@tabler/icons-react'
import type { HTMLAttributes, ReactElement, ReactNode } from 'react'

export interface MenuAction {
  label: string
  icon?: Icon
  danger?: boolean
  /** The widths that show it; all of them without. */
  visible?: Pick<MenuItemProps, 'hideFrom' | 'hideBelow'>
  onSelect(): void
}

export interface OpenMenuProps {
  /** The button. */
  trigger: ReactElement<HTMLAttributes<HTMLElement>>
  actions: readonly MenuAction[]
  /** Stands above the actions. */
  header?: ReactNode
  minW?: string
}

/** Mounts open, and stays to be opened again. */
export default function OpenMenu({ trigger, actions, header, minW = '44' }: OpenMenuProps) {
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <Portal>
        <Landmark>
          <Menu.Positioner>
            <Menu.Content minW={minW}>
              {header}
              {actions.map(({ label, icon: ActionIcon, danger, visible, onSelect }) => (
                <Menu.Item
                  key={label}
                  value={label}
                  onSelect={onSelect}
                  color={danger ? 'fg.error' : undefined}
                  py={{ base: '2.5', md: '1.5' }}
                  {...visible}
                >
                  {ActionIcon && <ActionIcon size={18} aria-hidden />}
                  {label}
                </Menu.Item>
              ))}
            </Menu.Content>
          </Menu.Positioner>
        </Landmark>
      </Portal>
    </Menu.Root>
  )
}

/** Only the menu that is open is a landmark: those that were open before stay, and would all be called the same. */
const Landmark = ({ children }: { children: ReactNode }) => (
  <Menu.Context>{({ open }) => <section aria-label={open ? 'Menu' : undefined}>{children}</section>}</Menu.Context>
)
