import { IconPlugConnected, IconSparkles, IconTools, IconWorld } from '@tabler/icons-react'
import { useState } from 'react'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { PickerDialog } from '../../ui/lists/PickerDialog.tsx'
import { providerGroups, purposeOf } from './provider-groups.ts'

const ICONS: Record<string, typeof IconWorld> = {
  Models: IconSparkles,
  Accounts: IconPlugConnected,
  Tools: IconTools,
  'HTTP requests': IconWorld,
}

interface Props {
  definitions: CredentialDefinition[]
  onChoose(name: string): void
  onClose(): void
}

/** The first step to a new credential: what it is for. */
export function ProviderPicker({ definitions, onChoose, onClose }: Props) {
  const [search, setSearch] = useState('')
  const groups = providerGroups(definitions, search).map(({ title, definitions: found }) => {
    const Icon = ICONS[title] ?? IconWorld
    const items = found.map((definition) => ({
      id: definition.name,
      label: definition.label,
      detail: purposeOf(definition),
      icon: <Icon size={18} aria-hidden />,
    }))
    return { title, items }
  })
  return (
    <PickerDialog
      title="New credential"
      noun="services"
      search={search}
      onSearch={setSearch}
      groups={groups}
      none="No service has that name. For any other API, choose one of the HTTP types or OAuth2 API."
      onPick={onChoose}
      onClose={onClose}
    />
  )
}
