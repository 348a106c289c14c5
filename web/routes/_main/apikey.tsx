import { IconKey } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { ApiKeysPage } from '#web/areas/apikeys/ApiKeysPage.tsx'

export const Route = createFileRoute('/_main/apikey')({
  staticData: {
    title: 'API keys',
    permission: 'apikeys:view',
    menu: { group: 'Assets', icon: IconKey, description: 'Let programs run and manage your flows' },
  },
  component: ApiKeysPage,
})
