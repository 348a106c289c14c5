import { IconLock } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { CredentialsPage } from '#web/areas/credentials/CredentialsPage.tsx'

export const Route = createFileRoute('/_main/credentials')({
  staticData: {
    title: 'Credentials',
    permission: 'credentials:view',
    menu: { group: 'Assets', icon: IconLock, description: 'Keys for model providers and tools, encrypted' },
  },
  component: CredentialsPage,
})
