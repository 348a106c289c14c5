import { Button, Group, List, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { attempt } from './attempt.ts'
import { removeSignInMethods, waysQuery } from './queries.ts'
import type { Way } from './ways.ts'

/** Shows what opens the person's account, and removes it, when they fear that somebody else was in there. */
export function SignInReviewPage() {
  const { data: ways, error, refetch } = useQuery(waysQuery)
  return (
    <Stack gap="6" maxW="2xl">
      <PageTitle title="What opens your account" purpose="Check this after somebody else may have been in it." />
      {error && <ErrorState title="Couldn’t load what opens your account" text={error.message} onRetry={refetch} />}
      {!ways && !error && <Skeleton h="32" />}
      {ways && (ways.length === 0 ? <PasswordOnly /> : <Choice ways={ways} />)}
    </Stack>
  )
}

function PasswordOnly() {
  return (
    <>
      <Text role="status">
        Only your password opens your account, and you’re signed in nowhere else. Add a passkey or two-step sign-in to
        make it safer.
      </Text>
      <Group>
        <Button asChild colorPalette="accent">
          <Link to="/account" search={{ tab: 'security' }}>
            Go to security
          </Link>
        </Button>
        <Button asChild variant="outline">
          <Link to="/app">Continue</Link>
        </Button>
      </Group>
    </>
  )
}

function Choice({ ways }: { ways: Way[] }) {
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    await attempt('Couldn’t remove the other ways to sign in', removeSignInMethods)
    setBusy(false)
  }
  return (
    <>
      <Text>
        Besides your password, all of this opens your account. If you don’t recognize something, remove all of it, and
        add again what is yours.
      </Text>
      <List.Root ps="5" aria-label="What else opens your account">
        {ways.map(({ id, name, date }) => (
          <List.Item key={id} overflowWrap="anywhere">
            {name}, <RelativeTime date={date} />
          </List.Item>
        ))}
      </List.Root>
      <Group>
        <Button colorPalette="red" loading={busy} loadingText="Removing" onClick={remove}>
          Remove all of this
        </Button>
        <Button asChild variant="outline">
          <Link to="/app">Keep it</Link>
        </Button>
      </Group>
    </>
  )
}
