/** The source files of flows in a file. */
import type { SQL } from 'drizzle-orm'
import type { SourceFile } from '#contract/flow/sources.ts'
import type { Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { draftSources, readSources, type StoredSource } from '../chatflows/index.ts'
import { storeSources } from '../files/index.ts'
import type { PlannedFlow } from './planned.ts'

interface ExportedSources {
  sources: SourceFile[]
  /** The names of those whose bytes are lost. */
  lost: string[]
}

/** Reads the source files of flows, by flow. @param flowIds a subquery */
export async function exportedSources(
  { db, fileStorage }: Pick<Services, 'db' | 'fileStorage'>,
  tenant: Tenant,
  flowIds: SQL,
): Promise<Map<string, ExportedSources>> {
  const found = new Map<string, ExportedSources>()
  for (const { flowId, name, data } of await readSources(fileStorage, await draftSources(db, tenant, flowIds))) {
    const { sources, lost } = found.get(flowId) ?? { sources: [], lost: [] }
    found.set(
      flowId,
      data === null ? { sources, lost: [...lost, name] } : { sources: [...sources, { name, data }], lost },
    )
  }
  return found
}

/** Stores the source files of an import, for the statements that follow. Throws `too_large` past the quota. */
export async function storePlannedSources(
  services: Pick<Services, 'db' | 'clock' | 'fileStorage'>,
  tenant: Tenant,
  flows: readonly PlannedFlow[],
): Promise<Map<string, StoredSource[]>> {
  const stored = await storeSources(
    services,
    tenant,
    flows.flatMap(({ sources }) => sources),
  )
  const left = [...stored]
  return new Map(flows.map(({ id, sources }) => [id, left.splice(0, sources.length)]))
}
