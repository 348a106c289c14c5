import { Text, Link as TextLink } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Assistant, ListedAssistant } from '#contract/assistants/assistants.ts'
import { readCustomDetails, toAgentInputs } from '#contract/flow/kinds/assistant/details.ts'
import { componentsQuery } from '../../../api/components.ts'
import { useCan } from '../../../api/use-can.ts'
import { useIntent } from '../../../state/intent.ts'
import { AssetPage } from '../../../ui/lists/AssetPage.tsx'
import { deleteUsedAsset } from '../../../usages/delete-used-asset.ts'
import { UsedBy } from '../../../usages/UsedBy.tsx'
import { AllAssistantsLink } from '../AllAssistantsLink.tsx'
import { assistantsQuery, deleteAssistant } from '../queries.ts'

const NewAssistantDialog = lazy(() => import('./NewAssistantDialog.tsx'))

/** The list of custom assistants in the workspace. */
export function CustomAssistantsPage() {
  const can = useCan()
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const { data: components = [] } = useQuery(componentsQuery)
  const open = (id: string) => navigate({ to: '/assistants/custom/$id', params: { id } })
  const labelOf = (name: string) => components.find((component) => component.name === name)?.label ?? name
  useIntent('assistant', () => setCreating(true))
  return (
    <>
      <AllAssistantsLink />
      <AssetPage
        title="Custom assistants"
        purpose="A model with instructions and tools. Chat with it here, or call it through the API."
        noun="assistants"
        query={useQuery(assistantsQuery('CUSTOM'))}
        nameOf={nameOf}
        textOf={(assistant) => `${nameOf(assistant)}\n${detailsOf(assistant).instruction}`}
        columns={[
          {
            header: 'Name',
            cell: (assistant) => (
              <TextLink asChild fontWeight="medium" color="fg" minH="6" overflowWrap="anywhere" lineClamp="2">
                <Link to="/assistants/custom/$id" params={{ id: assistant.id }} title={nameOf(assistant)}>
                  {nameOf(assistant)}
                </Link>
              </TextLink>
            ),
          },
          {
            header: 'Model',
            cell: (assistant) => labelOf(modelOf(assistant)),
            minor: true,
          },
          {
            header: 'Instructions',
            cell: (assistant) => <Text lineClamp="1">{detailsOf(assistant).instruction}</Text>,
            minor: true,
          },
          {
            header: 'Used by',
            cell: (assistant: ListedAssistant) => (
              <UsedBy
                of={{ kind: 'flow', asset: assistant.id }}
                name={nameOf(assistant)}
                count={assistant.usageCount}
              />
            ),
            minor: true,
          },
        ]}
        create={can('assistants:create') && { label: 'New assistant', onClick: () => setCreating(true) }}
        onEdit={can('assistants:update,assistants:create') && (({ id }) => void open(id))}
        onDelete={can('assistants:delete') && confirmDelete}
        empty={{
          title: 'Create your first assistant',
          text: 'Give it a name, say what it should do, and start chatting. No API key needed.',
        }}
      >
        {creating && (
          <Suspense>
            <NewAssistantDialog onCreated={(id) => void open(id)} onClose={() => setCreating(false)} />
          </Suspense>
        )}
      </AssetPage>
    </>
  )
}

const detailsOf = ({ details }: Assistant) => readCustomDetails(details)
const nameOf = (assistant: Assistant) => detailsOf(assistant).name
const modelOf = (assistant: Assistant) => String(toAgentInputs(detailsOf(assistant)).agentModel)

const confirmDelete = (assistant: Assistant) =>
  deleteUsedAsset({
    name: nameOf(assistant),
    of: { kind: 'flow', asset: assistant.id },
    until: 'you choose another flow',
    note: 'Its conversations, runs and files are deleted with it, and programs that call it get an error.',
    remove: () => deleteAssistant(assistant.id),
  })
