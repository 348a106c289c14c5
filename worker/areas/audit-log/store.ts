/** The audit log of one organization. */
import { and, eq, getTableColumns, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { AuditFilters, AuditPage, AuditRecord, ExportAudit, ListAudit } from '#contract/organization/records.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { auditEvents } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import { isBefore, isWithin, newestFirst, type PageAsked, pageOf, sendRecords } from '../../http/record-pages.ts'

interface Organization {
  organizationId: string
}

export async function listAudit(db: Database, organization: Organization, asked: ListAudit): Promise<AuditPage> {
  return pageOf(await readAudit(db, organization, { ...asked, limit: asked.limit + 1 }), asked)
}

export function exportAudit(db: Database, organization: Organization, { format, ...filters }: ExportAudit): Response {
  return sendRecords<AuditRecord>({
    name: 'audit-log',
    format,
    columns: {
      Time: (row) => row.createdDate,
      Actor: (row) => row.actorName,
      'Actor kind': (row) => row.actorKind,
      'Actor ID': (row) => row.actorId,
      Event: (row) => row.event,
      Target: (row) => row.targetName,
      'Target ID': (row) => row.targetId,
      Change: (row) => (row.change ? JSON.stringify(row.change) : ''),
      Workspace: (row) => row.workspaceId,
      Address: (row) => row.address,
      Request: (row) => row.requestId,
    },
    read: (page) => readAudit(db, organization, { ...filters, ...page }),
  })
}

const { organizationId: _, ...columns } = getTableColumns(auditEvents)

function readAudit(db: Database, organization: Organization, asked: AuditFilters & PageAsked): Promise<AuditRecord[]> {
  const condition = and(
    asked.event ? eq(auditEvents.event, asked.event) : undefined,
    isNamed(auditEvents.actorId, auditEvents.actorName, asked.actor),
    isNamed(auditEvents.targetId, auditEvents.targetName, asked.target),
    isWithin(auditEvents, asked),
    isBefore(auditEvents, asked.before),
  )
  return db
    .select(columns)
    .from(auditEvents)
    .where(organizationScope(db, organization).inOrganization(auditEvents, condition))
    .orderBy(...newestFirst(auditEvents))
    .limit(asked.limit)
}

const isNamed = (id: SQLiteColumn, name: SQLiteColumn, text: string | undefined): SQL | undefined =>
  text === undefined ? undefined : or(eq(id, text), contains(name, text))
