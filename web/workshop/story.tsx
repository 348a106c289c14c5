/**
 * A story shows a component in one state. `npm run workshop` shows all of them, and each is a test: what a person sees
 * and does there, and what axe says of it in light and in dark.
 */
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { type Locator, locators, page, userEvent } from 'vitest/browser'
import { findViolations } from './accessibility.ts'
import { type Answers, answerCalls, type SentCall } from './fake-api.ts'
import { type StageOptions, settingsOf, showStory } from './Stage.tsx'

export { expect } from 'vitest'
export { never, refusal, stream } from './fake-api.ts'
export { page, userEvent }

interface StoryOptions extends StageOptions {
  /** What the server answers. A call without an answer fails the story. */
  answers?: Answers
  width?: keyof typeof WIDTHS
  /** What the console may be told, for the developer of a page. Anything else that it is told fails the story. */
  complains?: RegExp
}

const WIDTHS = { desktop: [1000, 800], phone: [390, 844] } as const

/** The effects of a story that a test can observe besides the page. */
export interface Observed {
  /** The values that the component has handed to `tell`, in order. */
  told: unknown[]
  /** The calls to the server so far. */
  sent: SentCall[]
  /** The path that the component has navigated to. */
  path(): string
}

type Tell = (value: unknown) => void

/** An entry of the workshop page. */
export interface Story {
  name: string
  show(tell: Tell): ReactNode
  options: StoryOptions
}

/** The stories of all files that were loaded, in order. */
export const stories: Story[] = []

/**
 * @param name a sentence that stands alone: what the state means for a person
 * @param show renders the component; `tell` takes the place of its callbacks
 * @param check looks at the page as a person does: by role, name and keyboard
 */
export function story(
  name: string,
  show: (tell: Tell) => ReactNode,
  check: (observed: Observed) => unknown,
  options: StoryOptions = {},
): void {
  stories.push({ name, show, options })
  test(name, async () => {
    const [width, height] = WIDTHS[options.width ?? 'desktop']
    await page.viewport(width, height)
    removeLast()
    const { sent, unanswered } = answerCalls({ 'GET /settings': settingsOf(options), ...options.answers })
    const { complaints, stopListening } = listenToConsole()
    const told: unknown[] = []
    const element = document.body.appendChild(document.createElement('div'))
    const shown = showStory(element, () => show((value) => told.push(value)), options)
    removeLast = () => {
      shown.remove()
      stopListening()
      element.remove()
      removeLast = () => {}
    }
    try {
      await expect.poll(() => element.querySelector('main')).not.toBeNull()
      await check({ told, sent, path: shown.path })
      // What is found may be on its way out: a menu that closes, a button that was just enabled.
      if ((await findViolations()).length > 0) await expect.poll(findViolations, { timeout: 5000 }).toEqual([])
      expect(unanswered, 'calls without an answer').toEqual([])
      const unexpected = complaints.filter((each) => !options.complains?.test(each))
      expect(unexpected, 'errors in the console').toEqual([])
    } finally {
      removeLast()
    }
  })
}

/** Removes the last story, which may still be there after a timeout. */
let removeLast = () => {}

function listenToConsole() {
  const complaints: string[] = []
  const { error } = console
  console.error = (...args: unknown[]) => complaints.push(args.map(String).join(' '))
  return {
    complaints,
    stopListening: () => {
      console.error = error
    },
  }
}

/** The element with this role, as `getByRole` of the page finds it. */
export const role = (name: Parameters<Locator['getByRole']>[0], label?: string | RegExp): Locator =>
  page.getByRole(name, label === undefined ? {} : { name: label, exact: typeof label === 'string' })
export const text = (words: string | RegExp): Locator => page.getByText(words, { exact: typeof words === 'string' })
/** Waits until the element says these words, among others. */
export const expectWords = (element: Locator, words: string): Promise<void> =>
  expect.poll(() => element.query()?.textContent ?? '').toContain(words)

locators.extend({ labelAround: () => 'xpath=ancestor::label' })
declare module 'vitest/browser' {
  interface LocatorSelectors {
    labelAround(): Locator
  }
}

/**
 * Clicks the label around a checkbox or a switch, as a person does. The input itself is one hidden pixel: a forced click
 * on it waits for nothing, and fails while the page still moves.
 */
export const tick = (box: Locator): Promise<void> => box.labelAround().click()
