import { IconButton } from '@chakra-ui/react'
import { IconDots } from '@tabler/icons-react'
import { ActionMenu } from '../menu/ActionMenu.tsx'
import type { MenuAction } from '../menu/OpenMenu.tsx'

/** Actions on one row. `of` names the row for screen readers. */
export function RowMenu({ of, actions }: { of: string; actions: MenuAction[] }) {
  if (actions.length === 0) return null
  return (
    <ActionMenu
      actions={actions}
      trigger={
        <IconButton variant="ghost" size="sm" aria-label={`Actions for ${of}`}>
          <IconDots aria-hidden />
        </IconButton>
      }
    />
  )
}
