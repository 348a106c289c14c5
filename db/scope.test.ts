// @defends workspace-rows-id
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, getTableName, inArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from './client.ts'
import { type LibsqlServer, startLibsqlServer } from './local/server.ts'
import { migrateForTests } from './local/testing/migrate.ts'
import { prepareStatement, slot } from './prepared-statement.ts'
import * as schema from './schema/index.ts'
import { acrossOrganizations, acrossWorkspaces, organizationScope, ownerOfFlow, scope } from './scope.ts'
import { organizationTables, ownedTables } from './tenant-guard.ts'
import { refusingNetwork } from './testing/refusing-network.ts'
import { openUnscopedDatabase } from './testing/unscoped-database.ts'

const {
  chatflows,
  organizationMembers,
  organizations,
  roles,
  sessions,
  users,
  variables,
  workspaceMembers,
  workspaces,
} = schema
const DATE = '2026-01-01T00:00:00.000Z'
const stamp = { createdDate: DATE, updatedDate: DATE }

describe('two tenants on one database', () => {
  let folder: string
  let server: LibsqlServer
  let db: Database

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-scope-'))
    server = await startLibsqlServer({ file: join(folder, 'test.db') })
    db = openUnscopedDatabase(server.url, server.authToken)
    await migrateForTests(server)
    await db.insert(organizations).values({ id: 'o', name: 'O', createdDate: DATE })
    for (const id of ['a', 'b']) {
      await db.insert(workspaces).values({ id, organizationId: 'o', name: id, wrappedKey: 'k', createdDate: DATE })
    }
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    await db.delete(variables)
    await scope(db, { workspaceId: 'a' }).insert(variables, variable('a1'))
    await scope(db, { workspaceId: 'b' }).insert(variables, variable('b1'))
  })

  const variable = (id: string) => ({ id, name: id, value: 'v', type: 'static' as const, ...stamp })
  const a = () => scope(db, { workspaceId: 'a' })
  const ownerOf = async (id: string) => (await db.select().from(variables).where(eq(variables.id, id)))[0]?.workspaceId

  it('see and count only their own rows', async () => {
    expect((await a().select(variables)).map((row) => row.id)).toEqual(['a1'])
    expect(await a().select(variables, eq(variables.id, 'b1'))).toEqual([])
    expect(await a().count(variables)).toEqual([{ count: 1 }])
  })

  it('stay within their workspace with an OR condition', async () => {
    const either = or(eq(variables.id, 'a1'), eq(variables.id, 'b1'))
    expect((await a().select(variables, either)).map((row) => row.id)).toEqual(['a1'])
    await a().delete(variables, either)
    expect(await ownerOf('b1')).toBe('b')
  })

  it('update and delete only their own rows', async () => {
    await a().update(variables, undefined, { value: 'changed' })
    await a().delete(variables, eq(variables.id, 'b1'))
    expect(await db.select().from(variables).where(eq(variables.id, 'b1'))).toMatchObject([{ value: 'v' }])
    await a().delete(variables, undefined)
    expect(await ownerOf('a1')).toBeUndefined()
    expect(await ownerOf('b1')).toBe('b')
  })

  it('insert and update rows in their own workspace, whatever the values contain', async () => {
    const posted = { ...variable('a2'), workspaceId: 'b' }
    await a().insert(variables, posted)
    expect(await ownerOf('a2')).toBe('a')
    const moved = { value: 'x', workspaceId: 'b', id: 'a9' }
    await a().update(variables, eq(variables.id, 'a2'), moved)
    expect(await ownerOf('a2')).toBe('a')
  })

  it('a kept statement takes its workspace anew each time', async () => {
    const all = prepareStatement((kept) => scope(kept, { workspaceId: slot('workspaceId') }).select(variables))
    const guarded = openDatabase(server.url, server.authToken)
    const found = async (workspaceId: string) =>
      (await guarded.batch([all(guarded, { workspaceId })]))[0].map(({ id }) => id)
    expect([await found('a'), await found('b')]).toEqual([['a1'], ['b1']])
    expect(() => all(guarded, {})).toThrow('lacks its value "workspaceId"')
  })

  it('a kept statement without a workspace is refused when its text is made', () => {
    const all = prepareStatement((kept) =>
      kept
        .select()
        .from(variables)
        .where(eq(variables.id, slot('id'))),
    )
    const guarded = openDatabase(server.url, server.authToken)
    expect(() => all(guarded, { id: 'a1' })).toThrow('has no workspace')
  })

  it('a column that is named by a number hides no other column', async () => {
    const [row] = await db.select({ id: variables.id, none: sql`0` }).from(variables).where(eq(variables.id, 'a1'))
    expect(row).toEqual({ id: 'a1', none: 0 })
  })

  it('refuses a transaction over several round trips', async () => {
    const guarded = openDatabase(server.url, server.authToken)
    // @ts-expect-error: a batch or a unit of work does what it would
    await expect(guarded.transaction(async () => undefined)).rejects.toThrow('is not a function')
  })

  it('are found by the query itself for a public call that names a flow', async () => {
    await db
      .insert(chatflows)
      .values({ id: 'f', workspaceId: 'b', name: 'F', flowData: '{}', type: 'AGENTFLOW', ...stamp })
    expect((await scope(db, ownerOfFlow('f')).select(variables)).map((row) => row.id)).toEqual(['b1'])
    expect(await scope(db, ownerOfFlow('no such flow')).select(variables)).toEqual([])
  })
})

describe('two organizations on one database', () => {
  it('see, change and delete only their own rows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-scope-'))
    const server = await startLibsqlServer({ file: join(folder, 'test.db') })
    const db = openUnscopedDatabase(server.url, server.authToken)
    await migrateForTests(server)
    for (const id of ['o', 'p']) await db.insert(organizations).values({ id, name: id, createdDate: DATE })
    const role = (id: string) => ({ id, name: id, permissions: [], createdDate: DATE })
    const [o, p] = ['o', 'p'].map((organizationId) => organizationScope(db, { organizationId }))
    await o?.insert(roles, role('r'))
    await p?.insert(roles, { ...role('s'), organizationId: 'o' } as never)
    expect((await o?.select(roles))?.map(({ id }) => id)).toEqual(['r'])
    await o?.update(roles, undefined, { name: 'changed', organizationId: 'p' } as never)
    await o?.delete(roles, eq(roles.id, 's'))
    expect(await p?.select(roles)).toMatchObject([{ id: 's', name: 's' }])
    expect(await o?.select(roles)).toMatchObject([{ id: 'r', name: 'changed' }])
    await server.close()
    rmSync(folder, { recursive: true })
  })
})

describe('the database', () => {
  const tenant = { workspaceId: 'a' }
  const db = openDatabase('http://database.test', undefined, refusingNetwork)
  const variable = { id: 'v1', name: 'v', value: 'v', type: 'static' as const, ...stamp }
  const isVariable = eq(variables.id, 'v1')
  const ofChatflows = db.select({ id: chatflows.id }).from(chatflows)

  it.each<[string, (handle: Database) => { getSQL(): SQL } | { getQuery(): unknown } | { toSQL(): unknown }]>([
    ['a select', (handle) => handle.select().from(variables).where(isVariable)],
    ['a select of chosen columns', (handle) => handle.select({ id: variables.id }).from(variables)],
    ['an update', (handle) => handle.update(variables).set({ value: 'x' }).where(isVariable)],
    ['a delete', (handle) => handle.delete(variables).where(isVariable)],
    ['an insert', (handle) => handle.insert(variables).values({ ...variable, workspaceId: 'a' })],
    ['a join', (handle) => handle.select().from(users).innerJoin(chatflows, eq(chatflows.id, users.id))],
    ['a table under an alias', (handle) => handle.select().from(alias(variables, 'v'))],
    ['a subquery in a condition', (handle) => handle.delete(sessions).where(inArray(sessions.id, ofChatflows))],
    ['a subquery to select from', (handle) => handle.select().from(handle.select().from(variables).as('v'))],
    ['a relational query', (handle) => handle.query.variables.findMany()],
    ['raw SQL with the table', (handle) => handle.run(sql`delete from ${variables}`)],
    ['raw SQL with the name', (handle) => handle.all(sql`select * from users, Variables`)],
    ['raw SQL with a quoted name', (handle) => handle.run(sql.raw('delete from "variables"'))],
    ['raw SQL as a text', (handle) => handle.get('select * from variables')],
    ['raw SQL with an identifier', (handle) => handle.run(sql`delete from ${sql.identifier('variables')}`)],
    ['a condition on the column alone', (handle) => handle.delete(variables).where(eq(variables.workspaceId, 'a'))],
  ])('refuses %s without a workspace', async (_name, statement) => {
    await expect(db.batch([statement(db) as never])).rejects.toThrow('has no workspace')
    const unscoped = statement(acrossWorkspaces(db, 'a test')) as never
    await expect(db.batch([unscoped])).rejects.not.toThrow('has no workspace')
  })

  it.each([
    ['select', scope(db, tenant).select(variables)],
    ['count', scope(db, tenant).count(variables)],
    ['insert', scope(db, tenant).insert(variables, { ...variable })],
    ['insertAll', scope(db, tenant).insertAll(variables, [variable])],
    ['update', scope(db, tenant).update(variables, isVariable, { value: 'x' })],
    ['delete', scope(db, tenant).delete(variables, isVariable)],
    ['inWorkspace', db.select().from(variables).where(scope(db, tenant).inWorkspace(variables))],
    ['raw inWorkspace', db.run(sql`delete from variables where ${scope(db, tenant).inWorkspace(variables)}`)],
  ])('accepts a statement with the workspace of scope: %s', async (_name, statement) => {
    await expect(db.batch([statement as never])).rejects.not.toThrow('has no workspace')
  })

  it('accepts statements on tables that belong to no workspace', async () => {
    await expect(db.batch([db.select().from(users)])).rejects.not.toThrow('has no workspace')
  })

  it('guards every table with a workspace', () => {
    expect(ownedTables.map(getTableName).sort()).toEqual([
      'apikeys',
      'asset_usages',
      'assistants',
      'chat_message_feedback',
      'chat_messages',
      'chatflows',
      'credentials',
      'custom_templates',
      'document_chunks',
      'document_jobs',
      'document_loaders',
      'document_shelves',
      'document_sources',
      'document_stores',
      'executions',
      'files',
      'flow_sources',
      'flow_versions',
      'leads',
      'mcp_servers',
      'oauth_requests',
      'request_failures',
      'retired_ids',
      'tools',
      'trigger_deliveries',
      'triggers',
      'unindexed_flows',
      'upsert_history',
      'upsert_jobs',
      'upsert_records',
      'variables',
      'workspace_imports',
    ])
  })

  it('needs a reason to reach across workspaces and organizations', () => {
    expect(() => acrossWorkspaces(db, ' ')).toThrow('reason')
    expect(() => acrossOrganizations(db, ' ')).toThrow('reason')
  })

  const isRole = eq(roles.id, 'r')
  it.each<[string, (handle: Database) => { getSQL(): SQL }]>([
    ['a select', (handle) => handle.select().from(roles).where(isRole)],
    ['an update', (handle) => handle.update(roles).set({ name: 'x' }).where(isRole)],
    ['a delete', (handle) => handle.delete(organizationMembers)],
    [
      'a join',
      (handle) => handle.select().from(users).innerJoin(workspaceMembers, eq(workspaceMembers.userId, users.id)),
    ],
    ['a condition on the column alone', (handle) => handle.delete(roles).where(eq(roles.organizationId, 'o'))],
    [
      'a condition of a workspace',
      (handle) =>
        handle.select().from(variables).innerJoin(roles, isRole).where(scope(handle, tenant).inWorkspace(variables)),
    ],
  ])('refuses %s without an organization', async (_name, statement) => {
    await expect(db.batch([statement(db) as never])).rejects.toThrow('has no organization')
    const unscoped = statement(acrossOrganizations(db, 'a test')) as never
    await expect(db.batch([unscoped])).rejects.not.toThrow('has no organization')
  })

  it.each([
    ['select', organizationScope(db, { organizationId: 'o' }).select(roles)],
    [
      'insert',
      organizationScope(db, { organizationId: 'o' }).insert(roles, {
        id: 'r',
        name: 'R',
        permissions: [],
        createdDate: DATE,
      }),
    ],
    ['update', organizationScope(db, { organizationId: 'o' }).update(roles, isRole, { name: 'x' })],
    ['delete', organizationScope(db, { organizationId: 'o' }).delete(roles, isRole)],
  ])('accepts a statement with the organization of its scope: %s', async (_name, statement) => {
    await expect(db.batch([statement as never])).rejects.not.toThrow('has no organization')
  })

  it('guards every table of organizations', () => {
    expect(organizationTables.map(getTableName).sort()).toEqual([
      'audit_events',
      'identity_providers',
      'invitations',
      'login_activity',
      'organization_domains',
      'organization_members',
      'roles',
      'scim_group_members',
      'scim_groups',
      'scim_tokens',
      'workspace_members',
    ])
  })
})

/** Every use of `acrossWorkspaces` in the product. Add one only after considering what it reaches. */
const ACROSS_WORKSPACES: Record<string, string[]> = {
  'areas/chatflows/callers.ts': ['a public call names a flow by id, and its row says who may call it'],
  'areas/chatflows/public.ts': ['a public call names a flow by id and gets what the flow makes public'],
  'areas/chatmessages/store.ts': ['a public call names a flow and a chat, and stops their runs'],
  'areas/document-stores/sent-files.ts': ['the minute job deletes abandoned files of every workspace'],
  'areas/files/store.ts': ['the minute job deletes expired files of every workspace'],
  'areas/executions/question-emails.ts': ['the minute job announces the questions of every workspace'],
  'areas/executions/retention.ts': ['the minute job deletes what each workspace no longer keeps'],
  'areas/executions/store.ts': ['anybody with the link may read a shared run'],
  'areas/export-import/document-stores/read-stores.ts': ['an id is free only when no workspace uses it'],
  'areas/export-import/import.ts': [
    'an id is free only when no workspace uses it',
    'an id is free only when no workspace uses it',
  ],
  'areas/export-import/large/fit-items.ts': ['an id is free only when no workspace uses it'],
  'areas/export-import/large/move-rows.ts': ['an id is free only when no workspace uses it'],
  'areas/export-import/large/import-rows.ts': ['the minute job continues and deletes imports of every workspace'],
  'areas/document-stores/jobs/control/schedule.ts': ['the minute job refreshes due stores of every workspace'],
  'areas/document-stores/jobs/control/start-jobs.ts': ['the minute job starts waiting jobs of every workspace'],
  'areas/feedback/store.ts': ['a caller names feedback by its id, which only its author knows'],
  'areas/logs/store.ts': ['the minute job deletes old failures of every workspace'],
  'areas/triggers/claim-due.ts': ['the minute job claims what is due in every workspace'],
  'areas/triggers/dispatch.ts': ['the minute job dispatches queued deliveries of every workspace'],
  'areas/triggers/recover-deliveries.ts': [
    'the minute job finds lost deliveries of every workspace',
    'the minute job requeues deliveries of every workspace that never began',
  ],
  'areas/triggers/retention.ts': ['the minute job deletes expired deliveries of every workspace'],
  'areas/triggers/webhook/delivery-status.ts': ['anybody with both ids may ask for a delivery at its public address'],
  'areas/triggers/webhook/find-webhook.ts': [
    'a request names a webhook by its address, and the row names the workspace',
  ],
  'areas/upserts/upsert-jobs.ts': ['the minute job continues upserts of every workspace'],
  'areas/workspaces/purge.ts': ['the minute job removes the rows of a workspace that nobody restored'],
  'areas/usages/index-flows.ts': ['the minute job indexes flows of every workspace'],
  'areas/users/store.ts': ['a person made API keys in several workspaces of one organization'],
  'http/session/identity.ts': ['an API key is found by its hash and names its workspace'],
  'runs/recovery/cancellations.ts': ['an isolate asks for the runs that it holds'],
  'runs/recovery/lease.ts': ['a worker renews the lease of the run that it holds'],
  'runs/recovery/renewals.ts': ['an isolate renews the leases that it holds'],
  'runs/recovery/orphans.ts': [
    'the minute job finds lost runs of every workspace',
    'a lost run is claimed by its id and names its workspace',
  ],
  'runs/resume.ts': ['anybody with the link of a shared run may answer it'],
  'oauth/requests.ts': ['a state is random, and its row names the workspace, the user and the session'],
  'runs/context/run-context-queries.ts': [
    'a prediction names its flow by id, and the row names the workspace',
    'an API key is found by its hash and names its workspace',
  ],
}

/** Every use of `acrossOrganizations` in the product. */
const ACROSS_ORGANIZATIONS: Record<string, string[]> = {
  'areas/audit-log/purge.ts': ['the minute job deletes old events of every organization'],
  'areas/login-activity/record.ts': ['a sign-in is kept for every organization of the account'],
  'areas/login-activity/store.ts': [
    'the platform admin sees attempts on no account besides their organization’s',
    'the minute job deletes old sign-ins of every organization',
  ],
  'areas/account/register.ts': ['an organization is made together with its first member'],
  'areas/auth/session-user.ts': ['a session names its user, who may belong to several organizations'],
  'areas/executions/question-emails.ts': ['a workspace names its organization, whose members are told'],
  'areas/nodes/load-methods.ts': ['a workspace names its organization'],
  'areas/users/member-changes.ts': ['whether a person is a member of any other organization'],
  'areas/sso/arrival.ts': ['somebody who signs in is known by identity or address, in whatever organization'],
  'areas/sso/domains.ts': ['a domain is proven for one organization'],
  'areas/sso/enter.ts': [
    'an invitation is accepted together with what it gives',
    'the provider’s organization has the workspaces',
  ],
  'areas/sso/entry-statements.ts': ['the provider’s settings name places of its organization'],
  'areas/sso/identities.ts': ['the platform’s identity providers are for everybody'],
  'areas/sso/may-give.ts': ['a member’s roles are in the workspaces of their organization'],
  'areas/auth/sign-in-methods.ts': [
    'the platform’s identity providers are for everybody',
    'admins of the organization that owns the domain are spared',
    'admins of the organization that owns the domain are spared',
    'an address says whose domain it is of',
    'an address says whose domain it is of',
  ],
  'areas/sso/records.ts': [
    'the platform’s identity providers belong to no organization',
    'a sign-in names its provider by id, before anybody is known',
  ],
  'http/session/directory-token.ts': ['a directory’s token is found by its hash and names its organization'],
  'areas/workspaces/leave.ts': ['a person may go on in a workspace of another organization'],
  'areas/workspaces/purge.ts': ['the people of a workspace go with it'],
  'areas/workspaces/store.ts': ['a new workspace has its maker as its only member'],
  'areas/workspaces/switch.ts': ['a person may switch to a workspace of another organization'],
  'areas/triggers/alert-email.ts': ['an alert goes to the people of the trigger’s workspace'],
  'areas/auth/confirm.ts': ['a session names the provider that opened it'],
  'areas/invitations/accept.ts': [
    'the token of an invitation names its organization',
    'the token of an invitation names its organization',
    'a session names the provider that opened it',
  ],
  'areas/invitations/for-address.ts': ['an invitation is found by the address that it is for'],
  'areas/users/change-organization.ts': ['an event is written together with its change'],
  'http/audit.ts': ['an event belongs to the organization of its actor'],
  'http/session/identity.ts': ['a session names its user and workspace, and so the organization'],
  'http/session/managed-account.ts': ['an account is its person’s in every organization'],
}

it.each([
  ['acrossWorkspaces', ACROSS_WORKSPACES],
  ['acrossOrganizations', ACROSS_ORGANIZATIONS],
])('lists every statement of the worker that reaches across: %s', (name, listed) => {
  const root = join(import.meta.dirname, '../worker')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!test)\.ts$/.test(file) && !/(^|\/)(testing|local)\//.test(file),
  )
  const reasonsIn = (file: string) => {
    const calls = readFileSync(join(root, file), 'utf8').matchAll(
      new RegExp(`${name}\\(\\s*[\\w.]+,\\s*(?:'([^']*)')?`, 'g'),
    )
    return [...calls].map(([, reason]) => reason ?? 'not a literal')
  }
  const found = files.map((file) => [file.replaceAll('\\', '/'), reasonsIn(file)] as const)
  expect(Object.fromEntries(found.filter(([, reasons]) => reasons.length > 0))).toEqual(listed)
})
