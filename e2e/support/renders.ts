/** Which nodes and connections of the canvas React renders, counted in the build that people get. */
import type { Page } from '@playwright/test'

/** Their ids, once for each render. */
interface Renders {
  nodes: string[]
  /** What a node shows, inside the element that stands in its place. */
  faces: string[]
  edges: string[]
}

/** Call it before the page is opened. */
export async function watchRenders(page: Page): Promise<void> {
  await page.addInitScript(followCommits)
}

/** Returns what was rendered since the last call. */
export const takeRenders = (page: Page): Promise<Renders> =>
  page.evaluate(() => {
    const renders = (window as unknown as { renders: Renders }).renders
    Object.assign(window, { renders: { nodes: [], faces: [], edges: [] } })
    return renders
  })

interface Fiber {
  flags: number
  child: Fiber | null
  sibling: Fiber | null
  alternate: Fiber | null
  memoizedProps: Record<string, unknown> | null
}

/** Runs in the page: React tells the hook of its developer tools about every commit. */
function followCommits(): void {
  Object.assign(window, { renders: { nodes: [], faces: [], edges: [] } })
  const PERFORMED_WORK = 1
  const listOf = (props: Record<string, unknown>): keyof Renders | undefined => {
    if ('nodeTypes' in props) return 'nodes'
    if ('edgeTypes' in props) return 'edges'
    return (props.data as { node?: unknown } | undefined)?.node ? 'faces' : undefined
  }
  const note = ({ flags, memoizedProps: props }: Fiber) => {
    if (!(flags & PERFORMED_WORK) || typeof props?.id !== 'string') return
    const list = listOf(props)
    if (list) (window as unknown as { renders: Renders }).renders[list].push(props.id)
  }
  const visit = (fiber: Fiber, before: Fiber | null) => {
    note(fiber)
    if (before && before.child === fiber.child) return
    for (let child = fiber.child; child; child = child.sibling) visit(child, child.alternate)
  }
  const none = () => {}
  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      isDisabled: false,
      renderers: new Map(),
      inject: () => 1,
      checkDCE: none,
      onCommitFiberUnmount: none,
      onPostCommitFiberRoot: none,
      onCommitFiberRoot: (_: number, { current }: { current: Fiber }) => visit(current, current.alternate),
    },
  })
}
