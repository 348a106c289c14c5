/** Checks a story with axe, in light and in dark. */
import axe from 'axe-core'
import { setMode } from '../api/stored-appearance.ts'

/** A story is a part of a page: these rules speak of whole pages. */
const OF_PAGES = ['region', 'page-has-heading-one', 'landmark-one-main', 'document-title', 'html-has-lang', 'bypass']

/** `Mon` is said as Monday. */
const OF_ABBREVIATIONS = ['label-content-name-mismatch']

const partRules: axe.RunOptions = {
  resultTypes: ['violations'],
  rules: Object.fromEntries([...OF_PAGES, ...OF_ABBREVIATIONS].map((rule) => [rule, { enabled: false }])),
}
/** Dark mode changes colors only, so only their rules run again. */
const colorRules: axe.RunOptions = { resultTypes: ['violations'], runOnly: ['color-contrast'] }

/** Returns the rules that the page breaks in either mode, and where; empty when it breaks none. */
export async function findViolations(): Promise<string[]> {
  const found: string[] = []
  for (const [isDark, options] of [
    [false, partRules],
    [true, colorRules],
  ] as const) {
    setMode(isDark)
    await settle()
    const { violations } = await axe.run(document.body, options)
    found.push(...violations.map((violation) => describe(violation, isDark)))
  }
  setMode(false)
  return found
}

/** Some animations, such as a spinner's, never end. */
const MAX_FRAMES = 30

/** With reduced motion colors change within a frame, and those that are inherited a frame later at each level. */
async function settle(): Promise<void> {
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    await new Promise(requestAnimationFrame)
    if (document.getAnimations().length === 0) return
  }
}

const describe = ({ id, help, nodes }: axe.Result, isDark: boolean) =>
  `${isDark ? 'dark' : 'light'}: ${id} (${help}) at ${nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`).join(' and ')}`
