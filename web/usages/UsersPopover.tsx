import { Popover, Portal } from '@chakra-ui/react'
import { popoverSlotRecipe } from '@chakra-ui/react/theme'
import type { ReactElement } from 'react'
import type { UsagesQuery } from '#contract/usages/usages.ts'
import { UserList } from './UserList.tsx'

interface Props {
  of: UsagesQuery
  /** The button. */
  trigger: ReactElement
}

/** Users of an asset, by name. Mounts open, and stays to be opened again. */
export default function UsersPopover({ of, trigger }: Props) {
  return (
    <Popover.Root
      recipe={popoverSlotRecipe}
      defaultOpen
      lazyMount
      unmountOnExit
      positioning={{ placement: 'bottom-start' }}
    >
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Portal>
        <Popover.Positioner>
          <Popover.Content width="auto" minW="48" maxW="min(20rem, calc(100vw - 2rem))">
            <Popover.Body p="3" maxH="60" overflowY="auto">
              <Popover.Title fontWeight="medium" mb="1" overflowWrap="anywhere">
                Used by
              </Popover.Title>
              <UserList of={of} />
            </Popover.Body>
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  )
}
