import { Stack } from '@chakra-ui/react'
import { useSearch } from '@tanstack/react-router'
import { DirectorySync } from './DirectorySync.tsx'
import { DomainList } from './DomainList.tsx'
import { ProviderList } from './ProviderList.tsx'

/** Single sign-on of the organization. */
export default function SsoPanel() {
  const { tested } = useSearch({ strict: false }) as { tested?: string }
  return (
    <Stack gap="10">
      <ProviderList path="/sso-providers" tested={tested} />
      <DomainList />
      <DirectorySync />
    </Stack>
  )
}
