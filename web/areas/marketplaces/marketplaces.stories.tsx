import type { GalleryItem } from '#contract/marketplaces/marketplaces.ts'
import { expect, expectWords, refusal, role, story, text } from '../../workshop/story.tsx'
import { MarketplacePage } from './MarketplacePage.tsx'

const template = (templateName: string, change: Partial<GalleryItem> = {}): GalleryItem =>
  ({
    id: `id-${templateName}`,
    templateName,
    description: `About ${templateName}`,
    type: 'Chatflow',
    framework: ['Langchain'],
    usecases: ['Support'],
    categories: [],
    badge: '',
    isCustom: false,
    isStarter: false,
    sketch: { width: 100, height: 50, nodes: [], edges: [] },
    updatedDate: null,
    ...change,
  }) as GalleryItem

const all = [
  template('Desk'),
  template('Search', { usecases: ['Research'], framework: ['Llama'] }),
  template('Ours', { isCustom: true }),
]
const answers = { 'GET /marketplaces/gallery': { data: all } }

story(
  'templates are found by words, use case and framework',
  () => <MarketplacePage />,
  async () => {
    await expect.element(text('2 templates')).toBeVisible()
    await role('searchbox', 'Search templates').fill('about desk')
    await expect.element(text('1 template')).toBeVisible()
    await role('searchbox', 'Search templates').fill('')
    await role('combobox', 'Use case').selectOptions('Research')
    await expect.element(role('link', 'Search')).toBeVisible()
    await expect.element(role('link', 'Desk')).not.toBeInTheDocument()
    await role('combobox', 'Framework').selectOptions('Langchain')
    await expect.element(text('No template matches. Change the search or the filters.')).toBeVisible()
  },
  { answers },
)

story(
  'a template of the workspace is deleted, and flows made from it stay',
  () => <MarketplacePage />,
  async ({ sent }) => {
    await role('tab', 'Custom').click()
    await role('button', 'Actions for Ours').click()
    await role('menuitem', 'Delete').click()
    await expectWords(role('alertdialog'), 'Flows that were made from it stay.')
    await role('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect.element(text('Deleted “Ours”')).toBeVisible()
    expect(sent.some(({ call }) => call.startsWith('DELETE') && call.endsWith('/id-Ours'))).toBe(true)
  },
  { answers: { ...answers, 'DELETE /marketplaces/*/*': null } },
)

story(
  'a workspace without templates says how one is made',
  () => <MarketplacePage />,
  async () => {
    await role('tab', 'Custom').click()
    await expect.element(role('heading', 'No custom templates yet')).toBeVisible()
  },
  { answers: { 'GET /marketplaces/gallery': { data: [template('Desk')] } } },
)

story(
  'somebody sees the tabs that they may see',
  () => <MarketplacePage />,
  async () => {
    await expect.element(role('tab', 'Built in')).toBeVisible()
    expect(role('tab', 'Custom').elements()).toEqual([])
  },
  { answers, can: ['templates:marketplace'] },
)

story(
  'templates that could not load can be tried again',
  () => <MarketplacePage />,
  async ({ sent }) => {
    await expectWords(role('alert'), 'Couldn’t load templates')
    await role('button', 'Try again').click()
    await expect.poll(() => sent.length).toBe(2)
  },
  { answers: { 'GET /marketplaces/gallery': refusal(404, 'Not here') }, width: 'phone' },
)
