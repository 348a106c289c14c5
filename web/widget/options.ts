/** The options of the widget, from a script's `data-` attributes or a page's own code. Pure. */

type Mode = 'bubble' | 'inline'

export interface Options {
  /** The flow's id. */
  flow: string
  /** The API's origin, without a trailing slash. */
  api: string
  mode: Mode
  /** `auto` follows the visitor's system. */
  theme: 'light' | 'dark' | 'auto'
  /** The corner of the bubble. */
  position: 'left' | 'right'
  /** Replaces the title from the flow's settings. */
  title?: string
  /** Goes along with each question; the flow's owner says what may be set. */
  overrideConfig?: Record<string, unknown>
}

/** Options of a page; all but the flow have defaults. */
export type GivenOptions = Partial<Options> & { flow: string }

/** Throws an error for the page's author. */
export function completeOptions(given: Partial<Record<keyof Options, unknown>>, scriptApi: string): Options {
  const { flow, title, overrideConfig } = given
  if (typeof flow !== 'string' || flow.trim() === '')
    throw new Error('data-flow is missing: set it to the id of a flow')
  return {
    flow: flow.trim(),
    api: readApi(given.api, scriptApi),
    mode: requireChoice(['bubble', 'inline'], given.mode, 'mode'),
    theme: requireChoice(['auto', 'light', 'dark'], given.theme, 'theme'),
    position: requireChoice(['right', 'left'], given.position, 'position'),
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(typeof overrideConfig === 'object' && overrideConfig !== null && { overrideConfig: { ...overrideConfig } }),
  }
}

function readApi(given: unknown, scriptApi: string): string {
  if (given === undefined || given === '') return scriptApi
  const url = URL.parse(String(given))
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`data-api is “${given}”, but must be an address such as https://heddle.example.com`)
  }
  return url.href.replace(/\/$/, '')
}

/** The first value is the default. */
function requireChoice<T extends string>(values: readonly [T, ...T[]], given: unknown, name: string): T {
  if (given === undefined || given === '') return values[0]
  const found = values.find((value) => value === given)
  if (!found) throw new Error(`data-${name} is “${given}”, but must be one of ${values.join(', ')}`)
  return found
}
