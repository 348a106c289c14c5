/** Turns an upsert in Flowise's shape into a loader and the job that reads and embeds it. */
import { and, eq } from 'drizzle-orm'
import { storedFiles } from '#contract/document-stores/file-inputs.ts'
import { MAX_FILE_BYTES } from '#contract/document-stores/limits.ts'
import type { Upsert } from '#contract/document-stores/upsert.ts'
import { HeddleError } from '#contract/errors.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { documentLoaders } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'
import { findDefinition } from '../../components.ts'
import { loaderNotFound, saveLoader } from '../../loaders.ts'
import { storeSentFile } from '../../sent-files.ts'
import type { StoreViewer } from '../../store-statements.ts'
import { createStore } from '../../stores.ts'
import { parseConfig } from '../job-context.ts'
import type { LoaderRow } from '../rows/job-rows.ts'
import { saveComponentConfig } from './save-component-config.ts'
import { startJob } from './start-jobs.ts'

interface UpsertCall {
  storeId: string
  upsert: Upsert
  files: File[]
}

/** Returns the id of the job. Throws `bad_request` that names the field, `too_large` and `not_found`. */
export async function acceptUpsert(
  services: Services,
  tenant: Tenant,
  { storeId: given, upsert, files }: UpsertCall,
): Promise<string> {
  // Nothing of the store's users is answered.
  const viewer: StoreViewer = { tenant, types: [], assistants: false }
  const base = await readBase(services, tenant, { storeId: given, docId: upsert.docId })
  const storeId = upsert.createNewDocStore ? await newStore(services, viewer, upsert) : given
  await saveComponentConfig(services, tenant, { storeId, ...upsert })
  const changes = files.length > 0 || upsert.loader || upsert.splitter || upsert.loaderName
  const docId =
    base && !changes && storeId === given
      ? base.id
      : await saveChanged({ services, viewer, storeId, base }, upsert, files)
  const request = { all: true, agreed: true, ...(upsert.metadata && { metadata: upsert.metadata }) }
  return startJob(services, tenant, { storeId, docId, kind: 'refresh', request })
}

async function readBase(
  { db }: Services,
  tenant: Tenant,
  { storeId, docId }: { storeId: string; docId?: string | undefined },
) {
  if (docId === undefined) return undefined
  const isLoader = and(eq(documentLoaders.id, docId), eq(documentLoaders.storeId, storeId))
  const [row] = await scope(db, tenant).select(documentLoaders, isLoader)
  if (!row) throw loaderNotFound(docId)
  return row as LoaderRow
}

async function newStore(services: Services, viewer: StoreViewer, { docStore }: Upsert): Promise<string> {
  if (!docStore) throw refusal('docStore', 'Send the name of the new store')
  return (await createStore(services, viewer, docStore)).id
}

interface Saving {
  services: Services
  viewer: StoreViewer
  storeId: string
  base: LoaderRow | undefined
}

/** Saves a loader with what the call changes of its base. Returns its id. */
async function saveChanged(
  { services, viewer, storeId, base }: Saving,
  upsert: Upsert,
  files: File[],
): Promise<string> {
  const loaderId = upsert.loader?.name ?? base?.loaderId ?? (files.length > 0 ? 'fileLoader' : undefined)
  if (!loaderId) throw refusal('loader', 'Send files, the name of a loader, or the docId of one')
  const sameLoader = base?.loaderId === loaderId ? parseConfig(base.loaderConfig) : {}
  const config = { ...sameLoader, ...upsert.loader?.config }
  const input = findDefinition('loaders', loaderId)?.inputs.find(({ type }) => type === 'file')
  if (files.length > 0) {
    if (!input) throw refusal('files', `The loader "${loaderId}" reads no files`)
    config[input.name] = storedFiles(await sendFiles(services, viewer.tenant, { storeId, files }))
  }
  const splitterId = upsert.splitter?.name ?? base?.splitterId ?? 'recursiveCharacterTextSplitter'
  const sameSplitter = base?.splitterId === splitterId ? parseConfig(base.splitterConfig) : {}
  const credential = config[CREDENTIAL_ID]
  const saved = await saveLoader(services, viewer, {
    ...{ storeId, loaderId, loaderConfig: config, splitterId },
    ...(base && upsert.replaceExisting && { id: base.id }),
    ...(upsert.loaderName && { loaderName: upsert.loaderName }),
    splitterConfig: { ...sameSplitter, ...upsert.splitter?.config },
    ...(typeof credential === 'string' && credential !== '' && { credential }),
  })
  return saved.id
}

async function sendFiles(services: Services, tenant: Tenant, { storeId, files }: { storeId: string; files: File[] }) {
  const names: string[] = []
  for (const file of files) {
    if (file.size > MAX_FILE_BYTES) throw new HeddleError('too_large', `files: "${file.name}" is larger than 50 MB`)
    const bytes = new Uint8Array(await file.arrayBuffer())
    names.push((await storeSentFile(services, tenant, { storeId, name: file.name, bytes, field: 'files' })).name)
  }
  return names
}

const refusal = (field: string, message: string) => new HeddleError('bad_request', `${field}: ${message}`, { field })
