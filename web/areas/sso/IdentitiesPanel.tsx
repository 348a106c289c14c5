import { Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { errorMessage } from '#contract/errors.ts'
import { notify } from '../../state/notify.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { identitiesQuery, unlinkIdentity, visitProvider } from './queries.ts'

const attempt = (what: Promise<void>) => what.catch((error: unknown) => notify.error(errorMessage(error)))

/** Linked identities of the account. */
export default function IdentitiesPanel() {
  const { data, error, refetch } = useQuery(identitiesQuery)
  const { linked } = useSearch({ strict: false }) as { linked?: string }
  if (error)
    return <ErrorState title="Couldn’t load linked sign-ins" text={error.message} onRetry={() => void refetch()} />
  if (!data) return <Skeleton h="24" />
  return (
    <Stack gap="4" maxW="2xl">
      {linked === 'ok' && <Notice kind="success">Linked. You can sign in with this provider from now on.</Notice>}
      {linked && linked !== 'ok' && (
        <Notice kind="danger">The provider was not linked. Try again, or ask your admin to test its settings.</Notice>
      )}
      {data.identities.length + data.providers.length === 0 && (
        <Text color="fg.muted">Your organization offers no identity provider yet.</Text>
      )}
      {data.identities.map(({ issuer, subject, email }) => (
        <Flex key={`${issuer} ${subject}`} gap="3" justify="space-between" align="center">
          <Text overflowWrap="anywhere">
            {email || subject} at {issuer}
          </Text>
          <Button
            size="sm"
            variant="outline"
            aria-label={`Unlink ${email || subject} at ${issuer}`}
            onClick={() => void attempt(unlinkIdentity({ issuer, subject }))}
          >
            Unlink
          </Button>
        </Flex>
      ))}
      {data.providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="outline"
          alignSelf="start"
          onClick={() => void attempt(visitProvider(`/account/identities/${id}/link`))}
        >
          Link with {name}
        </Button>
      ))}
    </Stack>
  )
}
