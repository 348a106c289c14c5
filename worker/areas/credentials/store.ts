/** Credentials of one workspace. Fields are encrypted at rest; the API returns them masked, and only runs decrypt them. */
import { and, desc, eq, getTableColumns, inArray } from 'drizzle-orm'
import type * as z from 'zod'
import type {
  Credential,
  CredentialWithFields,
  createCredentialSchema,
  ListedCredential,
  listCredentialsSchema,
  updateCredentialSchema,
} from '#contract/credentials/credentials.ts'
import { standardHosts } from '#contract/credentials/hosts.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { credentials, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { openCredential } from '../../components/credentials.ts'
import { type Audited, changeOf } from '../../http/audit.ts'
import { assertConfirmed } from '../../http/confirmed.ts'
import type { Member } from '../../http/route.ts'
import { findCredentialType } from '../../nodes/catalogue.ts'
import { type CredentialRow, withoutTokens } from '../../oauth/stored-tokens.ts'
import { connectionOf } from '../../oauth/token-rows.ts'
import type { Services } from '../../services.ts'
import { usageCount } from '../usages/index.ts'
import { requireDefinition } from './definitions.ts'
import { checkFields, type Fields, maskFields, mergeFields, withoutEmpty } from './fields.ts'

type Store = Pick<Services, 'db' | 'cipher' | 'clock'>
type AuditedStore = Store & Audited

/** Sorted by latest update. */
export async function listCredentials(
  { db, cipher }: Store,
  tenant: Tenant,
  { credentialName = [] }: z.infer<typeof listCredentialsSchema>,
): Promise<ListedCredential[]> {
  const types = [credentialName].flat()
  const condition = types.length > 0 ? inArray(credentials.credentialName, types) : undefined
  const count = usageCount(db, tenant, { kind: 'credential', asset: credentials.id })
  const sorted = db
    .select({ ...getTableColumns(credentials), usageCount: count })
    .from(credentials)
    .where(scope(db, tenant).inWorkspace(credentials, condition))
    .orderBy(desc(credentials.updatedDate), desc(credentials.id))
  const [rows, [workspace]] = await db.batch([sorted, keyQuery(db, tenant)])
  const wrappedKey = requireKey(workspace)
  return Promise.all(
    rows.map(async ({ usageCount, ...row }) => {
      if (!findCredentialType(row.credentialName)?.oauth) return { ...toCredential(row), usageCount }
      // One that cannot be decrypted cannot be used either.
      const fields = await openCredential(row, wrappedKey, cipher).catch(() => ({ refused: 'unreadable' }))
      return { ...toCredential(row, fields as Fields), usageCount }
    }),
  )
}

export async function createCredential(
  { db, cipher, clock, audit }: AuditedStore,
  tenant: Tenant,
  { name, credentialName, plainDataObj, hosts: named }: z.infer<typeof createCredentialSchema>,
): Promise<Credential> {
  const definition = requireDefinition(credentialName)
  const fields = checkFields(definition, withoutEmpty(plainDataObj))
  const hosts = named === undefined ? standardHosts(definition) : named
  const [workspace] = await keyQuery(db, tenant)
  const now = clock.now().toISOString()
  const row = {
    id: crypto.randomUUID(),
    name,
    credentialName,
    encryptedData: await cipher.encrypt(requireKey(workspace), fields),
    hosts,
    createdDate: now,
    updatedDate: now,
  }
  await db.batch([
    scope(db, tenant).insert(credentials, row),
    audit({
      event: 'credential.create',
      target: { id: row.id, name },
      change: { credentialName: [null, credentialName], ...(hosts && { hosts: [null, hosts] }) },
    }),
  ])
  return toCredential({ ...unused, ...row, workspaceId: tenant.workspaceId }, fields)
}

const unused = { lastUsedDate: null, expiresDate: null, refreshLease: null }

export async function readCredential(store: Store, tenant: Tenant, id: string): Promise<CredentialWithFields> {
  const { row, fields } = await openStored(store, tenant, id)
  const definition = findCredentialType(row.credentialName)
  return {
    ...toCredential(row, fields),
    plainDataObj: maskFields(definition, withoutTokens(definition, fields)),
  }
}

/** Writes of others in between, such as refreshed tokens, are merged. */
const MAX_WRITES = 5

export async function updateCredential(
  store: AuditedStore,
  member: Member,
  { id, values }: { id: string; values: z.infer<typeof updateCredentialSchema> },
): Promise<Credential> {
  for (let written = 0; written < MAX_WRITES; written++) {
    const updated = await tryUpdate(store, member, { id, values })
    if (updated) return updated
  }
  throw new HeddleError('conflict', 'The credential was changed too often at once. Save it again.')
}

/** Returns undefined when somebody else has written in between. */
async function tryUpdate(
  store: AuditedStore,
  member: Member,
  { id, values }: { id: string; values: z.infer<typeof updateCredentialSchema> },
): Promise<Credential | undefined> {
  const { row, fields, wrappedKey } = await openStored(store, member, id)
  const { credentialName = row.credentialName, name = row.name, hosts = row.hosts, plainDataObj = {} } = values
  if (credentialName !== row.credentialName)
    throw new HeddleError(
      'bad_request',
      'credentialName: The type of a credential cannot be changed. Create a new credential instead',
      {
        field: 'credentialName',
      },
    )
  if (isWidened(row.hosts, hosts)) assertConfirmed(member, store.clock)
  const definition = requireDefinition(credentialName)
  const merged = mergeFields(definition, fields, plainDataObj)
  checkFields(definition, withoutTokens(definition, merged))
  const changed = {
    name,
    hosts,
    encryptedData: await store.cipher.encrypt(wrappedKey, merged),
    updatedDate: store.clock.now().toISOString(),
    ...(!merged.access_token && { expiresDate: null }),
  }
  const isAsRead = and(eq(credentials.id, id), eq(credentials.encryptedData, row.encryptedData))
  const rows = scope(store.db, member)
  const event = store.audit({
    event: 'credential.update',
    target: { id, name: credentials.name, of: credentials, where: rows.inWorkspace(credentials, isAsRead) },
    change: changeOf(credentials, { name, hosts }, values.plainDataObj ? ['plainDataObj'] : []),
  })
  const update = rows.update(credentials, isAsRead, changed).returning({ id: credentials.id })
  const [, updated] = await store.db.batch([event, update])
  return updated.length > 0 ? toCredential({ ...row, ...changed }, merged) : undefined
}

/** Whoever finds a browser open must not let secrets go anywhere else. */
function isWidened(before: string[] | null, after: string[] | null): boolean {
  return before !== null && (after === null || after.some((host) => !before.includes(host)))
}

export async function deleteCredential({ db, audit }: AuditedStore, tenant: Tenant, id: string) {
  const rows = scope(db, tenant)
  const isNamed = eq(credentials.id, id)
  const target = { id, name: credentials.name, of: credentials, where: rows.inWorkspace(credentials, isNamed) }
  const [, deleted] = await db.batch([
    audit({ event: 'credential.delete', target }),
    rows.delete(credentials, isNamed).returning({ id: credentials.id }),
  ])
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

/** Returns a credential with its secrets. Throws `not_found`, or `conflict` when the key does not fit. */
export async function openStored({ db, cipher }: Omit<Store, 'clock'>, tenant: Tenant, id: string) {
  const [[row], [workspace]] = await db.batch([
    scope(db, tenant).select(credentials, eq(credentials.id, id)),
    keyQuery(db, tenant),
  ])
  if (!row) throw notFound(id)
  const wrappedKey = requireKey(workspace)
  const fields = await openCredential(row as CredentialRow, wrappedKey, cipher).catch((error) => {
    throw new HeddleError('conflict', errorMessage(error))
  })
  return { row: row as CredentialRow, wrappedKey, fields: fields as Fields }
}

function keyQuery(db: Store['db'], { workspaceId }: Tenant) {
  return db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, workspaceId))
}

function requireKey(workspace: { wrappedKey: string } | undefined): string {
  if (!workspace) throw new HeddleError('not_found', 'Workspace not found')
  return workspace.wrappedKey
}

/** Lists the columns, so that encrypted data cannot slip into a response. */
function toCredential(row: CredentialRow, fields: Fields = {}): Credential {
  const { id, name, credentialName, hosts, createdDate, updatedDate, workspaceId, lastUsedDate } = row
  const isOAuth = findCredentialType(credentialName)?.oauth
  return {
    id,
    name,
    credentialName,
    hosts,
    createdDate,
    updatedDate,
    workspaceId,
    lastUsedDate,
    ...(isOAuth && { connection: connectionOf(fields) }),
  }
}

function notFound(id: string): HeddleError {
  return new HeddleError('not_found', `Credential ${id} not found`)
}
