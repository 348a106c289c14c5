/** Workspaces of an organization, and who may work in them. */
import * as z from 'zod'
import { emailSchema } from '../account/account.ts'
import { dateSchema } from '../schemas/responses.ts'

/** A deleted workspace can be restored for so long. */
export const RESTORE_DAYS = 7

/** Workspaces of one organization, deleted ones included. */
export const MAX_WORKSPACES = 200

export const MAX_WORKSPACE_NAME = 60

const workspaceNameSchema = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(MAX_WORKSPACE_NAME, `Name must have at most ${MAX_WORKSPACE_NAME} characters`)

export const saveWorkspaceSchema = z.strictObject({ name: workspaceNameSchema })

export const deleteWorkspaceSchema = z.strictObject({
  name: z.string().max(MAX_WORKSPACE_NAME).describe('The name of the workspace, so that no other one is deleted'),
})

export const workspaceSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    users: z.number().describe('People who were added to it. Organization admins need not be'),
    createdDate: dateSchema,
    restorableUntil: dateSchema.nullable().describe('Its rows and files are removed then; null: it is in use'),
  })
  .meta({ id: 'Workspace' })

export type Workspace = z.infer<typeof workspaceSchema>

export const workspaceListSchema = z.object({
  workspaces: z.array(workspaceSchema),
  deleted: z.array(workspaceSchema).describe('For those who may restore them'),
})

export type WorkspaceList = z.infer<typeof workspaceListSchema>

export const addWorkspaceUserSchema = z.strictObject({
  email: emailSchema,
  roleId: z.string().min(1, 'Choose a role').max(100),
})

export const workspaceUserRoleSchema = z.strictObject({ roleId: z.string().min(1, 'Choose a role').max(100) })

const namedRoleSchema = z.object({ id: z.string(), name: z.string() })

const workspaceUserSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean().describe('An organization admin, who may do everything in every workspace'),
  isDisabled: z.boolean(),
  role: namedRoleSchema.nullable(),
})

export const workspaceUsersSchema = z
  .object({
    workspace: z.object({ id: z.string(), name: z.string() }),
    users: z.array(workspaceUserSchema),
    roles: z.array(namedRoleSchema.extend({ description: z.string() })).describe('Those that the caller may give here'),
  })
  .meta({ id: 'WorkspaceUsers' })

export type WorkspaceUsers = z.infer<typeof workspaceUsersSchema>
export type WorkspaceUser = WorkspaceUsers['users'][number]
