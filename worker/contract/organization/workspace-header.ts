/** The header in which a page says which workspace it shows. */
export const WORKSPACE_HEADER = 'X-Workspace-Id'
