import { expect, it } from 'vitest'
import type { AssetUser } from '#contract/usages/usages.ts'
import { describeUsers } from './describe-users.ts'

const users = (...names: string[]): AssetUser[] =>
  names.map((name) => ({ kind: 'flow', id: name, name, type: 'AGENTFLOW' }))

it.each<[string[], number, string]>([
  [[], 0, 'Nothing uses it.'],
  [['Triage'], 1, 'Used by Triage. It will fail until you mend it.'],
  [['Triage', 'Sales'], 2, 'Used by Triage and Sales. They will fail until you mend it.'],
  [['Triage'], 2, 'Used by Triage and 1 more. They will fail until you mend it.'],
  [['Triage', 'Sales', 'Ops'], 3, 'Used by Triage and 2 more. They will fail until you mend it.'],
  [[], 1, 'Used by something that you may not view. It will fail until you mend it.'],
  [[], 4, 'Used by 4 items that you may not view. They will fail until you mend it.'],
])('users %j of %i are described', (names, total, text) => {
  expect(describeUsers({ data: users(...names), total }, 'you mend it')).toBe(text)
})
