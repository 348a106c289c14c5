/** Deployment types (spec sections 3, 4). */
export type Platform = 'open source' | 'cloud' | 'enterprise'

/** Reads the server's PLATFORM_TYPE in the browser. Unknown values mean open source. */
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

/** Reads PLATFORM_TYPE at start. Throws an Error for unknown values, because a typo must not disable every check. */
export function parsePlatform(value: string | undefined): Platform {
  const platform = Object.hasOwn(SPELLINGS, value ?? '') ? SPELLINGS[value ?? ''] : undefined
  if (platform) return platform
  throw new Error(`PLATFORM_TYPE is "${value}", but must be "cloud", "enterprise" or "open source" (the same as empty)`)
}

/** The names on the pages, by feature flag. */
const FEATURES: Readonly<Record<string, string>> = {
  'feat:datasets': 'Datasets',
  'feat:evaluations': 'Evaluations',
  'feat:evaluators': 'Evaluators',
  'feat:logs': 'Logs',
  'feat:users': 'Users',
  'feat:roles': 'Roles',
  'feat:workspaces': 'Workspaces',
  'feat:login-activity': 'Login Activity',
  'feat:sso-config': 'Single Sign-On',
  'feat:files': 'Files',
}

/** Returns the feature as the pages name it. */
export const describeFeature = (flag: string): string => `“${FEATURES[flag] ?? flag}”`

/** Returns the feature flags of a deployment: in open source none, elsewhere all. */
export const featuresOf = (platform: Platform): Record<string, boolean> =>
  platform === 'open source' ? {} : Object.fromEntries(Object.keys(FEATURES).map((flag) => [flag, true]))
