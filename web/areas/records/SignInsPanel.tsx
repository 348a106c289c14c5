import { Badge, Text } from '@chakra-ui/react'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { SignInRecord } from '#contract/organization/records.ts'
import { SIGN_IN_RESULTS, type SignInMethod, type SignInResult } from '#contract/organization/sessions.ts'
import { useCan } from '../../api/use-can.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { ChoiceFilter, DateFilter, TextFilter } from '../../ui/lists/filters.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { deleteSignIn, type Filters } from './queries.ts'
import { RecordList } from './RecordList.tsx'

const METHODS: Record<SignInMethod, string> = {
  password: 'Password',
  passkey: 'Passkey',
  sso: 'Single sign-on',
  invite: 'Invitation',
  verify: 'Verification',
}

const RESULTS: Record<SignInResult, string> = {
  success: 'Signed in',
  second_step: 'Asked for a code',
  wrong_password: 'Wrong password',
  wrong_code: 'Wrong code',
  unknown_account: 'No such account',
  disabled: 'Account disabled',
  unverified: 'Address not verified',
  sso_required: 'Single sign-on required',
  sso_expired: 'Provider: sign-in expired',
  sso_denied: 'Provider: refused',
  sso_failed: 'Provider: invalid answer',
  sso_off: 'Provider: switched off',
  sso_unverified: 'Provider: address not verified',
  sso_link: 'Provider: not linked with the account',
  sso_disabled: 'Provider: account disabled',
  sso_not_invited: 'Provider: not invited',
  sso_no_workspace: 'Provider: no workspace',
  sso_platform_admin: 'Provider: is the platform admin',
  limited: 'Too many attempts',
}

const RESULT_OPTIONS = SIGN_IN_RESULTS.map((result) => [result, RESULTS[result]] as const)

/** Attempts to sign in. */
export default function SignInsPanel() {
  const can = useCan()
  const [filters, setFilters] = useState<Filters>({})
  const set = (name: string) => (value?: string) => setFilters({ ...filters, [name]: value })
  const actions = {
    header: 'Actions',
    quiet: true,
    cell: (row: SignInRecord) => (
      <RowMenu
        of={row.name ?? 'the attempt'}
        actions={[{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => confirmDelete(row) }]}
      />
    ),
  }
  return (
    <RecordList<SignInRecord>
      path="/login-activity"
      noun="attempts"
      filters={filters}
      canExport
      columns={[
        { header: 'When', cell: ({ createdDate }) => <RelativeTime date={createdDate} /> },
        { header: 'Who', cell: (row) => <PersonCell of={row} /> },
        { header: 'Result', cell: ({ result }) => <Result of={result} /> },
        { header: 'How', cell: ({ method }) => METHODS[method], minor: true },
        { header: 'Device', cell: ({ device }) => device ?? '–', minor: true },
        {
          header: 'From',
          cell: ({ address, country }) => [address, country].filter(Boolean).join(', ') || '–',
          minor: true,
        },
        ...(can('loginActivity:delete') ? [actions] : []),
      ]}
      empty={{ title: 'No sign-ins yet', text: 'Attempts to sign in appear here for 90 days.' }}
    >
      <TextFilter label="Who" value={filters.user} onCommit={set('user')} />
      <ChoiceFilter label="Result" value={filters.result} options={RESULT_OPTIONS} onChange={set('result')} />
      <DateFilter label="Since" value={filters.from} onChange={set('from')} />
      <DateFilter label="Until" value={filters.to} onChange={set('to')} endOfDay />
    </RecordList>
  )
}

function PersonCell({ of: { name, email } }: { of: SignInRecord }) {
  if (email === null) return <Text color="fg.muted">Nobody’s account</Text>
  return (
    <>
      <Text>{name}</Text>
      <Text textStyle="sm" color="fg.muted">
        {email}
      </Text>
    </>
  )
}

function Result({ of }: { of: SignInResult }) {
  if (of === 'success' || of === 'second_step') return RESULTS[of]
  return <Badge colorPalette="danger">{RESULTS[of]}</Badge>
}

const confirmDelete = ({ id }: SignInRecord) =>
  deleteAsset({
    name: 'this attempt',
    description: 'It disappears from login activity. The deletion is recorded in the audit log.',
    remove: () => deleteSignIn(id),
  })
