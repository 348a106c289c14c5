import { queryOptions } from '@tanstack/react-query'
import type {
  Invitation,
  InviteChoices,
  OrganizationMember,
  RemovedMember,
  SentInvitation,
} from '#contract/organization/members.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'users'

export const membersQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<OrganizationMember[]>('/users'),
})

export const invitationsQuery = queryOptions({
  queryKey: keys.list(AREA, { invited: true }),
  queryFn: () => api.get<Invitation[]>('/account/invitations'),
})

/** Workspaces and roles that the user may invite people to. */
export const choicesQuery = queryOptions({
  queryKey: keys.one(AREA, 'choices'),
  queryFn: () => api.get<InviteChoices>('/account/invite/choices'),
})

async function changed<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } finally {
    await invalidate(AREA)
  }
}

interface InviteFields {
  email: string
  roleId: string | null
  workspaces: { workspaceId: string; roleId: string }[]
}

export const invite = (fields: InviteFields) => changed(api.post<SentInvitation>('/account/invite', fields))
export const resendInvitation = (id: string) => changed(api.post<SentInvitation>(`/account/invitations/${id}/resend`))
export const revokeInvitation = (id: string) => changed(api.delete(`/account/invitations/${id}`))
export const setDisabled = (id: string, disabled: boolean) =>
  changed(api.post(`/users/${id}/${disabled ? 'disable' : 'enable'}`))
export const setAdmin = (id: string, isAdmin: boolean) => changed(api.put(`/users/${id}/admin`, { isAdmin }))
export const setRole = (id: string, roleId: string | null) => changed(api.put(`/users/${id}/role`, { roleId }))
export const removeSecondStep = (id: string) => changed(api.delete(`/users/${id}/second-step`))
export const removeMember = (id: string) => changed(api.delete<RemovedMember>(`/users/${id}`))
