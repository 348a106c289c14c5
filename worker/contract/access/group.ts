/** A group of permissions as a picker shows it. */
import * as z from 'zod'

export const permissionGroupSchema = z.object({
  area: z.string(),
  label: z.string(),
  permissions: z.array(
    z.object({
      name: z.string().describe('As routes require it and keys and roles hold it: `chatflows:view`'),
      label: z.string(),
    }),
  ),
})

export type PermissionGroup = z.infer<typeof permissionGroupSchema>
