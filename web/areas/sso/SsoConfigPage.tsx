import { Stack } from '@chakra-ui/react'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { ProviderList } from './ProviderList.tsx'

/** The identity providers that everybody may sign in with. */
export function SsoConfigPage({ tested }: { tested?: string | undefined }) {
  return (
    <Stack gap="6">
      <PageTitle title="Single sign-on" purpose="Providers that everybody may sign in with." />
      <ProviderList path="/platform/sso-providers" tested={tested} mayChange />
    </Stack>
  )
}
