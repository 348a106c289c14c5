/** The exports of this area for other areas. */

export { usageCount } from './asset-users.ts'
export { indexFlows } from './index-flows.ts'
export { flowDeletion, flowSave, forgetUsages, recordUsages } from './record.ts'
