/** What a page loads, and how a large canvas opens and moves, in the browser that the tests use. */
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../support/browser.ts'
import { chain, code, start } from '../support/flows.ts'
import { WEIGHT_LIMITS, type Weight, weighPage } from '../support/page-weight.ts'
import { watchRenders } from '../support/renders.ts'
import { type Dragging, measureDragging } from './dragging.ts'
import type { Frames } from './frames.ts'
import { grid } from './large-flow.ts'
import { measurePanning } from './panning.ts'
import type { Product } from './product.ts'
import { timeOverSlowLine } from './slow-line.ts'
import { atMost, type Row } from './table.ts'

const NODES = 1000

export async function measurePages(product: Product): Promise<Row[]> {
  const executablePath = await findBrowser()
  const browser = await chromium.launch(executablePath ? { executablePath } : {})
  try {
    return [
      ...(await measureWeight(browser, product)),
      ...(await measureCanvas(browser, product)),
      ...(await measureDrag(browser, product)),
    ]
  } finally {
    await browser.close()
  }
}

async function measureWeight(browser: Browser, product: Product): Promise<Row[]> {
  const flowId = await product.save(chain(start(), code('return 1')))
  const visitor = await browser.newContext()
  const signIn = await weighPage(await visitor.newPage(), `${product.url}/signin`, (page) =>
    page.getByLabel('Email').waitFor(),
  )
  await visitor.close()
  const person = await signedIn(browser, product)
  const canvasUrl = `${product.url}/v2/agentcanvas/${flowId}`
  const canvas = await weighPage(await person.newPage(), canvasUrl, nodeIsShown)
  const slowly = await timeOverSlowLine(person, canvasUrl)
  const anew = await timeOverSlowLine(person, `${product.url}/v2/agentcanvas`)
  await person.close()
  return [
    ...weightRows('sign-in page', signIn, WEIGHT_LIMITS.signIn),
    ...weightRows('canvas', canvas, WEIGHT_LIMITS.canvas),
    atMost('canvas of a flow at 400 kbit/s and 400 ms, nothing cached', slowly / 1000, SLOW_LINE_SECONDS, 's'),
    atMost('canvas of a new flow at 400 kbit/s and 400 ms, nothing cached', anew / 1000, SLOW_LINE_SECONDS, 's'),
  ]
}

const SLOW_LINE_SECONDS = 7.5

function weightRows(name: string, weight: Weight, limits: Weight): Row[] {
  return [
    atMost(`${name}: requests`, weight.requests, limits.requests, ''),
    atMost(`${name}: page, scripts and styles, gzipped`, weight.bytes / 1000, limits.bytes / 1000, 'KB'),
  ]
}

const nodeIsShown = (page: Page) => page.locator('.react-flow__node').first().waitFor()

async function measureCanvas(browser: Browser, product: Product): Promise<Row[]> {
  const large = await product.save(await grid(product, NODES))
  const small = await product.save(await grid(product, 9))
  const context = await signedIn(browser, product)
  const page = await context.newPage()
  await page.setViewportSize({ width: 1400, height: 900 })
  // The first visit loads the scripts and compiles them.
  await page.goto(`${product.url}/v2/agentcanvas/${small}`)
  await nodeIsShown(page)
  const still = await measurePanning(page, 'in')
  const shown = await timeToShow(page, { url: `${product.url}/v2/agentcanvas/${large}`, flowId: large })
  const far = await measurePanning(page, 'out')
  const near = await measurePanning(page, 'in')
  await context.close()
  return [
    atMost(`canvas of ${NODES} nodes: from its data to shown`, shown, 1000, 'ms'),
    ...frameRows(`panning ${NODES} nodes, zoomed in`, near),
    ...frameRows(`panning ${NODES} nodes, zoomed out`, far),
    {
      measure: 'panning 9 nodes, for comparison: frame p50, p95',
      value: `${still.p50.toFixed(1)}, ${still.p95.toFixed(1)} ms`,
      against: '',
    },
  ]
}

/** 55 frames a second. */
const FRAME_MS = 18.2

function frameRows(name: string, { p50, p95 }: Frames): Row[] {
  return [
    { measure: `${name}: frame p50`, value: `${p50.toFixed(1)} ms`, against: '' },
    atMost(`${name}: frame p95`, p95, FRAME_MS, 'ms'),
  ]
}

const DRAGGED_IN = 300

async function measureDrag(browser: Browser, product: Product): Promise<Row[]> {
  const flowId = await product.save({ ...(await grid(product, DRAGGED_IN)), viewport: { x: 60, y: 60, zoom: 0.6 } })
  const context = await signedIn(browser, product)
  const page = await context.newPage()
  await page.setViewportSize({ width: 1400, height: 900 })
  await watchRenders(page)
  await page.goto(`${product.url}/v2/agentcanvas/${flowId}`)
  await nodeIsShown(page)
  const dragging = await measureDragging(page, { width: 880, height: 440 })
  await context.close()
  return dragRows(`dragging ${dragging.selected} of ${DRAGGED_IN} nodes`, dragging)
}

/** A frame, at 60 a second. The page's style, layout and paint are counted in. */
const WORK_MS = 16.7

function dragRows(name: string, dragging: Dragging): Row[] {
  return [
    ...frameRows(name, dragging),
    atMost(`${name}: work for each move`, dragging.work, WORK_MS, 'ms'),
    atMost(`${name}: nodes rendered for each move`, dragging.nodes, dragging.selected, ''),
    atMost(`${name}: faces of nodes rendered for each move`, dragging.faces, 0, ''),
  ]
}

/** Milliseconds from the last byte of the flow to the frame in which its nodes are painted. */
async function timeToShow(page: Page, { url, flowId }: { url: string; flowId: string }): Promise<number> {
  await page.addInitScript(noteShown)
  await page.goto(url)
  const shownAt = await page.waitForFunction(() => (window as unknown as { shownAt?: number }).shownAt)
  const dataAt = await page.evaluate((id) => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return entries.find(({ name }) => name.endsWith(`/chatflows/${id}`))?.responseEnd ?? Number.NaN
  }, flowId)
  return ((await shownAt.jsonValue()) as number) - dataAt
}

/** Runs in the page. */
function noteShown(): void {
  const look = () => {
    if (!document.querySelector('.react-flow__node, .heddle-far')) return void requestAnimationFrame(look)
    // The callback after the next one: what was found has been painted by then.
    requestAnimationFrame(() => Object.assign(window, { shownAt: performance.now() }))
  }
  requestAnimationFrame(look)
}

async function signedIn(browser: Browser, { client, url }: Product): Promise<BrowserContext> {
  const context = await browser.newContext()
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url })))
  return context
}
