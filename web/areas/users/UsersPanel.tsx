import { Badge, Button, Flex, Heading, Skeleton, Stack, Text } from '@chakra-ui/react'
import {
  IconMail,
  IconShieldOff,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  IconUserPlus,
  IconUserShield,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import type { Invitation, OrganizationMember } from '#contract/organization/members.ts'
import { uiBase } from '../../api/client.ts'
import { session } from '../../api/session.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ShownOnceDialog } from '../../ui/feedback/ShownOnceDialog.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import { RowTable } from '../../ui/lists/RowTable.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import {
  invitationsQuery,
  membersQuery,
  removeMember,
  removeSecondStep,
  resendInvitation,
  revokeInvitation,
  setAdmin,
  setDisabled,
} from './queries.ts'
import { RoleDialog } from './RoleDialog.tsx'

/** The people of the organization, and who is invited. */
export default function UsersPanel() {
  const members = useQuery(membersQuery)
  const invitations = useQuery(invitationsQuery)
  const [inviting, setInviting] = useState(false)
  const [editing, setEditing] = useState<OrganizationMember>()
  const [link, setLink] = useState<string>()
  const error = members.error ?? invitations.error
  if (error) return <ErrorState title="Couldn’t load users" text={error.message} onRetry={members.refetch} />
  if (!members.data || !invitations.data) return <Skeleton h="64" role="status" aria-label="Loading users" />
  return (
    <Stack gap="8">
      <Stack gap="4">
        <Flex justify="space-between" align="center" gap="4" wrap="wrap">
          <Heading as="h2" size="lg">
            People
          </Heading>
          <Button colorPalette="accent" onClick={() => setInviting(true)}>
            <IconUserPlus aria-hidden />
            Invite
          </Button>
        </Flex>
        <People members={members.data} onRole={setEditing} />
      </Stack>
      {invitations.data.length > 0 && <Invited invitations={invitations.data} onLink={setLink} />}
      {inviting && <InviteDialog onLink={setLink} onClose={() => setInviting(false)} />}
      {editing && <RoleDialog member={editing} onClose={() => setEditing(undefined)} />}
      {link && (
        <ShownOnceDialog
          title="Invitation link"
          label="Link"
          value={uiBase() + link}
          onClose={() => setLink(undefined)}
        >
          <Text mt="3" textStyle="sm" color="fg.muted">
            This server sends no mail. Give the link to the person you invited. It works once, for 7 days.
          </Text>
        </ShownOnceDialog>
      )}
    </Stack>
  )
}

function People({ members, onRole }: { members: OrganizationMember[]; onRole(member: OrganizationMember): void }) {
  const { user } = useSnapshot(session)
  return (
    <RowTable
      label="Users"
      rows={members}
      columns={[
        {
          header: 'Name',
          cell: ({ id, name, email }) => (
            <>
              <Text fontWeight="medium">
                {name}
                {id === user?.id && ' (you)'}
              </Text>
              <Text textStyle="xs" color="fg.muted">
                {email}
              </Text>
            </>
          ),
        },
        { header: 'Role', cell: (member) => <MemberRole of={member} /> },
        { header: 'Workspaces', cell: workspacesText, minor: true },
        {
          header: 'Last sign-in',
          cell: ({ lastLogin }) => (lastLogin ? <RelativeTime date={lastLogin} /> : '–'),
          minor: true,
        },
        {
          header: 'Actions',
          quiet: true,
          cell: (member) => <RowMenu of={member.name} actions={member.canChange ? listActions(member, onRole) : []} />,
        },
      ]}
    />
  )
}

function MemberRole({ of: { isAdmin, isDisabled, role } }: { of: OrganizationMember }) {
  return (
    <Flex gap="2" wrap="wrap">
      {isDisabled && <Badge colorPalette="danger">Disabled</Badge>}
      {isAdmin ? <Badge colorPalette="accent">Admin</Badge> : (role?.name ?? 'Member')}
    </Flex>
  )
}

const workspacesText = ({ isAdmin, workspaces }: OrganizationMember) =>
  isAdmin ? 'All' : workspaces.map(({ name, role }) => (role ? `${name} (${role.name})` : name)).join(', ') || '–'

function listActions(member: OrganizationMember, onRole: (member: OrganizationMember) => void): MenuAction[] {
  const { id, name, isAdmin, isDisabled, hasSecondStep } = member
  return [
    ...(isAdmin ? [] : [{ label: 'Change role', icon: IconUserShield, onSelect: () => onRole(member) }]),
    ...(session.isGlobal
      ? [
          {
            label: isAdmin ? 'Remove as admin' : 'Make admin',
            icon: IconUserShield,
            onSelect: () =>
              attempt(() => setAdmin(id, !isAdmin), `${name} is ${isAdmin ? 'no longer an admin' : 'an admin now'}`),
          },
        ]
      : []),
    {
      label: isDisabled ? 'Enable' : 'Disable',
      icon: isDisabled ? IconUserCheck : IconUserOff,
      onSelect: () => attempt(() => setDisabled(id, !isDisabled), `${name} is ${isDisabled ? 'enabled' : 'disabled'}`),
    },
    ...(hasSecondStep
      ? [{ label: 'Remove two-step sign-in', icon: IconShieldOff, onSelect: () => void turnOffSecondStep(member) }]
      : []),
    { label: 'Remove', icon: IconTrash, danger: true, onSelect: () => remove(member) },
  ]
}

async function attempt(change: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await change()
    notify.success(done)
  } catch (error) {
    notify.error(errorMessage(error))
  }
}

async function turnOffSecondStep({ id, name }: OrganizationMember): Promise<void> {
  const sure = await confirm({
    title: `Remove two-step sign-in of ${name}?`,
    description:
      'Do this only when they ask you, and you are sure that it is them. Their authenticator app and recovery codes stop working, all their sessions end, and an email tells them. They sign in with their password.',
    confirmButtonName: 'Remove two-step sign-in',
    danger: true,
  })
  if (sure) await attempt(() => removeSecondStep(id), `${name} signs in without a code now`)
}

async function remove({ id, name }: OrganizationMember): Promise<void> {
  const sure = await confirm({
    title: `Remove ${name}?`,
    description: 'They lose access immediately. Their work stays in the workspace.',
    confirmButtonName: 'Remove',
    danger: true,
  })
  if (!sure) return
  try {
    const { apiKeys } = await removeMember(id)
    notify.success(`Removed ${name}`)
    if (apiKeys.length > 0) {
      const named = apiKeys.map(({ keyName, workspace }) => `${keyName} (${workspace})`).join(', ')
      notify.info(`API keys that ${name} made still work: ${named}. Delete those that are no longer needed.`)
    }
  } catch (error) {
    notify.error(errorMessage(error))
  }
}

const STATES: Record<Invitation['state'], string> = { pending: 'Waiting', expired: 'Expired', void: 'No longer valid' }

function Invited({ invitations, onLink }: { invitations: Invitation[]; onLink(link: string): void }) {
  const resend = async ({ id, email }: Invitation) => {
    try {
      const { link } = await resendInvitation(id)
      if (link) onLink(link)
      else notify.success(`Invitation sent to ${email}`)
    } catch (error) {
      notify.error(errorMessage(error))
    }
  }
  return (
    <Stack gap="4">
      <Heading as="h2" size="lg">
        Invited
      </Heading>
      <RowTable
        label="Invitations"
        rows={invitations}
        columns={[
          { header: 'Email', cell: ({ email }) => email },
          { header: 'State', cell: ({ state }) => STATES[state] },
          {
            header: 'Workspaces',
            cell: ({ workspaces }) => workspaces.map(({ name, role }) => `${name} (${role?.name ?? '–'})`).join(', '),
            minor: true,
          },
          { header: 'Invited by', cell: ({ invitedBy }) => invitedBy.name, minor: true },
          {
            header: 'Actions',
            quiet: true,
            cell: (invitation) => (
              <RowMenu
                of={invitation.email}
                actions={[
                  { label: 'Send again', icon: IconMail, onSelect: () => void resend(invitation) },
                  {
                    label: 'Revoke',
                    icon: IconTrash,
                    danger: true,
                    onSelect: () => attempt(() => revokeInvitation(invitation.id), 'Invitation revoked'),
                  },
                ]}
              />
            ),
          },
        ]}
      />
    </Stack>
  )
}
