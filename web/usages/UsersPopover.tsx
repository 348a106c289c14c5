import { Link as ChakraLink, Popover, Portal, Spinner, Stack, Text } from '@chakra-ui/react'
import { popoverSlotRecipe } from '@chakra-ui/react/theme'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { AssetUser, UsagesQuery } from '#contract/usages.ts'
import { flowLink, hasCanvas } from '../api/flow-link.ts'
import { useUsages } from './queries.ts'

interface Props {
  of: UsagesQuery
  /** The button. */
  trigger: ReactElement
}

/** Who uses an asset, by name. Mounts open, and stays to be opened again. */
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
              <Users of={of} />
            </Popover.Body>
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  )
}

function Users({ of }: { of: UsagesQuery }) {
  const { data: users, error } = useUsages(of)
  if (error) return <Text color="fg.error">{errorMessage(error)}</Text>
  if (!users) return <Spinner size="sm" aria-label="Loading" />
  const hidden = users.total - users.data.length
  return (
    <Stack as="ul" gap="0.5" listStyleType="none">
      {users.data.map((user) => (
        <li key={`${user.kind}:${user.id}`}>
          <User user={user} />
        </li>
      ))}
      {hidden > 0 && (
        <Text as="li" color="fg.muted">
          {users.data.length === 0 ? `${hidden} that you may not view` : `and ${hidden} more`}
        </Text>
      )}
    </Stack>
  )
}

function User({ user: { id, name, type } }: { user: AssetUser }) {
  if (!type || !hasCanvas(type)) return <Text overflowWrap="anywhere">{name}</Text>
  return (
    <ChakraLink asChild py="1" overflowWrap="anywhere">
      <Link {...flowLink(type, id)}>{name}</Link>
    </ChakraLink>
  )
}
