/** Emails to the people who may answer the question of a waiting run. */
import { and, asc, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { flowPermissions } from '#contract/access/callers.ts'
import { holds, type Viewer } from '#contract/access/check.ts'
import { approversOf, mayAnswer, type Standing } from '#contract/runs/approvers.ts'
import type { HumanInputAction, HumanInputQuestion } from '#contract/runs/events.ts'
import type { Database } from '#db/client.ts'
import {
  chatflows,
  executions,
  organizationMembers,
  roles,
  users,
  workspaceMembers,
  workspaces,
} from '#db/schema/index.ts'
import { acrossOrganizations, acrossWorkspaces } from '#db/scope.ts'
import { canSendEmail, queueEmail } from '../../emails/queue.ts'
import { tryTakeFrom } from '../../http/rate-limit.ts'
import { permissionsOf, rolesOf } from '../../http/session/identity.ts'
import type { Services } from '../../services.ts'

/** Questions that one minute announces. */
const MAX_QUESTIONS = 200
/** People of a workspace who are told. */
const MAX_PEOPLE = 50
/** Whoever is at the run may have answered by then. */
const GRACE_MS = 60_000
/** Older questions are not announced: those from before the server could send email. */
const MAX_AGE_MS = 24 * 60 * 60_000
/** Announcements in a workspace. What comes meanwhile is in the next one: callers cannot flood the people of a flow. */
const PER_HOUR = 6

type Question = Awaited<ReturnType<typeof unannounced>>[number]
type Person = Awaited<ReturnType<typeof readPeople>>[number]

/**
 * Part of the minute job. Queues one email to each person who may answer questions that have come up in a workspace, and
 * who has not turned these emails off. Each question is announced once, however many workers do this.
 */
export async function announceQuestions(services: Services, now: Date): Promise<void> {
  if (!canSendEmail(services)) return
  const all = acrossWorkspaces(services.db, 'the minute job announces the questions of every workspace')
  const questions = await unannounced(all, now)
  for (const [workspaceId, own] of Map.groupBy(questions, (question) => question.workspaceId)) {
    await announce(services, { all, workspaceId, now, questions: own })
  }
}

interface Announcement {
  all: Database
  workspaceId: string
  now: Date
  questions: Question[]
}

async function announce(services: Services, { all, workspaceId, now, questions }: Announcement): Promise<void> {
  const forMembers = questions.filter((question) => approversOf(inputOf(question)).kind !== 'caller')
  const people = forMembers.length > 0 ? await readPeople(services, workspaceId) : []
  const told = people
    .map((person) => ({ person, own: forMembers.filter((question) => mayAnswerIt(person, question)) }))
    .filter(({ own }) => own.length > 0)
    .slice(0, MAX_PEOPLE)
  const window = { key: `questions announced in ${workspaceId}`, max: PER_HOUR, windowSeconds: 3600 }
  if (told.length > 0 && !(await tryTakeFrom(services, window))) return
  const ids = questions.map(({ id }) => id)
  const isFirst = areUnannounced(all, ids)
  const emails = told.map(({ person, own }) =>
    queueEmail(
      { db: all, clock: services.clock },
      { kind: 'questions-waiting', address: person.email, userId: person.id, names: namesOf(own) },
      isFirst,
    ),
  )
  const done = all
    .update(executions)
    .set({ announcedDate: now.toISOString() })
    .where(and(inArray(executions.id, ids), isFirst))
  await all.batch([...emails, done] as [typeof done])
}

/**
 * Returns the oldest of each workspace, then the second of each, and so on, so that no workspace keeps another waiting.
 * The state is a literal, because the partial index does not match a parameter.
 */
function unannounced(all: Database, now: Date) {
  const { id, workspaceId, agentflowId, parentExecutionId, action, stoppedDate, announcedDate, state } = executions
  const at = (before: number) => new Date(now.getTime() - before).toISOString()
  const found = all
    .select({
      id,
      workspaceId,
      agentflowId,
      action: sql<string>`${action}`.as('asked'),
      turn: sql<number>`row_number() over (partition by ${workspaceId} order by ${stoppedDate}, ${id})`.as('turn'),
    })
    .from(executions)
    .where(
      and(
        sql`${state} = 'STOPPED' and ${announcedDate} is null`,
        lte(stoppedDate, at(GRACE_MS)),
        gt(stoppedDate, at(MAX_AGE_MS)),
        // A run that was called asks through the one that called it.
        isNull(parentExecutionId),
        sql`${action} is not null`,
      ),
    )
    .as('found')
  return all
    .select({
      id: found.id,
      workspaceId: found.workspaceId,
      action: found.action,
      flow: { name: chatflows.name, type: chatflows.type },
      workspace: workspaces.name,
    })
    .from(found)
    .innerJoin(chatflows, eq(chatflows.id, found.agentflowId))
    .innerJoin(workspaces, and(eq(workspaces.id, found.workspaceId), isNull(workspaces.deletedDate)))
    .orderBy(asc(found.turn), asc(found.id))
    .limit(MAX_QUESTIONS)
}

/** True while all of these runs wait as they were found: nobody has answered or announced one of them since. */
function areUnannounced(all: Database, ids: string[]): SQL {
  const { id, state, announcedDate } = executions
  const open = all
    .select({ count: sql`count(*)` })
    .from(executions)
    .where(and(inArray(id, ids), eq(state, 'STOPPED'), isNull(announcedDate)))
  return sql`(${open}) = ${ids.length}`
}

/** Returns the people of a workspace who get these emails, admins first, with what they may do there. */
async function readPeople({ db, config }: Services, workspaceId: string) {
  const organizationRoles = alias(roles, 'organization_roles')
  const isOfWorkspace = and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, users.id))
  const { organizationId } = workspaces
  const rows = await acrossOrganizations(db, 'a workspace names its organization, whose members are told')
    .select({
      id: users.id,
      email: users.email,
      isAdmin: organizationMembers.isAdmin,
      assignedTo: workspaceMembers.workspaceId,
      role: roles,
      organizationRole: organizationRoles,
    })
    .from(workspaces)
    .innerJoin(
      organizationMembers,
      and(eq(organizationMembers.organizationId, organizationId), isNull(organizationMembers.disabledDate)),
    )
    .innerJoin(users, eq(users.id, organizationMembers.userId))
    .leftJoin(workspaceMembers, isOfWorkspace)
    .leftJoin(roles, and(eq(roles.id, workspaceMembers.roleId), eq(roles.organizationId, organizationId)))
    .leftJoin(
      organizationRoles,
      and(eq(organizationRoles.id, organizationMembers.roleId), eq(organizationRoles.organizationId, organizationId)),
    )
    .where(
      and(eq(workspaces.id, workspaceId), eq(users.status, 'active'), eq(organizationMembers.getsQuestionEmails, true)),
    )
    .orderBy(sql`${organizationMembers.isAdmin} desc`, asc(users.id))
  return rows
    .filter(({ isAdmin, assignedTo }) => isAdmin || assignedTo !== null)
    .map(({ id, email, isAdmin, ...own }) => {
      const standing: Standing = { isMember: true, isAdmin, roles: rolesOf(own) }
      const viewer: Viewer = { platform: config.platformType, isGlobal: isAdmin, permissions: permissionsOf(own) }
      return { id, email, standing, viewer }
    })
}

/** Those who answer see the flow and the run. */
function mayAnswerIt({ standing, viewer }: Person, question: Question): boolean {
  const needed = ['executions:view', flowPermissions([question.flow.type], 'view')]
  return needed.every((permission) => holds(viewer, permission)) && mayAnswer(approversOf(inputOf(question)), standing)
}

const inputOf = ({ action }: Question): HumanInputQuestion => (JSON.parse(action) as HumanInputAction).data.input

/** Returns the values of the email. It does not repeat the question, whose text may be an anonymous caller's. */
function namesOf(own: Question[]) {
  const [first] = own
  return {
    count: String(own.length),
    workspace: first?.workspace ?? '',
    flows: JSON.stringify([...new Set(own.map(({ flow }) => flow.name))].slice(0, MAX_NAMED)),
    page: own.length === 1 ? `/${first?.id}` : '?state=STOPPED',
  }
}

/** Flows that an email names. */
const MAX_NAMED = 10
