import { ChakraProvider } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { agentflowKind } from '../canvas/kinds/agentflow/index.ts'
import type { CanvasState } from '../canvas/store/store.ts'
import { system } from '../ui/theme/theme.ts'
import { BuilderHeader, type BuilderHeaderProps } from './BuilderHeader.tsx'
import { newDraft } from './draft.ts'
import { EmptyCanvas } from './EmptyCanvas.tsx'
import { useCanEdit } from './use-can-edit.ts'

vi.mock('./use-can-edit.ts', async (load) => ({
  ...(await load<typeof import('./use-can-edit.ts')>()),
  useCanEdit: vi.fn(),
}))
// What needs a browser, or the router, and says nothing about permissions.
vi.mock('./BuilderMenu.tsx', () => ({ BuilderMenu: () => null }))
vi.mock('@tanstack/react-router', () => ({ Link: ({ children }: { children: ReactNode }) => <span>{children}</span> }))
vi.mock('../canvas/store/hooks.ts', () => ({
  useCanvasValue: ({ state }: { state: CanvasState }, read: (state: CanvasState) => unknown) => read(state),
}))

const nothing = () => {}
const header: BuilderHeaderProps = {
  draft: newDraft([], agentflowKind),
  controls: { actions: {} as BuilderHeaderProps['controls']['actions'], panel: null, openPanel: nothing },
  chatOpen: false,
  onSave: nothing,
  onSaveWithNote: nothing,
  onChat: nothing,
  onPublish: nothing,
  onOpen: nothing,
}

const rendered = (mayEdit: boolean) => {
  vi.mocked(useCanEdit).mockReturnValue(mayEdit)
  return (page: ReactNode) => renderToStaticMarkup(<ChakraProvider value={system}>{page}</ChakraProvider>)
}

it.each([
  ['the header of the canvas', <BuilderHeader key="header" {...header} />],
  ['an empty canvas', <EmptyCanvas key="empty" canvas={header.draft.canvas} onDescribe={nothing} />],
])('%s offers to describe a flow only to who may edit it', (_, page) => {
  expect(rendered(true)(page)).toContain('Describe what you want')
  expect(rendered(false)(page)).not.toContain('Describe')
})
