/** What PATCH, PUT and POST requests make of a user or a group. Pure. */
import { emailSchema } from '../account/account.ts'
import { badScim } from './errors.ts'
import { type Path, parsePath } from './filter.ts'
import { MAX_NAMED_MEMBERS, type ScimOperation } from './resources.ts'

const OPS = ['add', 'replace', 'remove'] as const

export interface Assignment {
  op: (typeof OPS)[number]
  path: Path
  value: unknown
}

/** Returns operations as changes of one attribute each: one without a path lists several. */
export function toAssignments(operations: readonly ScimOperation[]): Assignment[] {
  return operations.flatMap(({ op: name, path, value }) => {
    const op = OPS.find((each) => each === name.toLowerCase())
    if (!op) throw badScim('invalidSyntax', `op: Use add, replace or remove, not ${name}`)
    if (path) return [{ op, path: parsePath(path), value }]
    if (op === 'remove') throw badScim('invalidPath', 'path: Say what to remove')
    return readAttributes(value).map(([attribute, each]) => ({ op, path: parsePath(attribute), value: each }))
  })
}

/** Returns a whole resource as changes. */
export const assignmentsOfResource = (resource: object): Assignment[] =>
  toAssignments([{ op: 'replace', value: resource }])

function readAttributes(value: unknown): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value)
  throw badScim('invalidValue', 'value: Send an object of attributes, or name a path')
}

export interface UserState {
  /** The address, in lower case. */
  userName: string
  name: string
  externalId: string | null
  active: boolean
}

interface Names {
  displayname?: string
  formatted?: string
  givenname?: string
  familyname?: string
}

/** A person has one name here; directories also send its parts. */
export function partsOfName(name: string): { formatted: string; givenName: string; familyName: string } {
  const at = name.lastIndexOf(' ')
  return { formatted: name, givenName: at < 0 ? name : name.slice(0, at), familyName: at < 0 ? '' : name.slice(at + 1) }
}

/** Throws `invalidValue` that names the attribute. What Heddle does not keep is ignored. */
export function changeUser(before: UserState, assignments: readonly Assignment[]): UserState {
  const after = { ...before }
  const names: Names = {}
  for (const { op, path, value } of assignments) {
    const given = op === 'remove' ? null : value
    switch (path.attribute) {
      case 'username':
        after.userName = readAddress(given)
        break
      case 'externalid':
        after.externalId = readText('externalId', given) || null
        break
      case 'active':
        if (given !== null) after.active = readFlag(given)
        break
      case 'displayname':
        names.displayname = readText('displayName', given)
        break
      case 'name':
        Object.assign(names, path.sub === undefined ? namesOf(given) : { [path.sub]: readText('name', given) })
    }
  }
  return { ...after, name: nameOf(before.name, names) || after.userName.slice(0, after.userName.indexOf('@')) }
}

function namesOf(given: unknown): Names {
  if (given === null) return {}
  return Object.fromEntries(readAttributes(given).map(([name, value]) => [name.toLowerCase(), readText('name', value)]))
}

function nameOf(before: string, { displayname, formatted, givenname, familyname }: Names): string {
  if (displayname || formatted) return (displayname || formatted) as string
  if (givenname === undefined && familyname === undefined) return before
  const parts = partsOfName(before)
  return `${givenname ?? parts.givenName} ${familyname ?? parts.familyName}`.trim()
}

const MAX_TEXT = 200

function readText(attribute: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') throw badScim('invalidValue', `${attribute}: Send a text`)
  if (value.length > MAX_TEXT) throw badScim('invalidValue', `${attribute}: This has more than ${MAX_TEXT} characters`)
  return value.trim()
}

function readAddress(value: unknown): string {
  const { success, data } = emailSchema.safeParse(value)
  if (success) return data
  throw badScim('invalidValue', 'userName: Send the person’s e-mail address. Change the attribute mapping if need be.')
}

/** Microsoft Entra ID sends texts: "False". */
function readFlag(value: unknown): boolean {
  const text = String(value).toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  throw badScim('invalidValue', 'active: Send true or false')
}

export interface GroupState {
  displayName: string
  externalId: string | null
  /** Ids of users. */
  members: ReadonlySet<string>
}

/** Throws `invalidValue` that names the attribute. Members are not looked up. */
export function changeGroup(before: GroupState, assignments: readonly Assignment[]): GroupState {
  const after = { ...before, members: new Set(before.members) }
  let named = 0
  for (const { op, path, value } of assignments) {
    if (path.attribute === 'displayname') after.displayName = readText('displayName', op === 'remove' ? null : value)
    if (path.attribute === 'externalid')
      after.externalId = readText('externalId', op === 'remove' ? null : value) || null
    if (path.attribute !== 'members') continue
    const ids = path.where.length > 0 ? idsOfPath(path) : idsOf(value)
    named += ids.length
    changeMembers(after.members, op, { ids, isAll: path.where.length === 0 && (value === undefined || value === null) })
  }
  if (named > MAX_NAMED_MEMBERS) {
    throw badScim('tooMany', `members: Send at most ${MAX_NAMED_MEMBERS} in one request`)
  }
  if (after.displayName === '') throw badScim('invalidValue', 'displayName: This is required')
  return after
}

function changeMembers(
  members: Set<string>,
  op: Assignment['op'],
  { ids, isAll }: { ids: string[]; isAll: boolean },
): void {
  if (op === 'replace' || (op === 'remove' && isAll)) members.clear()
  for (const id of ids) {
    if (op === 'remove') members.delete(id)
    else members.add(id)
  }
}

/** Returns the ids of `members[value eq "…"]`. */
function idsOfPath({ where }: Path): string[] {
  if (where.some(({ attribute }) => attribute !== 'value')) {
    throw badScim('invalidPath', 'path: Members are found by their value')
  }
  return where.map(({ value }) => readId(value))
}

/** Returns the ids of `[{ "value": "…" }]`; one alone may stand without the list. */
function idsOf(value: unknown): string[] {
  if (value === null || value === undefined) return []
  return [value].flat().map((each) => readId((each as { value?: unknown } | null)?.value))
}

function readId(id: unknown): string {
  if (typeof id === 'string' && id !== '' && id.length <= 100) return id
  throw badScim('invalidValue', 'members: Send the id of each user as its value')
}
