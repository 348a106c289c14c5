import { Badge } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Assistant, ListedAssistant } from '#contract/assistants/assistants.ts'
import { PROVIDER_TYPES, readProviderDetails } from '#contract/assistants/provider-assistants.ts'
import { useCan } from '../../../api/use-can.ts'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { AssetPage } from '../../../ui/lists/AssetPage.tsx'
import { NameButton } from '../../../ui/lists/NameButton.tsx'
import { UsedBy } from '../../../usages/UsedBy.tsx'
import { AllAssistantsLink } from '../AllAssistantsLink.tsx'
import { providerAssistantsQuery } from '../queries.ts'
import { PROVIDER_LABELS } from './provider-form.ts'

const ProviderAssistantDialog = lazy(() => import('./ProviderAssistantDialog.tsx'))
const DeleteDialog = lazy(() => import('./DeleteDialog.tsx'))

/** The assistants of the workspace that live at OpenAI, at Azure or on a compatible server. */
export function ProviderAssistantsPage() {
  const can = useCan()
  const mayEdit = can('assistants:update,assistants:create')
  const [editing, setEditing] = useState<Assistant | 'new'>()
  const [deleting, setDeleting] = useState<Assistant>()
  const list = useQuery(providerAssistantsQuery)
  return (
    <>
      <AllAssistantsLink />
      <AssetPage
        title="OpenAI and Azure assistants"
        purpose="Assistants that live in your account at the provider."
        noun="assistants"
        below={
          <Notice kind="warning" mb="6">
            OpenAI announced the end of its Assistants API for August 2026. Azure and compatible servers may still have
            it. These assistants run in your own programs and in the OpenAI Assistant node of a chat flow.
          </Notice>
        }
        query={list}
        nameOf={nameOf}
        columns={[
          {
            header: 'Name',
            cell: (assistant) => (
              <NameButton name={nameOf(assistant)} onOpen={mayEdit && (() => setEditing(assistant))} />
            ),
          },
          { header: 'Model', cell: (assistant) => readProviderDetails(assistant.details)?.model },
          {
            header: 'Provider',
            cell: ({ type }) => type !== 'CUSTOM' && <Badge>{PROVIDER_LABELS[type]}</Badge>,
            minor: true,
          },
          {
            header: 'Used by',
            cell: (assistant: ListedAssistant) => (
              <UsedBy
                of={{ kind: 'assistant', asset: assistant.id }}
                name={nameOf(assistant)}
                count={assistant.usageCount}
              />
            ),
            minor: true,
          },
        ]}
        create={can('assistants:create') && { label: 'New assistant', onClick: () => setEditing('new') }}
        onEdit={mayEdit && setEditing}
        onDelete={can('assistants:delete') && setDeleting}
        empty={{
          title: 'No assistants here yet',
          text: `Create one at ${PROVIDER_TYPES.map((type) => PROVIDER_LABELS[type]).join(' or ')}, or add one that exists there.`,
        }}
      >
        <Suspense>
          {editing && (
            <ProviderAssistantDialog
              assistant={editing === 'new' ? undefined : editing}
              onClose={() => setEditing(undefined)}
            />
          )}
          {deleting && (
            <DeleteDialog assistant={deleting} name={nameOf(deleting)} onClose={() => setDeleting(undefined)} />
          )}
        </Suspense>
      </AssetPage>
    </>
  )
}

const nameOf = ({ details }: Assistant) => readProviderDetails(details)?.name ?? 'Assistant'
