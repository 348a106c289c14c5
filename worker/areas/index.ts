/** Every area's calls, which `worker/app.ts` mounts, and what is done every minute. */

import { deleteOldReceipts } from '#db/receipts.ts'
import { dropSearchIndexes } from '#db/search-index/search-index.ts'
import { deleteUnusedTexts } from '#db/unused-texts.ts'
import { sendDueEmails } from '../emails/delivery.ts'
import type { Route } from '../http/route.ts'
import type { Job } from '../jobs/instances.ts'
import { dispatchOrphans, recoveryJob } from '../runs/recovery/recover.ts'
import type { Services } from '../services.ts'
import { routes as account } from './account/routes.ts'
import { routes as apikeys } from './apikeys/routes.ts'
import { flowDeletion as deleteAssistant } from './assistants/index.ts'
import { assistantRoutes } from './assistants/routes.ts'
import { purgeAuditEvents } from './audit-log/index.ts'
import { routes as auditLog } from './audit-log/routes.ts'
import { purgeSessions } from './auth/index.ts'
import { routes as auth } from './auth/routes.ts'
import {
  flowDeletion as deleteVersions,
  deletionRoutes,
  type FlowDeletion,
  type FlowSave,
  saveRoutes,
} from './chatflows/index.ts'
import { routes as chatflows } from './chatflows/routes.ts'
import { flowDeletion as deleteMessages } from './chatmessages/index.ts'
import { routes as chatmessages } from './chatmessages/routes.ts'
import { routes as credentials } from './credentials/routes.ts'
import { routes as mcpServers } from './custom-mcp-servers/routes.ts'
import { deleteAbandonedFiles, documentJob, runDocumentJobs } from './document-stores/index.ts'
import { routes as documentStores } from './document-stores/routes.ts'
import { announceQuestions, flowDeletion as deleteExecutions, deleteOldRuns } from './executions/index.ts'
import { routes as executions } from './executions/routes.ts'
import { largeImportJob, runImports } from './export-import/index.ts'
import { transferRoutes } from './export-import/routes.ts'
import { flowDeletion as deleteFeedback } from './feedback/index.ts'
import { routes as feedback } from './feedback/routes.ts'
import {
  deleteDueFiles,
  deleteExpiredFiles,
  flowDeletion as deleteFiles,
  keepFlowFiles,
  storeSources,
} from './files/index.ts'
import { routes as files } from './files/routes.ts'
import { routes as generator } from './generator/routes.ts'
import { routes as health } from './health/routes.ts'
import { routes as home } from './home/routes.ts'
import { routes as invitations } from './invitations/routes.ts'
import { flowDeletion as deleteLeads } from './leads/index.ts'
import { routes as leads } from './leads/routes.ts'
import { purgeSignIns } from './login-activity/index.ts'
import { routes as loginActivity } from './login-activity/routes.ts'
import { purgeFailures } from './logs/index.ts'
import { routes as logs } from './logs/routes.ts'
import { routes as marketplaces } from './marketplaces/routes.ts'
import { routes as mcp } from './mcp/routes.ts'
import { routes as nodes } from './nodes/routes.ts'
import { routes as openai } from './openai/routes.ts'
import { openapiRoutes } from './openapi/routes.ts'
import { routes as permissions } from './permissions/routes.ts'
import { routes as predictions } from './predictions/routes.ts'
import { routes as roles } from './roles/routes.ts'
import { directoryRoutes as scim, adminRoutes as scimAdmin } from './scim/routes.ts'
import { routes as search } from './search/routes.ts'
import { routes as security } from './security/routes.ts'
import { routes as settings } from './settings/routes.ts'
import { routes as speech } from './speech/routes.ts'
import { routes as sso } from './sso/routes.ts'
import { routes as stats } from './stats/routes.ts'
import { routes as tools } from './tools/routes.ts'
import {
  flowDeletion as deleteTriggers,
  deliveryJob,
  runDueTriggers,
  flowSave as saveTriggers,
} from './triggers/index.ts'
import { routes as triggers } from './triggers/routes.ts'
import { flowDeletion as deleteUpserts, restartUpserts, upsertJob } from './upserts/index.ts'
import { routes as upserts } from './upserts/routes.ts'
import { flowDeletion as deleteUsages, indexFlows, flowSave as saveUsages } from './usages/index.ts'
import { routes as usages } from './usages/routes.ts'
import { routes as users } from './users/routes.ts'
import { routes as variables } from './variables/routes.ts'
import { purgeWorkspaces } from './workspaces/index.ts'
import { routes as workspaces } from './workspaces/routes.ts'

/** Every area that keeps rows of a flow. */
export const flowDeletions: FlowDeletion[] = [
  deleteExecutions,
  deleteFeedback,
  deleteMessages,
  deleteFiles,
  deleteLeads,
  deleteTriggers,
  deleteUpserts,
  deleteUsages,
  deleteAssistant,
  deleteVersions,
]

/** Every area that keeps rows of what a flow's nodes say. */
const flowSaves: FlowSave[] = [saveTriggers, saveUsages]

/** The routes of all areas, by the names under which the API's description lists them. */
export const areas: Record<string, Route[]> = {
  Predictions: [...predictions, ...openai, ...mcp],
  Flows: [
    ...saveRoutes({ saves: flowSaves, keepFiles: keepFlowFiles, storeSources }),
    ...chatflows,
    ...deletionRoutes(flowDeletions),
  ],
  Assistants: assistantRoutes({ saves: flowSaves, deletions: flowDeletions }),
  Conversations: chatmessages,
  Files: files,
  Feedback: feedback,
  Leads: leads,
  Speech: speech,
  Statistics: stats,
  Executions: executions,
  Triggers: triggers,
  Home: [...home, ...search],
  Templates: marketplaces,
  Nodes: nodes,
  Generator: generator,
  'Document stores': documentStores,
  Upserts: upserts,
  Credentials: credentials,
  Variables: variables,
  Usages: usages,
  Tools: [...tools, ...mcpServers],
  'API keys': apikeys,
  'Export and import': transferRoutes(flowSaves),
  Workspace: workspaces,
  Records: [...auditLog, ...loginActivity, ...logs],
  Account: [...account, ...security],
  Users: users,
  Invitations: invitations,
  Roles: roles,
  Sessions: auth,
  'Single sign-on': [...sso, ...scimAdmin],
  'Directory sync (SCIM)': scim,
  Permissions: permissions,
  Settings: [...settings, ...health, ...openapiRoutes(() => areas)],
}

export const routes: Route[] = Object.values(areas).flat()

/** Run by the minute cron, each once, in no order, with the minute that it stands for: a late cron is not now. */
export const cronJobs: ((services: Services, now: Date) => Promise<void>)[] = [
  announceQuestions,
  dispatchOrphans,
  deleteAbandonedFiles,
  deleteDueFiles,
  deleteExpiredFiles,
  deleteOldReceipts,
  deleteOldRuns,
  deleteUnusedTexts,
  dropSearchIndexes,
  indexFlows,
  purgeAuditEvents,
  purgeFailures,
  purgeSessions,
  purgeSignIns,
  purgeWorkspaces,
  restartUpserts,
  runDocumentJobs,
  runDueTriggers,
  runImports,
  sendDueEmails,
]

/** Run in Workflow instances, by the kind that an instance names. */
export const backgroundJobs: Job[] = [recoveryJob, deliveryJob, documentJob, largeImportJob(flowSaves), upsertJob]
