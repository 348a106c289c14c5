import { newDocument } from '#contract/flow/document/draw.ts'
import { components } from '#contract/flow/kinds/testing/garden/components.ts'
import { expect, page, role, story, userEvent } from '../../workshop/story.tsx'
import { createCanvas } from '../store/store.ts'
import { gardenKind } from '../testing/kind.ts'
import { handleKey, type KeyActions } from './keyboard.ts'

const canvas = createCanvas(newDocument(gardenKind.flow, components), components, gardenKind)

/** Tells the name of each action that a key asks for. */
const actionsOf = (tell: (value: unknown) => void) =>
  new Proxy({}, { get: (_, name) => () => tell(name) }) as KeyActions

const surface = (tell: (value: unknown) => void) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the page's shortcuts, as the editor has them
  <div onKeyDown={({ nativeEvent }) => void handleKey(canvas, actionsOf(tell), nativeEvent)}>
    <div className="react-flow">
      <button type="button">Surface</button>
    </div>
    <input aria-label="Name" />
    <div role="dialog" aria-label="Settings">
      <button type="button">In the dialog</button>
    </div>
    <div role="dialog" aria-label="Sheet">
      <div data-zone="dock">
        <button type="button">In the sheet</button>
      </div>
    </div>
  </div>
)

const press = async (where: string, keys: string) => {
  ;(page.getByRole('button', { name: where, exact: true }).element() as HTMLElement).focus()
  await userEvent.keyboard(keys)
}

story(
  'a key on the drawing is a shortcut',
  (tell) => surface(tell),
  async ({ told }) => {
    await press('Surface', '?')
    await press('Surface', '{Control>}s{/Control}')
    expect(told).toEqual(['openHelp', 'save'])
  },
)

story(
  'a letter in a field is text, and saving and finding work there too',
  (tell) => surface(tell),
  async ({ told }) => {
    await role('textbox', 'Name').click()
    await userEvent.keyboard('?{Control>}sf{/Control}')
    expect(told).toEqual(['save', 'find'])
    await expect.element(role('textbox', 'Name')).toHaveValue('?')
  },
)

story(
  'a dialog keeps all keys but saving to itself, and a part of the editor in a sheet keeps none',
  (tell) => surface(tell),
  async ({ told }) => {
    await press('In the dialog', '?{Control>}sf{/Control}')
    expect(told).toEqual(['save'])
    await press('In the sheet', '{Control>}f{/Control}')
    expect(told).toEqual(['save', 'find'])
  },
)
