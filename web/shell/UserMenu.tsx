import { Box, IconButton, Text } from '@chakra-ui/react'
import {
  IconArrowsExchange,
  IconBuilding,
  IconDownload,
  IconLayoutNavbar,
  IconLayoutSidebar,
  IconLogout,
  IconUpload,
  IconUserCircle,
  IconUserEdit,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { isMenuItemVisible, type UserMenuItem, userMenuItems } from '#contract/access/menu.ts'
import { appearance, setAppearance } from '../api/appearance.ts'
import { api } from '../api/client.ts'
import { session } from '../api/session.ts'
import { useViewer } from '../api/use-can.ts'
import { askExport, askImport } from '../state/import-export-dialog.ts'
import { notify } from '../state/notify.ts'
import { ActionMenu } from '../ui/menu/ActionMenu.tsx'
import type { MenuAction } from '../ui/menu/OpenMenu.tsx'
import { shell } from './shell-state.ts'

const WORKSPACES = { permission: 'workspace:view', feature: 'feat:workspaces' }

const openWorkspaces = () => {
  shell.workspaces = true
}

export function UserMenu() {
  const { user } = useSnapshot(session)
  const { isHorizontal } = useSnapshot(appearance)
  const viewer = useViewer()
  const navigate = useNavigate()

  const logout = async () => {
    notify.success('Logging out...')
    await api.logout()
    navigate({ to: '/signin' })
  }

  const visible: UserMenuItem[] = viewer ? userMenuItems(viewer) : ['logout']
  /** Items of this version. `visible` decides which of them the user sees. */
  const items: Partial<Record<UserMenuItem, MenuAction>> = {
    export: { label: 'Export', icon: IconDownload, onSelect: askExport },
    import: { label: 'Import', icon: IconUpload, onSelect: () => askImport() },
    updateProfile: { label: 'Update Profile', icon: IconUserEdit, onSelect: () => navigate({ to: '/user-profile' }) },
    logout: { label: 'Logout', icon: IconLogout, onSelect: logout },
  }

  const hasSeveral = (user?.assignedWorkspaces.length ?? 0) > 1
  const seesWorkspaces = viewer && isMenuItemVisible(WORKSPACES, viewer)
  const actions: MenuAction[] = [
    {
      label: isHorizontal ? 'Side navigation' : 'Top navigation',
      icon: isHorizontal ? IconLayoutSidebar : IconLayoutNavbar,
      visible: { hideBelow: 'md' },
      onSelect: () => setAppearance({ isHorizontal: !isHorizontal }),
    },
    ...(hasSeveral ? [{ label: 'Switch workspace', icon: IconArrowsExchange, onSelect: openWorkspaces }] : []),
    ...(seesWorkspaces
      ? [{ label: 'Workspaces', icon: IconBuilding, onSelect: () => navigate({ to: '/workspaces' }) }]
      : []),
    { label: 'Account', icon: IconUserCircle, onSelect: () => navigate({ to: '/account' }) },
    ...visible.flatMap((name) => items[name] ?? []),
  ]
  return (
    <ActionMenu
      minW="56"
      actions={actions}
      header={
        <Box px="2" py="2" mb="1" borderBottomWidth="1px">
          <Text fontWeight="medium">{user?.name}</Text>
          <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            {user?.email}
          </Text>
          {hasSeveral && (
            <Text textStyle="xs" color="fg.muted" mt="1" overflowWrap="anywhere">
              {user?.activeWorkspace}
            </Text>
          )}
        </Box>
      }
      trigger={
        <IconButton variant="ghost" aria-label="Your account">
          <IconUserCircle aria-hidden />
        </IconButton>
      }
    />
  )
}
