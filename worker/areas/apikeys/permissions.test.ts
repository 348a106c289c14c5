import { expect, it } from 'vitest'
import { keyPermissionGroups } from '#contract/access/index.ts'
import { routes } from '../index.ts'

const FOR_PEOPLE = /^(workspace|users|roles|sso|loginActivity|admin):/

it('keys are offered what the calls of the product ask for, but for what only people may have', () => {
  const asked = routes.flatMap(({ access }) =>
    typeof access === 'object' && 'permission' in access ? access.permission.split(',') : [],
  )
  const offered = keyPermissionGroups.flatMap(({ permissions }) => permissions.map(({ name }) => name))
  expect([...offered].sort()).toEqual([...new Set(asked)].filter((name) => !FOR_PEOPLE.test(name)).sort())
})
