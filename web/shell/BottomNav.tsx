import { Flex } from '@chakra-ui/react'
import { IconDots } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { ActionMenu } from '../ui/menu/ActionMenu.tsx'
import { AreaIcon, areaIcon } from './AreaIcon.tsx'
import { useMenu } from './use-menu.ts'

const entry = {
  direction: 'column',
  align: 'center',
  justify: 'center',
  gap: '0.5',
  flex: '1',
  h: '16',
  textStyle: 'xs',
  fontWeight: 'medium',
  color: 'fg.muted',
} as const

/** The bottom navigation on phones: the main areas, with the rest under More. */
export function BottomNav() {
  const items = useMenu()
  const navigate = useNavigate()
  return (
    <Flex
      as="nav"
      aria-label="Main areas"
      hideFrom="md"
      position="fixed"
      insetX="0"
      bottom="0"
      zIndex="sticky"
      bg="bg.panel"
      borderTopWidth="1px"
      pb="env(safe-area-inset-bottom)"
    >
      {items
        .filter((item) => item.bottom)
        .map(({ icon, title, path }) => (
          <Flex key={path} asChild {...entry} css={{ '&[data-status=active]': { color: 'accent.fg' } }}>
            <Link to={path}>
              <AreaIcon name={icon} size={20} />
              {title}
            </Link>
          </Flex>
        ))}
      <ActionMenu
        minW="56"
        actions={items
          .filter((item) => !item.bottom)
          .map(({ icon, menuTitle, path }) => ({
            label: menuTitle,
            icon: areaIcon(icon),
            onSelect: () => navigate({ to: path }),
          }))}
        trigger={
          <Flex as="button" {...entry}>
            <IconDots size={20} aria-hidden />
            More
          </Flex>
        }
      />
    </Flex>
  )
}
