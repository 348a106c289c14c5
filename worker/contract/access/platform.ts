/** How the product is deployed (spec sections 3, 4). */
export type Platform = 'open source' | 'cloud' | 'enterprise'

/** Reads PLATFORM_TYPE: `enterprise`, `cloud`; anything else is open source. */
export function platformOf(value: string | null | undefined): Platform {
  return value === 'enterprise' || value === 'cloud' ? value : 'open source'
}
