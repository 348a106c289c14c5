/** A group of permissions for a picker. */
import * as z from 'zod'

export const permissionGroupSchema = z.object({
  area: z.string(),
  label: z.string(),
  permissions: z.array(
    z.object({
      name: z.string().describe('Permission name: `chatflows:view`'),
      label: z.string(),
    }),
  ),
})

export type PermissionGroup = z.infer<typeof permissionGroupSchema>
