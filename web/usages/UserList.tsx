import { Link as ChakraLink, Spinner, Stack, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { errorMessage } from '#contract/errors.ts'
import type { AssetUser, UsagesQuery } from '#contract/usages/usages.ts'
import { flowPage } from '../api/flow-link.ts'
import { useUsages } from './queries.ts'

/** Users of an asset, by name. */
export function UserList({ of }: { of: UsagesQuery }) {
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
  const page = type && flowPage(type, id)
  if (!page) return <Text overflowWrap="anywhere">{name}</Text>
  return (
    <ChakraLink asChild py="1" overflowWrap="anywhere">
      <Link {...page}>{name}</Link>
    </ChakraLink>
  )
}
