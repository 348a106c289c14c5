import { Badge, Button, Flex, Heading, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { DirectoryGroup, DirectoryToken, NewDirectoryToken } from '#contract/organization/directory.ts'
import type { Places } from '#contract/organization/sso.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ShownOnceDialog } from '../../ui/feedback/ShownOnceDialog.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { RowTable } from '../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { NO_PLACES, PlaceFields } from './PlaceFields.tsx'
import { createToken, groupsQuery, mapGroup, placesQuery, revokeToken, tokensQuery } from './queries.ts'

/** Provisioning of people and groups by the organization's directory (SCIM). */
export function DirectorySync({ mayChange }: { mayChange: boolean }) {
  const { data, error, refetch } = useQuery(tokensQuery)
  const [adding, setAdding] = useState(false)
  const [created, setCreated] = useState<NewDirectoryToken>()
  return (
    <Stack gap="4">
      <Flex justify="space-between" align="center" gap="4">
        <Heading as="h2" size="lg">
          Directory sync
        </Heading>
        <Button variant="outline" disabled={!mayChange} onClick={() => setAdding(true)}>
          New token
        </Button>
      </Flex>
      <Text color="fg.muted">
        Let Okta, Microsoft Entra ID or another directory add, change and deactivate people of your proven domains, with
        SCIM 2.0.
      </Text>
      {error && <ErrorState title="Couldn’t load directory sync" text={error.message} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h="24" />}
      {data && <CopyField label="Base URL" value={data.baseUrl} />}
      {data?.tokens.length === 0 && (
        <EmptyState title="No tokens yet" text="Create one, and enter it in your directory with the base URL." />
      )}
      {data && data.tokens.length > 0 && <Tokens tokens={data.tokens} mayChange={mayChange} />}
      {data && data.tokens.length > 0 && <Groups mayChange={mayChange} />}
      {adding && <TokenDialog onCreated={setCreated} onClose={() => setAdding(false)} />}
      {created && (
        <ShownOnceDialog
          title="Token of the directory"
          label="Token"
          value={created.token}
          onClose={() => setCreated(undefined)}
        />
      )}
    </Stack>
  )
}

interface TokenDialogProps {
  onCreated(token: NewDirectoryToken): void
  onClose(): void
}

function TokenDialog({ onCreated, onClose }: TokenDialogProps) {
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async ({ name }) => {
      onCreated(await createToken(name))
      onClose()
    },
  })
  return (
    <FormDialog title="New token" submit="Create" form={form} onClose={onClose}>
      <TextField
        label="Name"
        help="The directory that uses it. It works as long as you are an admin."
        placeholder="Okta"
        error={form.errors.fields.name}
        value={form.values.name}
        onChange={(name) => form.set({ name })}
      />
    </FormDialog>
  )
}

function Tokens({ tokens, mayChange }: { tokens: DirectoryToken[]; mayChange: boolean }) {
  return (
    <RowTable
      label="Tokens"
      rows={tokens}
      columns={[
        {
          header: 'Name',
          cell: ({ name, isBacked }) => (
            <Flex gap="2" wrap="wrap">
              {name}
              {!isBacked && <Badge colorPalette="danger">No longer works</Badge>}
            </Flex>
          ),
        },
        { header: 'Created by', cell: ({ createdBy }) => createdBy.name, minor: true },
        {
          header: 'Last used',
          cell: ({ lastUsedDate }) =>
            lastUsedDate ? <RelativeTime date={lastUsedDate} /> : <Text color="fg.muted">Never</Text>,
        },
        {
          header: 'Actions',
          quiet: true,
          cell: (token) => (
            <Button
              size="xs"
              variant="ghost"
              aria-label={`Revoke ${token.name}`}
              disabled={!mayChange}
              onClick={() => void revoke(token)}
            >
              Revoke
            </Button>
          ),
        },
      ]}
    />
  )
}

async function revoke({ id, name }: DirectoryToken): Promise<void> {
  const isSure = await confirm({
    title: `Revoke “${name}”?`,
    description: 'The directory that uses it can no longer add, change or deactivate people.',
    confirmButtonName: 'Revoke',
    danger: true,
  })
  if (isSure) await revokeToken(id).catch((error: unknown) => notify.error(errorMessage(error)))
}

/** The groups that directories have sent, and what each gives. */
function Groups({ mayChange }: { mayChange: boolean }) {
  const { data, error, refetch } = useQuery(groupsQuery)
  const places = useQuery(placesQuery).data ?? NO_PLACES
  const [editing, setEditing] = useState<DirectoryGroup>()
  return (
    <Stack gap="3">
      <Heading as="h3" size="md">
        Groups
      </Heading>
      <Text textStyle="sm" color="fg.muted">
        A group gives its people a role in a workspace. Of two groups for one workspace the first by name counts.
      </Text>
      {error && <ErrorState title="Couldn’t load groups" text={error.message} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <EmptyState title="No groups yet" text="Groups appear here when your directory sends them." />
      )}
      {data && data.length > 0 && (
        <RowTable
          label="Groups"
          rows={data}
          columns={[
            { header: 'Group', cell: ({ name }) => name },
            { header: 'People', cell: ({ members }) => members, minor: true },
            { header: 'Gives', cell: (group) => placeText(group, places) },
            {
              header: 'Actions',
              quiet: true,
              cell: (group) => (
                <Button
                  size="xs"
                  variant="ghost"
                  aria-label={`Edit what ${group.name} gives`}
                  disabled={!mayChange}
                  onClick={() => setEditing(group)}
                >
                  Edit
                </Button>
              ),
            },
          ]}
        />
      )}
      {editing && <GroupDialog group={editing} places={places} onClose={() => setEditing(undefined)} />}
    </Stack>
  )
}

function placeText({ workspaceId, roleId }: DirectoryGroup, { workspaces, roles }: Places): string {
  const workspace = workspaces.find(({ id }) => id === workspaceId)?.name
  const role = roles.find(({ id }) => id === roleId)?.name
  return workspace && role ? `${role} in ${workspace}` : 'Nothing yet'
}

function GroupDialog({ group, places, onClose }: { group: DirectoryGroup; places: Places; onClose(): void }) {
  const form = useForm({
    initial: { place: { workspaceId: group.workspaceId ?? '', roleId: group.roleId ?? '' } },
    check: ({ place: { workspaceId, roleId } }) =>
      fieldErrors({ place: (workspaceId === '') !== (roleId === '') && 'Choose a workspace and a role, or neither.' }),
    send: async ({ place }) => {
      await mapGroup(group.id, place.workspaceId === '' ? null : place)
      onClose()
    },
  })
  return (
    <FormDialog title={`What ${group.name} gives`} submit="Save" form={form} onClose={onClose}>
      <PlaceFields
        title="Group"
        places={places}
        value={form.values.place}
        error={form.errors.fields.place}
        onChange={(place) => form.set({ place })}
      />
    </FormDialog>
  )
}
