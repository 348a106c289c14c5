import { Skeleton, Stack, Tabs } from '@chakra-ui/react'
import { Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { session } from '../../api/session.ts'
import { useViewer } from '../../api/use-can.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { LimitedAccount } from './LimitedAccount.tsx'
import { type AccountTab, visibleTabs } from './tabs.ts'

interface Props {
  tabs: readonly AccountTab[]
  /** The tab of the address; the first one when there is no such tab for the viewer. */
  tab: string | undefined
  onTab(tab: string): void
}

/** The settings of a person's account, and of the people around them. */
export function AccountPage({ tabs, tab, onTab }: Props) {
  const shown = visibleTabs(tabs, useViewer())
  const isLimited = useSnapshot(session).user?.managesAccount === false
  const current = shown.find(({ id }) => id === tab) ?? shown[0]
  return (
    <Stack gap="6">
      <PageTitle title="Account" purpose="Your profile and security settings." />
      <Tabs.Root
        value={current?.id ?? ''}
        onValueChange={({ value }) => onTab(value)}
        activationMode="manual"
        lazyMount
        unmountOnExit
      >
        <Tabs.List overflowX="auto" overflowY="hidden">
          {shown.map(({ id, label }) => (
            <Tabs.Trigger key={id} value={id} flexShrink="0">
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {shown.map(({ id, isOfAccount, page: Panel }) => (
          <Tabs.Content key={id} value={id} pt="6">
            <Suspense fallback={<Skeleton h="64" />}>
              {isLimited && isOfAccount ? <LimitedAccount /> : <Panel />}
            </Suspense>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Stack>
  )
}
