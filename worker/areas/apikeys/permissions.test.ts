// @defends api-key-only
import { expect, it } from 'vitest'
import { keyPermissionGroups } from '#contract/access/index.ts'
import { routes } from '../index.ts'

const FOR_PEOPLE = /^(workspace|users|roles|sso|loginActivity|auditLog|logs|admin):/

it('offers keys every permission that the API asks for, except those reserved for people', () => {
  const asked = routes.flatMap(({ access }) =>
    typeof access === 'object' && 'permission' in access ? access.permission.split(',') : [],
  )
  const offered = keyPermissionGroups.flatMap(({ permissions }) => permissions.map(({ name }) => name))
  expect([...offered].sort()).toEqual([...new Set(asked)].filter((name) => !FOR_PEOPLE.test(name)).sort())
})
