import type { Tenant } from '#db/scope.ts'

/** Returns the same UUID for the same name within a workspace, so that a retry finds what it began. */
export async function deterministicId({ workspaceId }: Tenant, name: string): Promise<string> {
  const text = new TextEncoder().encode(`${workspaceId} ${name}`)
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
