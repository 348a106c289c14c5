import { Box, IconButton, Menu, Portal, Text } from '@chakra-ui/react'
import {
  type Icon,
  IconDownload,
  IconLayoutNavbar,
  IconLayoutSidebar,
  IconLogout,
  IconUpload,
  IconUserCircle,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { type UserMenuItem, userMenuItems } from '#contract/access/menu.ts'
import { appearance, setAppearance } from '../api/appearance.ts'
import { api } from '../api/client.ts'
import { session } from '../api/session.ts'
import { useViewer } from '../api/use-can.ts'
import { askExport, askImport } from '../state/import-export-dialog.ts'
import { notify } from '../state/notify.ts'

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
  const items: Partial<Record<UserMenuItem, { label: string; icon: Icon; onSelect(): void }>> = {
    export: { label: 'Export', icon: IconDownload, onSelect: askExport },
    import: { label: 'Import', icon: IconUpload, onSelect: () => askImport() },
    logout: { label: 'Logout', icon: IconLogout, onSelect: logout },
  }

  return (
    <Menu.Root>
      <Menu.Trigger asChild>
        <IconButton variant="ghost" aria-label="Your account">
          <IconUserCircle aria-hidden />
        </IconButton>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content minW="56">
            <Box px="2" py="2" mb="1" borderBottomWidth="1px">
              <Text fontWeight="medium">{user?.name}</Text>
              <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
                {user?.email}
              </Text>
            </Box>
            <Menu.Item value="layout" hideBelow="md" onSelect={() => setAppearance({ isHorizontal: !isHorizontal })}>
              {isHorizontal ? <IconLayoutSidebar size={18} aria-hidden /> : <IconLayoutNavbar size={18} aria-hidden />}
              {isHorizontal ? 'Side navigation' : 'Top navigation'}
            </Menu.Item>
            {visible.map((name) => {
              const item = items[name]
              return (
                item && (
                  <Menu.Item key={name} value={name} onSelect={item.onSelect}>
                    <item.icon size={18} aria-hidden />
                    {item.label}
                  </Menu.Item>
                )
              )
            })}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  )
}
