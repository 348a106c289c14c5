import { Box, Flex, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { AreaIcon } from './AreaIcon.tsx'
import type { MenuItem } from './menu.ts'
import { useMenu } from './use-menu.ts'

/** The side menu, grouped. */
export function SideMenu() {
  const groups = Map.groupBy(useMenu(), (item) => item.group)
  return (
    <Box
      as="nav"
      aria-label="Menu"
      hideBelow="md"
      w="56"
      flexShrink="0"
      position="sticky"
      top="{sizes.topBar}"
      h="calc(100dvh - {sizes.topBar})"
      overflowY="auto"
      borderEndWidth="1px"
      p="3"
    >
      {[...groups].map(([group, items]) => (
        <Box key={group} mb="4">
          {group !== 'Main' && (
            <Text px="3" py="1" textStyle="xs" fontWeight="medium" color="fg.muted">
              {group}
            </Text>
          )}
          {items.map((item) => (
            <Entry key={item.path} item={item} />
          ))}
        </Box>
      ))}
    </Box>
  )
}

/** The menu as a top bar. */
export function MenuBar() {
  return (
    <Flex as="nav" aria-label="Menu" hideBelow="md" gap="1" px="6" py="1.5" borderBottomWidth="1px" overflowX="auto">
      {useMenu().map((item) => (
        <Entry key={item.path} item={item} />
      ))}
    </Flex>
  )
}

function Entry({ item: { icon, menuTitle, path, description } }: { item: MenuItem }) {
  return (
    <Flex
      asChild
      align="center"
      gap="3"
      px="3"
      h="9"
      borderRadius="l2"
      textStyle="sm"
      fontWeight="medium"
      color="fg.muted"
      whiteSpace="nowrap"
      _hover={{ bg: 'bg.muted', color: 'fg' }}
      css={{ '&[data-status=active]': { bg: 'accent.subtle', color: 'accent.fg' } }}
    >
      <Link to={path} title={description}>
        <AreaIcon name={icon} size={18} />
        {menuTitle}
      </Link>
    </Flex>
  )
}
