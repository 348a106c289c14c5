/** What other areas may import. */
export { changeOrganization, type OrganizationChange, readMembers, runIn } from './change-organization.ts'
export { type MemberRow, memberQueries, toMembers } from './members.ts'
