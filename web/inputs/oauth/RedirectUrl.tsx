import { Stack, Text } from '@chakra-ui/react'
import { apiBase } from '../../api/client.ts'
import { CopyField } from '../../ui/CopyField.tsx'

/** The redirect URL that a provider needs. */
export function RedirectUrl({ path }: { path: string }) {
  return (
    <Stack gap="1.5">
      <Text textStyle="sm" fontWeight="medium">
        Redirect URL
      </Text>
      <CopyField label="Redirect URL" value={`${apiBase()}/api/v1${path}`} />
      <Text textStyle="xs" color="fg.muted">
        Enter it at the provider, where you created the client.
      </Text>
    </Stack>
  )
}
