/** The frames that a page draws while something goes on. */
import type { Page } from '@playwright/test'
import { quantile } from './table.ts'

export interface Frames {
  /** Milliseconds from one frame to the next. */
  p50: number
  p95: number
}

export async function measureFrames(page: Page, goOn: () => Promise<void>): Promise<Frames> {
  await page.evaluate(startFrames)
  await goOn()
  const times = await page.evaluate(stopFrames)
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

interface Recorder {
  frames: number[]
  stop: boolean
}

/** Runs in the page. */
function startFrames(): void {
  const recorder: Recorder = { frames: [], stop: false }
  Object.assign(window, { recorder })
  const note = (time: number) => {
    recorder.frames.push(time)
    if (!recorder.stop) requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

/** Runs in the page. */
function stopFrames(): number[] {
  const { recorder } = window as unknown as { recorder: Recorder }
  recorder.stop = true
  return recorder.frames.slice(1).map((time, index) => time - (recorder.frames[index] ?? time))
}
