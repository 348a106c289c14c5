import * as z from 'zod'
import { permissionGroupSchema } from '#contract/access/group.ts'
import { keyPermissionGroups } from '#contract/access/index.ts'
import { featureListSchema } from '#contract/settings/features.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { mayGrant } from '../apikeys/index.ts'
import { featureList } from './features.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/permissions/features',
    summary: 'List the areas that the caller may open',
    answer: featureListSchema,
    access: 'signed-in',
    async handle({ actor, services }) {
      const user = userOf(actor)
      return featureList({ ...user, isGlobal: user.isOrganizationAdmin, platform: services.config.platformType })
    },
  }),

  route({
    method: 'GET',
    path: '/permissions',
    summary: 'List the permissions that the caller can grant to an API key',
    answer: z.array(permissionGroupSchema),
    access: 'signed-in',
    async handle({ actor, services }) {
      const granter = { actor, platform: services.config.platformType }
      return keyPermissionGroups
        .map((group) => ({ ...group, permissions: group.permissions.filter(({ name }) => mayGrant(name, granter)) }))
        .filter((group) => group.permissions.length > 0)
    },
  }),
]
