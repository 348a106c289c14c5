import { Badge, Button, Flex, Heading, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { type ListedProvider, providerKindNames } from '#contract/organization/sso.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { ProviderDialog } from './ProviderDialog.tsx'
import { deleteProvider, type ProvidersPath, providersQuery, visitProvider } from './queries.ts'

const attempt = (what: Promise<void>) => what.catch((error: unknown) => notify.error(errorMessage(error)))

interface Props {
  path: ProvidersPath
  /** Result of the last test. */
  tested?: string | undefined
  mayChange: boolean
}

/** The identity providers of an organization or of the platform. */
export function ProviderList({ path, tested, mayChange }: Props) {
  const { data, error, refetch } = useQuery(providersQuery(path))
  const [editing, setEditing] = useState<ListedProvider | 'new'>()
  return (
    <Stack gap="4">
      <Flex justify="space-between" align="center" gap="4">
        <Heading as="h2" size="lg">
          Identity providers
        </Heading>
        <Button colorPalette="accent" disabled={!mayChange} onClick={() => setEditing('new')}>
          New provider
        </Button>
      </Flex>
      {tested === 'ok' && <Notice kind="success">The test sign-in worked. You can switch the provider on now.</Notice>}
      {tested && tested !== 'ok' && (
        <Notice kind="danger">The test sign-in failed. Check the issuer, client ID, secret and redirect URI.</Notice>
      )}
      {error && (
        <ErrorState title="Couldn’t load identity providers" text={error.message} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton h="24" />}
      {data?.length === 0 && (
        <EmptyState
          title="No providers yet"
          text="Add Google, Microsoft, GitHub, Auth0 or any OpenID Connect issuer."
        />
      )}
      {data?.map((provider) => (
        <ProviderCard key={provider.id} {...{ path, provider, mayChange }} onEdit={() => setEditing(provider)} />
      ))}
      {editing && (
        <ProviderDialog
          path={path}
          provider={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Stack>
  )
}

interface CardProps {
  path: ProvidersPath
  provider: ListedProvider
  mayChange: boolean
  onEdit(): void
}

function ProviderCard({ path, provider, mayChange, onEdit }: CardProps) {
  const { id, kind, name, issuer, redirectUri, isEnabled, isRequired, testedDate } = provider
  const remove = async () => {
    const isSure = await confirm({
      title: `Delete “${name}”?`,
      description: 'People who signed in with it are signed out, and must sign in another way.',
      confirmButtonName: 'Delete',
      danger: true,
    })
    if (isSure) await attempt(deleteProvider(path, id))
  }
  return (
    <Stack as="section" aria-label={name} gap="3" borderWidth="1px" borderRadius="l3" bg="bg.panel" p="4">
      <Flex gap="2" align="center" wrap="wrap">
        <Heading as="h3" size="md">
          {name}
        </Heading>
        <Badge>{providerKindNames[kind]}</Badge>
        <Badge colorPalette={isEnabled ? 'success' : 'gray'}>{isEnabled ? 'On' : 'Off'}</Badge>
        {isRequired && <Badge>SSO only</Badge>}
        {!testedDate && <Badge colorPalette="warning">Not tested</Badge>}
      </Flex>
      <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {issuer}
      </Text>
      <Text textStyle="sm">Register this redirect URI with the provider, then test the sign-in:</Text>
      <CopyField label="Redirect URI" value={redirectUri} />
      <Flex gap="2" wrap="wrap">
        <Button
          size="sm"
          variant="outline"
          disabled={!mayChange}
          onClick={() => void attempt(visitProvider(`${path}/${id}/test`))}
        >
          Test sign-in
        </Button>
        <Button size="sm" variant="outline" disabled={!mayChange} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="outline" colorPalette="danger" disabled={!mayChange} onClick={() => void remove()}>
          Delete
        </Button>
      </Flex>
    </Stack>
  )
}
