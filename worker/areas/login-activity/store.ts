/** Attempts to sign in to the accounts of one organization. The platform admin also sees those to nobody's account. */
import { and, eq, exists, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import type {
  ExportSignIns,
  ListSignIns,
  SignInFilters,
  SignInPage,
  SignInRecord,
} from '#contract/organization/records.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { loginActivity, organizations, users } from '#db/schema/index.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import type { Audited } from '../../http/audit.ts'
import { isBefore, isWithin, newestFirst, type PageAsked, pageOf, sendRecords } from '../../http/record-pages.ts'
import type { UserActor } from '../../http/route.ts'
import type { Services } from '../../services.ts'

type Reader = Pick<UserActor, 'organizationId' | 'isPlatformAdmin'>

export async function listSignIns(db: Database, reader: Reader, asked: ListSignIns): Promise<SignInPage> {
  return pageOf(await readSignIns(db, reader, { ...asked, limit: asked.limit + 1 }), asked)
}

export function exportSignIns(db: Database, reader: Reader, { format, ...filters }: ExportSignIns): Response {
  return sendRecords<SignInRecord>({
    name: 'login-activity',
    format,
    columns: {
      Time: (row) => row.createdDate,
      Name: (row) => row.name,
      Email: (row) => row.email,
      'User ID': (row) => row.userId,
      Method: (row) => row.method,
      Result: (row) => row.result,
      Device: (row) => row.device,
      Address: (row) => row.address,
      Country: (row) => row.country,
    },
    read: (page) => readSignIns(db, reader, { ...filters, ...page }),
  })
}

/** Returns how many were deleted: none of another organization. */
export async function deleteSignIns(
  { db, audit }: Pick<Services, 'db'> & Audited,
  reader: Reader,
  ids: string[],
): Promise<number> {
  const condition = inArray(loginActivity.id, ids)
  const { handle, where } = visible(db, reader, condition)
  const isTheirs = and(
    eq(organizations.id, reader.organizationId),
    exists(handle.select().from(loginActivity).where(where)),
  )
  const event = audit({
    event: 'login-activity.delete',
    target: { id: reader.organizationId, name: organizations.name, of: organizations, where: isTheirs },
    change: { asked: ids.length },
    ofOrganization: true,
  })
  const [, deleted] = await db.batch([
    event,
    handle.delete(loginActivity).where(where).returning({ id: loginActivity.id }),
  ])
  return deleted.length
}

function readSignIns(db: Database, reader: Reader, asked: SignInFilters & PageAsked): Promise<SignInRecord[]> {
  const { id, createdDate, userId, method, result, device, address, country } = loginActivity
  const { handle, where } = visible(
    db,
    reader,
    and(
      isOfUser(asked.user),
      asked.method ? eq(method, asked.method) : undefined,
      asked.result ? eq(result, asked.result) : undefined,
      isWithin(loginActivity, asked),
      isBefore(loginActivity, asked.before),
    ),
  )
  return handle
    .select({
      ...{ id, createdDate, userId, name: users.name, email: users.email },
      ...{ method, result, device, address, country },
    })
    .from(loginActivity)
    .leftJoin(users, eq(users.id, userId))
    .where(where)
    .orderBy(...newestFirst(loginActivity))
    .limit(asked.limit)
}

function visible(db: Database, { organizationId, isPlatformAdmin }: Reader, condition: SQL | undefined) {
  if (!isPlatformAdmin) {
    return { handle: db, where: organizationScope(db, { organizationId }).inOrganization(loginActivity, condition) }
  }
  const handle = acrossOrganizations(db, 'the platform admin sees attempts on no account besides their organization’s')
  const isTheirs = or(eq(loginActivity.organizationId, organizationId), isNull(loginActivity.organizationId))
  return { handle, where: and(isTheirs, condition) }
}

const isOfUser = (text: string | undefined): SQL | undefined =>
  text === undefined ? undefined : or(eq(users.id, text), contains(users.name, text), contains(users.email, text))

const KEPT_DAYS = 90

export async function purgeSignIns({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString()
  const handle = acrossOrganizations(db, 'the minute job deletes old sign-ins of every organization')
  await handle.delete(loginActivity).where(lt(loginActivity.createdDate, oldest))
}
