import { Box, IconButton, Menu, Portal, Text } from '@chakra-ui/react'
import { IconLayoutNavbar, IconLayoutSidebar, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { appearance, setAppearance } from '../api/appearance.ts'
import { api } from '../api/client.ts'
import { session } from '../api/session.ts'
import { notify } from '../ui/notify.ts'

export function UserMenu() {
  const { user } = useSnapshot(session)
  const { isHorizontal } = useSnapshot(appearance)
  const navigate = useNavigate()

  const logout = async () => {
    notify.success('Logging out...')
    await api.logout()
    navigate({ to: '/signin' })
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
              {isHorizontal ? 'Menu at the side' : 'Menu across the top'}
            </Menu.Item>
            <Menu.Item value="logout" onSelect={logout}>
              <IconLogout size={18} aria-hidden />
              Logout
            </Menu.Item>
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  )
}
