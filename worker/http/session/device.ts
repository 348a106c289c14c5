/** Names the browser and system of a User-Agent: `Firefox on Windows`. What it claims proves nothing; people read it. */

const LONGEST = 400

/** More particular ones first: Edge calls itself Chrome, and Chrome calls itself Safari. */
const BROWSERS: [token: string, name: string][] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['HeadlessChrome/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
]
const SYSTEMS: [token: string, name: string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
]

/** Returns null when it names neither. */
export function deviceOf(userAgent = ''): string | null {
  const text = userAgent.slice(0, LONGEST)
  const nameIn = (list: typeof BROWSERS) => list.find(([token]) => text.includes(token))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null)
}
