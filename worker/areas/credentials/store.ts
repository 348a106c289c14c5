/** Credentials of one workspace. Fields are encrypted at rest; the API returns them masked, and only runs decrypt them. */
import { desc, eq, inArray } from 'drizzle-orm'
import type * as z from 'zod'
import type {
  Credential,
  CredentialWithFields,
  createCredentialSchema,
  listCredentialsSchema,
  updateCredentialSchema,
} from '#contract/credentials.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { credentials, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { openCredential } from '../../components/credentials.ts'
import type { Services } from '../../services.ts'
import { definitionOf, findDefinition } from './definitions.ts'
import { checkFields, type Fields, maskFields, mergeFields, withoutEmpty } from './fields.ts'

type Store = Pick<Services, 'db' | 'cipher' | 'clock'>

/** Sorted by latest update. */
export async function listCredentials(
  { db }: Store,
  tenant: Tenant,
  { credentialName = [] }: z.infer<typeof listCredentialsSchema>,
): Promise<Credential[]> {
  const types = [credentialName].flat()
  const condition = types.length > 0 ? inArray(credentials.credentialName, types) : undefined
  const rows = await scope(db, tenant)
    .select(credentials, condition)
    .orderBy(desc(credentials.updatedDate), desc(credentials.id))
  return rows.map(toCredential)
}

export async function createCredential(
  { db, cipher, clock }: Store,
  tenant: Tenant,
  { name, credentialName, plainDataObj }: z.infer<typeof createCredentialSchema>,
): Promise<Credential> {
  const fields = checkFields(definitionOf(credentialName), withoutEmpty(plainDataObj))
  const [workspace] = await keyQuery(db, tenant)
  const now = clock.now().toISOString()
  const row = {
    id: crypto.randomUUID(),
    name,
    credentialName,
    encryptedData: await cipher.encrypt(requireKey(workspace), fields),
    createdDate: now,
    updatedDate: now,
  }
  await scope(db, tenant).insert(credentials, row)
  return toCredential({ ...row, workspaceId: tenant.workspaceId })
}

export async function readCredential(store: Store, tenant: Tenant, id: string): Promise<CredentialWithFields> {
  const { row, fields } = await open(store, tenant, id)
  return { ...toCredential(row), plainDataObj: maskFields(findDefinition(row.credentialName), fields) }
}

export async function updateCredential(
  store: Store,
  tenant: Tenant,
  { id, values }: { id: string; values: z.infer<typeof updateCredentialSchema> },
): Promise<Credential> {
  const { row, fields, wrappedKey } = await open(store, tenant, id)
  const { credentialName = row.credentialName, name = row.name, plainDataObj = {} } = values
  if (credentialName !== row.credentialName)
    throw new HeddleError(
      'bad_request',
      'credentialName: The type of a credential cannot be changed. Create a new credential instead',
      {
        field: 'credentialName',
      },
    )
  const merged = checkFields(definitionOf(credentialName), mergeFields(fields, plainDataObj))
  const changed = {
    name,
    encryptedData: await store.cipher.encrypt(wrappedKey, merged),
    updatedDate: store.clock.now().toISOString(),
  }
  await scope(store.db, tenant).update(credentials, eq(credentials.id, id), changed)
  return toCredential({ ...row, ...changed })
}

export async function deleteCredential({ db }: Store, tenant: Tenant, id: string) {
  const deleted = await scope(db, tenant).delete(credentials, eq(credentials.id, id)).returning({ id: credentials.id })
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

async function open({ db, cipher }: Store, tenant: Tenant, id: string) {
  const [[row], [workspace]] = await db.batch([
    scope(db, tenant).select(credentials, eq(credentials.id, id)),
    keyQuery(db, tenant),
  ])
  if (!row) throw notFound(id)
  const wrappedKey = requireKey(workspace)
  const fields = await openCredential(row, wrappedKey, cipher).catch((error) => {
    throw new HeddleError('conflict', errorMessage(error))
  })
  return { row, wrappedKey, fields: fields as Fields }
}

function keyQuery(db: Store['db'], { workspaceId }: Tenant) {
  return db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, workspaceId))
}

function requireKey(workspace: { wrappedKey: string } | undefined): string {
  if (!workspace) throw new HeddleError('not_found', 'Workspace not found')
  return workspace.wrappedKey
}

/** Lists the fields, so that encrypted data cannot slip into a response. */
function toCredential({ id, name, credentialName, createdDate, updatedDate, workspaceId }: Credential): Credential {
  return { id, name, credentialName, createdDate, updatedDate, workspaceId }
}

function notFound(id: string): HeddleError {
  return new HeddleError('not_found', `Credential ${id} not found`)
}
