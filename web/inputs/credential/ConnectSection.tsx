import { Stack, Text } from '@chakra-ui/react'
import type { Credential, OAuthAuthorization } from '#contract/credentials/credentials.ts'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/query.ts'
import { ConnectRow } from '../oauth/ConnectRow.tsx'
import { RedirectUrl } from '../oauth/RedirectUrl.tsx'

interface Props {
  /** Absent while it is not created yet. */
  credential?: Credential | undefined
  /** There are changes that the provider would not hear of. */
  dirty: boolean
}

/** Connects a credential with its provider, and shows the redirect URL that the provider needs. */
export function ConnectSection({ credential, dirty }: Props) {
  return (
    <Stack gap="3">
      <RedirectUrl path="/oauth2-credential/callback" />
      {credential ? (
        <ConnectRow
          key={credential.id}
          connection={credential.connection ?? 'none'}
          dirty={dirty}
          askAddress={async () => {
            const path = `/oauth2-credential/authorize/${credential.id}`
            return (await api.post<OAuthAuthorization>(path)).authorizationUrl
          }}
          isOwn={({ credentialId }) => credentialId === credential.id}
          onChange={() => void invalidate('credentials')}
        />
      ) : (
        <Text textStyle="xs" color="fg.muted">
          Create it, then connect.
        </Text>
      )}
    </Stack>
  )
}
