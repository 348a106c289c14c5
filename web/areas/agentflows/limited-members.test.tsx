import { ChakraProvider } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import type { CanvasState } from '#web/canvas/canvas.ts'
import { system } from '#web/ui/theme.ts'
import { newDraft } from './AgentCanvasDraft.ts'
import { AgentCanvasHeader, type AgentCanvasHeaderProps } from './AgentCanvasHeader.tsx'
import { EmptyCanvas } from './EmptyCanvas.tsx'
import { useMayEdit } from './may-edit.ts'

vi.mock('./may-edit.ts', async (load) => ({ ...(await load<typeof import('./may-edit.ts')>()), useMayEdit: vi.fn() }))
// What needs a browser, or the router, and says nothing about permissions.
vi.mock('./AgentCanvasMenu.tsx', () => ({ AgentCanvasMenu: () => null }))
vi.mock('@tanstack/react-router', () => ({ Link: ({ children }: { children: ReactNode }) => <span>{children}</span> }))
vi.mock('#web/canvas/hooks.ts', () => ({
  useCanvasValue: ({ state }: { state: CanvasState }, read: (state: CanvasState) => unknown) => read(state),
}))

const nothing = () => {}
const header: AgentCanvasHeaderProps = {
  draft: newDraft([]),
  controls: { actions: {} as AgentCanvasHeaderProps['controls']['actions'], panel: null, openPanel: nothing },
  chatOpen: false,
  onSave: nothing,
  onSaveWithNote: nothing,
  onChat: nothing,
  onPublish: nothing,
  onOpen: nothing,
}

const rendered = (mayEdit: boolean) => {
  vi.mocked(useMayEdit).mockReturnValue(mayEdit)
  return (page: ReactNode) => renderToStaticMarkup(<ChakraProvider value={system}>{page}</ChakraProvider>)
}

it.each([
  ['the header of the canvas', <AgentCanvasHeader key="header" {...header} />],
  ['an empty canvas', <EmptyCanvas key="empty" onDescribe={nothing} />],
])('%s offers to describe a flow only to who may edit it', (_, page) => {
  expect(rendered(true)(page)).toContain('Describe what you want')
  expect(rendered(false)(page)).not.toContain('Describe')
})
