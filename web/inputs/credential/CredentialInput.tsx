import { Flex, IconButton, NativeSelect, Text } from '@chakra-ui/react'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { describePermissions } from '#contract/access/permissions.ts'
import { useCan } from '../../api/use-can.ts'
import { asText, type InputProps } from '../types.ts'
import { testAddress } from './credential-form.ts'
import { credentialLabels } from './credential-labels.ts'
import { credentialsQuery, definitionsQuery } from './queries.ts'

const CredentialDialog = lazy(() => import('./CredentialDialog.tsx'))

/** Picks or creates a credential of a matching type. The value is its id. */
export function CredentialInput({
  id,
  param,
  value,
  onChange,
  scope,
}: Pick<InputProps, 'id' | 'param' | 'value' | 'onChange'> & Partial<InputProps>) {
  const names = param.credentialNames ?? []
  const can = useCan()
  const maySee = can('credentials:view')
  const { data = [], isLoading, error } = useQuery({ ...credentialsQuery(names), enabled: maySee })
  const { data: definitions = [] } = useQuery(definitionsQuery)
  const fitting = definitions.filter((definition) => names.includes(definition.name))
  const [creating, setCreating] = useState(false)
  const chosen = asText(value)
  const labels = credentialLabels(data)
  const known = data.some((entry) => entry.id === chosen)
  return (
    <>
      <Flex gap="1">
        <NativeSelect.Root size="sm" flex="1">
          <NativeSelect.Field id={id} value={chosen} onChange={(event) => onChange(event.target.value)}>
            <option value="">{isLoading ? 'Loading…' : data.length ? 'Choose a credential…' : 'None yet'}</option>
            {!known && chosen !== '' && (
              <option value={chosen}>
                {isLoading ? 'Loading…' : maySee ? 'Credential not found' : 'Hidden credential'}
              </option>
            )}
            {data.map((entry) => (
              <option key={entry.id} value={entry.id}>
                {labels.get(entry.id)}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
        <IconButton
          size="sm"
          variant="outline"
          aria-label="New credential"
          title="New credential"
          disabled={fitting.length === 0 || !can('credentials:create')}
          onClick={() => setCreating(true)}
        >
          <IconPlus size={16} />
        </IconButton>
      </Flex>
      {!maySee && (
        <Text fontSize="xs" color="fg.muted" mt="1">
          You need the permission {describePermissions('credentials:view')} to choose a credential.
        </Text>
      )}
      {error && (
        <Text fontSize="xs" color="fg.error" mt="1">
          Couldn’t load credentials: {error.message}
        </Text>
      )}
      {creating && (
        <Suspense>
          <CredentialDialog
            definitions={fitting}
            address={testAddress(scope?.inputs ?? {})}
            onClose={() => setCreating(false)}
            onSaved={(credential) => onChange(credential.id)}
          />
        </Suspense>
      )}
    </>
  )
}
