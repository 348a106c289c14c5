/** The exports of this area for other areas. */
export {
  assertBacks,
  backsDirectory,
  changeOrganization,
  type OrganizationChange,
  readMembers,
  runIn,
} from './change-organization.ts'
export {
  attemptMember,
  endMembership,
  endSessions,
  isOnlyHere,
  type MemberAttempt,
  recordChange,
  switchMember,
} from './member-changes.ts'
export { type MemberRow, memberQueries, toMembers } from './members.ts'
