import { Button, Group, Link, List, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useCan } from '../../api/use-can.ts'
import { notify } from '../../state/notify.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { attempt } from './attempt.ts'
import { removeSignInMethods, removeWay, waysQuery } from './queries.ts'
import type { Way } from './ways.ts'

/** Shows what opens the person's account, and removes it, when they fear that somebody else was in there. */
export function SignInReviewPage() {
  const { data: ways, error, refetch } = useQuery(waysQuery)
  const page = useRef<HTMLDivElement>(null)
  // The pressed button is gone with what it removed.
  const keepFocus = () => page.current?.focus()
  return (
    <Stack gap="6" maxW="2xl" ref={page} tabIndex={-1} outline="none">
      <PageTitle title="What opens your account" purpose="Check this after somebody else may have been in it." />
      {error && <ErrorState title="Couldn’t load what opens your account" text={error.message} onRetry={refetch} />}
      {!ways && !error && <Skeleton h="32" />}
      {ways && (ways.length === 0 ? <PasswordOnly /> : <Choice ways={ways} onRemoved={keepFocus} />)}
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
          <RouterLink to="/account" search={{ tab: 'security' }}>
            Go to security
          </RouterLink>
        </Button>
        <Button asChild variant="outline">
          <RouterLink to="/app">Continue</RouterLink>
        </Button>
      </Group>
    </>
  )
}

function Choice({ ways, onRemoved }: { ways: Way[]; onRemoved(): void }) {
  const can = useCan()
  const [busy, setBusy] = useState(false)
  const removeAll = async () => {
    setBusy(true)
    await attempt('Couldn’t remove the other ways to sign in', removeSignInMethods)
    setBusy(false)
  }
  return (
    <>
      <Text>
        Besides your password, all of this opens your account. Remove what you don’t recognize, or all of it, and add
        again what is yours.
      </Text>
      <List.Root variant="plain" gap="3" aria-label="What else opens your account">
        {ways.map((way) => (
          <WayItem key={way.id} way={way} onRemoved={onRemoved} />
        ))}
      </List.Root>
      {can('apikeys:view') && (
        <Text>
          API keys work until they are deleted.{' '}
          <Link asChild variant="underline">
            <RouterLink to="/apikey">Check the API keys</RouterLink>
          </Link>{' '}
          too.
        </Text>
      )}
      <Group>
        <Button colorPalette="red" loading={busy} loadingText="Removing" onClick={removeAll}>
          Remove all of this
        </Button>
        <Button asChild variant="outline">
          <RouterLink to="/app">Keep it</RouterLink>
        </Button>
      </Group>
    </>
  )
}

function WayItem({ way: { name, date, what }, onRemoved }: { way: Way; onRemoved(): void }) {
  const [busy, setBusy] = useState(false)
  const verb = what.kind === 'session' ? 'End' : 'Remove'
  const remove = async () => {
    setBusy(true)
    await attempt(`Couldn’t remove ${name}`, async () => {
      await removeWay(what)
      notify.success(what.kind === 'session' ? 'Session ended' : `Removed: ${name}`)
      onRemoved()
    })
    setBusy(false)
  }
  return (
    <List.Item display="flex" gap="3" alignItems="center" justifyContent="space-between">
      <Text overflowWrap="anywhere" minW="0">
        {name}, <RelativeTime date={date} />
      </Text>
      <Button
        size="sm"
        variant="outline"
        flexShrink="0"
        loading={busy}
        aria-label={`${verb}: ${name}`}
        onClick={remove}
      >
        {verb}
      </Button>
    </List.Item>
  )
}
