import { Button, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import {
  FIXED_ISSUERS,
  type IdentityProviderKind,
  type ListedProvider,
  microsoftIssuer,
  type Places,
  providerKindNames,
} from '#contract/organization/sso.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { Choice, choicesOf, TextField, Toggle } from '../../ui/forms/fields.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { PasswordInput } from '../../ui/forms/PasswordInput.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { NO_PLACES, PlaceFields, type RolePlace } from './PlaceFields.tsx'
import { createProvider, type ProvidersPath, placesQuery, updateProvider } from './queries.ts'

interface Props {
  path: ProvidersPath
  provider: ListedProvider | undefined
  onClose(): void
}

const directoryOf = (issuer: string) => /^https:\/\/login\.microsoftonline\.com\/([^/]*)/.exec(issuer)?.[1] ?? issuer

function useProviderForm({ path, provider, onClose }: Props) {
  return useForm({
    initial: {
      kind: provider?.kind ?? ('google' as IdentityProviderKind),
      name: provider?.name ?? '',
      issuer: provider?.kind === 'microsoft' ? directoryOf(provider.issuer) : (provider?.issuer ?? ''),
      clientId: provider?.clientId ?? '',
      clientSecret: '',
      isEnabled: provider?.isEnabled ?? false,
      isRequired: provider?.isRequired ?? false,
      defaultRole: provider?.defaultRole ?? { workspaceId: '', roleId: '' },
      groupsClaim: provider?.groupsClaim ?? 'groups',
      groupRoles: provider?.groupRoles ?? [],
    },
    check: (fields) =>
      fieldErrors({
        name: fields.name.trim() === '' && 'Enter a name.',
        issuer: !FIXED_ISSUERS[fields.kind] && fields.issuer.trim() === '' && 'Enter it as the provider shows it.',
        clientId: fields.clientId.trim() === '' && 'Enter the client ID.',
        clientSecret: !provider && fields.clientSecret === '' && 'Enter the client secret.',
      }),
    send: async ({ kind, clientSecret, defaultRole, ...fields }) => {
      const change = {
        ...fields,
        issuer: kind === 'microsoft' ? microsoftIssuer(fields.issuer) : fields.issuer,
        defaultRole: defaultRole.workspaceId && defaultRole.roleId ? defaultRole : null,
        groupRoles: fields.groupRoles.filter(({ group }) => group.trim() !== ''),
      }
      if (provider) await updateProvider(path, provider.id, { ...change, ...(clientSecret && { clientSecret }) })
      else await createProvider(path, { ...change, kind, clientSecret })
      onClose()
    },
  })
}

/** Adds an identity provider, or changes one. */
export function ProviderDialog(props: Props) {
  const { path, provider, onClose } = props
  const places = useQuery(placesQuery).data ?? NO_PLACES
  const form = useProviderForm(props)
  const { values, errors, set } = form
  return (
    <FormDialog
      title={provider ? 'Edit provider' : 'New provider'}
      submit={provider ? 'Save' : 'Add'}
      size="lg"
      form={form}
      onClose={onClose}
    >
      <ClientFields form={form} provider={provider} />
      <PlaceFields
        title="Default role"
        help="What people get at their first sign-in. Without it only invited people and those with a matching group come in."
        places={places}
        value={values.defaultRole}
        error={errors.fields.defaultRole}
        onChange={(defaultRole) => set({ defaultRole })}
      />
      <GroupRoles
        places={places}
        value={values.groupRoles}
        claim={values.groupsClaim}
        onClaim={(groupsClaim) => set({ groupsClaim })}
        onChange={(groupRoles) => set({ groupRoles })}
      />
      {provider && (
        <Toggle
          label="Offer it on the sign-in page"
          isOn={values.isEnabled}
          onChange={(isEnabled) => set({ isEnabled })}
        />
      )}
      {provider && path === '/sso-providers' && (
        <Toggle
          label="SSO only: people of the proven domains sign in here. Admins with a second step may still use their password"
          isOn={values.isRequired}
          onChange={(isRequired) => set({ isRequired })}
        />
      )}
    </FormDialog>
  )
}

interface ClientProps {
  form: ReturnType<typeof useProviderForm>
  provider: ListedProvider | undefined
}

/** The provider's issuer, and Heddle's client there. */
function ClientFields({ form: { values, errors, set }, provider }: ClientProps) {
  return (
    <>
      {!provider && (
        <Choice
          label="Kind"
          value={values.kind}
          options={choicesOf(providerKindNames)}
          onChange={(kind) => set({ kind })}
        />
      )}
      <TextField
        label="Name"
        help="People see it on the sign-in page."
        error={errors.fields.name}
        value={values.name}
        onChange={(name) => set({ name })}
      />
      {!FIXED_ISSUERS[values.kind] && (
        <TextField
          label={values.kind === 'microsoft' ? 'Directory (tenant) ID' : 'Issuer'}
          help={values.kind === 'microsoft' ? undefined : 'For example https://login.example.com'}
          error={errors.fields.issuer}
          mono
          value={values.issuer}
          onChange={(issuer) => set({ issuer })}
        />
      )}
      <TextField
        label="Client ID"
        error={errors.fields.clientId}
        mono
        value={values.clientId}
        onChange={(clientId) => set({ clientId })}
      />
      <Field
        label="Client secret"
        help={
          provider ? 'Leave it empty to keep the stored one. Another issuer or client ID needs it again.' : undefined
        }
        error={errors.fields.clientSecret}
      >
        <PasswordInput
          noun="client secret"
          autoComplete="off"
          value={values.clientSecret}
          onChange={(event) => set({ clientSecret: event.target.value })}
        />
      </Field>
    </>
  )
}

type GroupRole = RolePlace & { group: string }

interface GroupProps {
  places: Places
  value: GroupRole[]
  claim: string
  onClaim(claim: string): void
  onChange(value: GroupRole[]): void
}

/** In each workspace the first line that names one of a person's groups counts. */
function GroupRoles({ places, value, claim, onClaim, onChange }: GroupProps) {
  const replace = (at: number, line: GroupRole) => onChange(value.map((each, index) => (index === at ? line : each)))
  const first: GroupRole = {
    group: '',
    workspaceId: places.workspaces[0]?.id ?? '',
    roleId: places.roles[0]?.id ?? '',
  }
  return (
    <Stack gap="3">
      <Text textStyle="sm" color="fg.muted">
        Groups give roles at each sign-in. In each workspace the first matching line counts.
      </Text>
      {value.length > 0 && <TextField label="Claim that lists groups" mono value={claim} onChange={onClaim} />}
      {value.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <Stack key={at} gap="2" borderWidth="1px" borderRadius="l2" p="3">
          <TextField
            label={`Group ${at + 1}`}
            value={line.group}
            onChange={(group) => replace(at, { ...line, group })}
          />
          <PlaceFields
            title={`Group ${at + 1}`}
            places={places}
            value={line}
            onChange={(place) => replace(at, { ...line, ...place })}
          />
          <Button
            size="sm"
            variant="ghost"
            alignSelf="start"
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            Remove group {at + 1}
          </Button>
        </Stack>
      ))}
      <Button size="sm" variant="outline" alignSelf="start" onClick={() => onChange([...value, first])}>
        Add a group
      </Button>
    </Stack>
  )
}
