/** The tools that a workspace added itself, read when a component asks for one. */
import { asc, eq } from 'drizzle-orm'
import { tools } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { OwnTool, OwnTools } from '../ports/types.ts'
import type { Services } from '../services.ts'

const MAX_LISTED = 1000

/** Each tool is read once, so a run uses one version of it. */
export function openOwnTools({ db }: Pick<Services, 'db'>, tenant: Tenant): OwnTools {
  const rows = scope(db, tenant)
  const kept = new Map<string, Promise<OwnTool | undefined>>()
  const read = async (id: string): Promise<OwnTool | undefined> => {
    const [row] = await rows.select(tools, eq(tools.id, id))
    return row
  }
  return {
    tool(id) {
      const reading = kept.get(id) ?? read(id)
      kept.set(id, reading)
      return reading
    },
    async listTools() {
      const list = await rows.select(tools).orderBy(asc(tools.name)).limit(MAX_LISTED)
      return list.map(({ id, name, description }) => ({ label: name, name: id, description }))
    },
  }
}
