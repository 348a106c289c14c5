import { Stack } from '@chakra-ui/react'
import { useSearch } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { session } from '../../api/session.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { DirectorySync } from './DirectorySync.tsx'
import { DomainList } from './DomainList.tsx'
import { ProviderList } from './ProviderList.tsx'

/** Single sign-on of the organization. Only its admins change it: whoever does can come in as anybody. */
export default function SsoPanel() {
  const { tested } = useSearch({ strict: false }) as { tested?: string }
  const { isGlobal: mayChange } = useSnapshot(session)
  return (
    <Stack gap="10">
      {!mayChange && <Notice>Only admins of your organization can change single sign-on. Ask one of them.</Notice>}
      <ProviderList path="/sso-providers" tested={tested} mayChange={mayChange} />
      <DomainList mayChange={mayChange} />
      <DirectorySync mayChange={mayChange} />
    </Stack>
  )
}
