/** How the product is deployed (spec sections 3, 4). */
export type Platform = 'open source' | 'cloud' | 'enterprise'

/** What the browser makes of the PLATFORM_TYPE that the server tells: `enterprise`, `cloud`; anything else is open source. */
export function platformOf(value: string | null | undefined): Platform {
  return value === 'enterprise' || value === 'cloud' ? value : 'open source'
}

const SPELLINGS: Record<string, Platform> = {
  '': 'open source',
  'open source': 'open source',
  'open-source': 'open source',
  cloud: 'cloud',
  enterprise: 'enterprise',
}

/** Reads PLATFORM_TYPE where the product is started: a misspelt value must not switch every check off. Throws an Error that says what it may be. */
export function parsePlatform(value: string | undefined): Platform {
  const platform = Object.hasOwn(SPELLINGS, value ?? '') ? SPELLINGS[value ?? ''] : undefined
  if (platform) return platform
  throw new Error(`PLATFORM_TYPE is "${value}", but must be "cloud", "enterprise" or "open source" (the same as empty)`)
}
