import { mayUse } from '../../http/permission.ts'
import type { Member } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { allowedTypes } from '../chatflows/index.ts'
import type { StoreViewer } from './store-statements.ts'

/** Returns which flows and assistants that use a store the member may view. */
export function viewerOf({ config }: Pick<Services, 'config'>, member: Member): StoreViewer {
  return {
    tenant: member,
    types: allowedTypes(member, config, 'view', 'update'),
    assistants: mayUse({ permission: 'assistants:view' }, member, config.platformType),
  }
}
