import { Badge, Code, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { Variable } from '#contract/variables/variables.ts'
import { useCan } from '../../api/use-can.ts'
import { useIntent } from '../../state/intent.ts'
import { notify } from '../../state/notify.ts'
import { AssetPage } from '../../ui/lists/AssetPage.tsx'
import { NameButton } from '../../ui/lists/NameButton.tsx'
import { deleteUsedAsset } from '../../usages/delete-used-asset.ts'
import { UsedBy } from '../../usages/UsedBy.tsx'
import { deleteVariable, saveVariable, TYPE_LABELS, type VariableFields, variablesQuery } from './queries.ts'
import { VariableDialog } from './VariableDialog.tsx'

/** The list of variables in the workspace. */
export function VariablesPage() {
  const can = useCan()
  const mayEdit = can('variables:update,variables:create')
  const [editing, setEditing] = useState<Variable | 'new'>()
  useIntent('variable', () => setEditing('new'))
  return (
    <AssetPage
      title="Variables"
      purpose="Values shared by all flows of this workspace."
      noun="variables"
      query={useQuery(variablesQuery)}
      nameOf={({ name }) => name}
      textOf={({ name, value }) => `${name}\n${value}`}
      columns={[
        {
          header: 'Name',
          cell: (variable) => (
            <NameButton name={variable.name} onOpen={mayEdit && (() => setEditing(variable))}>
              <Code lineClamp="2">{variable.name}</Code>
            </NameButton>
          ),
        },
        { header: 'Value', cell: (variable) => <Value of={variable} /> },
        { header: 'Type', cell: ({ type }) => <Badge>{TYPE_LABELS[type]}</Badge>, minor: true },
        {
          header: 'Used by',
          cell: ({ name, usageCount }) => (
            <UsedBy of={{ kind: 'variable', asset: name }} name={name} count={usageCount} />
          ),
          minor: true,
        },
      ]}
      create={can('variables:create') && { label: 'New variable', onClick: () => setEditing('new') }}
      onEdit={mayEdit && setEditing}
      onDelete={can('variables:delete') && confirmDelete}
      empty={{
        title: 'No variables yet',
        text: 'Create a variable for values that several flows share, such as a base URL or a company name.',
      }}
    >
      {editing && (
        <VariableDialog variable={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </AssetPage>
  )
}

function Value({ of: { type, value, hasValue } }: { of: Variable }) {
  if (type === 'runtime' && !value) return <Text color="fg.muted">Set for each run</Text>
  if (type !== 'secret') return <Text lineClamp="2">{value}</Text>
  if (!hasValue) return <Text color="fg.warning">Not set. Edit it to enter the value</Text>
  return <Text color="fg.muted">Secret, not shown</Text>
}

const confirmDelete = ({ id, name, value, type }: Variable) =>
  deleteUsedAsset({
    name,
    of: { kind: 'variable', asset: name },
    until: 'you create it again',
    remove: () => deleteVariable(id),
    ...(type === 'secret'
      ? { note: 'Its value can’t be restored.' }
      : { undo: () => ({ label: 'Undo', run: () => restore({ name, value, type }) }) }),
  })

const restore = (variable: VariableFields) =>
  saveVariable(variable).catch((error: unknown) =>
    notify.error(`Couldn’t restore “${variable.name}”: ${errorMessage(error)}`),
  )
