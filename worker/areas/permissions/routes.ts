import { permissionGroups } from '#contract/access/index.ts'
import { mayUse } from '../../http/permission.ts'
import { type Route, route } from '../../http/route.ts'
import { mayGrant } from '../apikeys/index.ts'
import { featureList } from './features.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/permissions/features',
    access: 'signed-in',
    handle: async ({ actor, services }) =>
      featureList((permission) => mayUse({ permission }, actor, services.config.platformType)),
  }),

  /** What the signed-in user may write on an API key, in groups. */
  route({
    method: 'GET',
    path: '/permissions',
    access: 'signed-in',
    async handle({ actor, services }) {
      const maker = { actor, platform: services.config.platformType }
      return permissionGroups
        .map((group) => ({ ...group, permissions: group.permissions.filter(({ name }) => mayGrant(name, maker)) }))
        .filter((group) => group.permissions.length > 0)
    },
  }),
]
