/** Domains that an organization claims, proven by a TXT record that is read with DNS over HTTPS. */
import { and, asc, eq, isNotNull, ne, notExists } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from 'hono'
import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { type ListedDomain, recordNameOf } from '#contract/organization/sso.ts'
import { organizationDomains } from '#db/schema/index.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import { auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { randomToken } from '../../http/session/secrets.ts'
import type { Egress } from '../../ports/types.ts'

type DomainRow = typeof organizationDomains.$inferSelect

const MAX_DOMAINS = 100
const TXT = 16

export async function listDomains(c: Context<AppEnv>, { organizationId }: UserActor): Promise<ListedDomain[]> {
  const { db } = c.get('services')
  const rows = await db
    .select()
    .from(organizationDomains)
    .where(organizationScope(db, { organizationId }).inOrganization(organizationDomains))
    .orderBy(asc(organizationDomains.domain))
  return rows.map(listed)
}

export async function createDomain(c: Context<AppEnv>, actor: UserActor, domain: string): Promise<ListedDomain> {
  const { db, clock } = c.get('services')
  const { organizationId } = actor
  if ((await listDomains(c, actor)).length >= MAX_DOMAINS) {
    throw new HeddleError('conflict', `An organization can have ${MAX_DOMAINS} domains. Delete one that is not used.`)
  }
  const row: DomainRow = {
    id: crypto.randomUUID(),
    organizationId,
    domain,
    proof: `heddle-domain=${randomToken()}`,
    provenDate: null,
    createdDate: clock.now().toISOString(),
  }
  try {
    await db.batch([
      organizationScope(db, { organizationId }).insert(organizationDomains, row),
      auditEvent(c, actor, { event: 'domain.create', target: { id: row.id, name: domain }, ofOrganization: true }),
    ])
  } catch (error) {
    if (isUniqueViolation(error, organizationDomains.domain))
      throw new HeddleError('conflict', `${domain} is already in the list`)
    throw error
  }
  return listed(row)
}

/** A domain is proven for one organization: whoever shows the record first. */
export async function proveDomain(c: Context<AppEnv>, actor: UserActor, id: string): Promise<ListedDomain> {
  const services = c.get('services')
  const { db, clock } = services
  const row = await ownedDomain(c, actor, id)
  const found = await readTxt(services.openOutside().egress, services.config.dnsUrl, recordNameOf(row.domain))
  if (!found.includes(row.proof)) {
    const name = recordNameOf(row.domain)
    const message = `The TXT record ${name} does not say ${row.proof} yet. New records can take an hour to show.`
    throw new HeddleError('conflict', message)
  }
  const provenDate = clock.now().toISOString()
  const other = alias(organizationDomains, 'other')
  const ofOthers = acrossOrganizations(db, 'a domain is proven for one organization')
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.domain, row.domain), ne(other.organizationId, row.organizationId), isNotNull(other.provenDate)))
  const rows = organizationScope(db, actor)
  const isFree = and(eq(organizationDomains.id, id), notExists(ofOthers))
  const target = {
    ...{ id, name: organizationDomains.domain, of: organizationDomains },
    where: rows.inOrganization(organizationDomains, isFree),
  }
  const [, proven] = await db.batch([
    auditEvent(c, actor, { event: 'domain.prove', target, ofOrganization: true }),
    rows.update(organizationDomains, isFree, { provenDate }).returning({ id: organizationDomains.id }),
  ])
  if (proven.length > 0) return listed({ ...row, provenDate })
  throw new HeddleError('conflict', `${row.domain} is proven for another organization. Ask there to delete it first.`)
}

export async function deleteDomain(c: Context<AppEnv>, actor: UserActor, id: string): Promise<void> {
  const { db } = c.get('services')
  const row = await ownedDomain(c, actor, id)
  await db.batch([
    organizationScope(db, actor).delete(organizationDomains, eq(organizationDomains.id, id)),
    auditEvent(c, actor, { event: 'domain.delete', target: { id, name: row.domain }, ofOrganization: true }),
  ])
}

async function ownedDomain(c: Context<AppEnv>, actor: UserActor, id: string): Promise<DomainRow> {
  const { db } = c.get('services')
  const [row] = await db
    .select()
    .from(organizationDomains)
    .where(organizationScope(db, actor).inOrganization(organizationDomains, eq(organizationDomains.id, id)))
  if (!row) throw new HeddleError('not_found', `Domain ${id} not found`)
  return row
}

const listed = ({ organizationId: _, ...row }: DomainRow): ListedDomain => ({
  ...row,
  recordName: recordNameOf(row.domain),
})

const answerSchema = z.object({
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).optional(),
})

/** Returns the texts of a name's TXT records, by the JSON form that Cloudflare and Google answer. */
async function readTxt(egress: Egress, resolver: string, name: string): Promise<string[]> {
  const url = new URL(resolver)
  url.searchParams.set('name', name)
  url.searchParams.set('type', 'TXT')
  const headers = { accept: 'application/dns-json' }
  try {
    const response = await egress.fetch(url, { headers }, { timeoutMs: 10_000, maxBytes: 100_000 })
    if (!response.ok) throw new Error(`the DNS server responded with ${response.status}`)
    const { Answer = [] } = answerSchema.parse(await response.json())
    return Answer.filter(({ type }) => type === TXT).map(({ data }) => textOf(data))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new HeddleError('conflict', `The record could not be read, so try again: ${reason.slice(0, 200)}`)
  }
}

/** Long records come in quoted pieces: `"one" "two"`. */
function textOf(data: string): string {
  if (!data.startsWith('"')) return data
  return data
    .split('"')
    .filter((_, at) => at % 2 === 1)
    .join('')
}
