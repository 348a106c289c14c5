import { useState } from 'react'
import { expect, expectWords, page, role, story, text, userEvent } from '../workshop/story.tsx'
import { Collapsible } from './Collapsible.tsx'
import { CopyBlock, CopyField } from './CopyField.tsx'
import { FlowSketch } from './FlowSketch.tsx'
import { JsonView } from './json/JsonView.tsx'
import { PageTitle } from './PageTitle.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { TemplateCard } from './TemplateCard.tsx'
import { TextBlock } from './TextBlock.tsx'
import TextDiff from './TextDiff.tsx'
import ToolIcons from './ToolIcons.tsx'
import { useLocalStorage } from './use-local-storage.ts'

const sketch = {
  width: 400,
  height: 100,
  nodes: [
    { name: 'startAgentflow', x: 0, y: 0, width: 100, height: 60 },
    { name: 'agentAgentflow', x: 200, y: 0, width: 100, height: 60 },
  ],
  edges: [
    { from: 0, to: 1 },
    { from: 0, to: 7 },
  ],
}

story(
  'a title says what a page is for, beside what can be done there',
  () => (
    <PageTitle title="Variables" purpose="Values shared by all flows." actions={<button type="button">New</button>} />
  ),
  async () => {
    expect(role('heading', 'Variables').element().tagName).toBe('H1')
    await expect.element(text('Values shared by all flows.')).toBeVisible()
    await expect.element(role('button', 'New')).toBeVisible()
  },
)

story(
  'a folded section opens by its title',
  () => (
    <>
      <Collapsible title="Details">hidden words</Collapsible>
      <Collapsible open title="More">
        shown words
      </Collapsible>
    </>
  ),
  async () => {
    const [details, more] = document.querySelectorAll('details')
    expect([details?.open, more?.open]).toEqual([false, true])
    await text('Details').click()
    expect(details?.open).toBe(true)
  },
)

/** Takes the place of the clipboard, which a browser without a window has not. */
function withClipboard(write: (words: string) => Promise<void>) {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: write } })
}

story(
  'a value is copied by its button, which says so',
  (tell) => {
    withClipboard(async (words) => tell(words))
    return <CopyField label="URL" value="https://example.com/hook" />
  },
  async ({ told }) => {
    await role('textbox', 'URL').click()
    expect(getSelection()?.toString()).toBe('https://example.com/hook')
    await role('button', 'Copy: URL').click()
    expect(told).toEqual(['https://example.com/hook'])
    await expect.element(text('URL copied')).toBeVisible()
  },
)

story(
  'a value that could not be copied can be copied by hand',
  () => {
    withClipboard(() => Promise.reject(new Error('denied')))
    return <CopyBlock label="Code" value={'line 1\nline 2'} />
  },
  async () => {
    await role('button', 'Copy: Code').click()
    await expect.element(text('Code could not be copied. Select it and copy it yourself.')).toBeVisible()
  },
)

story(
  'a time is told as people say it, with the exact one on hover',
  () => (
    <>
      <RelativeTime date={new Date(Date.now() - 3 * 3_600_000).toISOString()} />
      <br />
      <RelativeTime ahead timeZone="Asia/Tokyo" date={new Date(Date.now() + 50 * 3_600_000).toISOString()} />
      <br />
      <RelativeTime date={new Date(Date.now() + 60_000).toISOString()} />
    </>
  ),
  async () => {
    await expect.element(text('3 hours ago')).toBeVisible()
    await expect.element(text('in 2 days')).toHaveAttribute('title', expect.stringContaining('(Asia/Tokyo)'))
    await expect.element(text('just now')).toBeVisible()
  },
)

const template = {
  id: 't1',
  templateName: 'Support desk',
  description: 'Answers from your documents.',
  usecases: ['Support', 'Search'],
  badge: 'NEW',
  sketch,
  type: 'Chatflow',
} as const

story(
  'a template leads to its preview and says what it is for',
  () => (
    <TemplateCard
      template={{ ...template, usecases: [...template.usecases] }}
      menu={<button type="button">Menu</button>}
    />
  ),
  async ({ path }) => {
    for (const words of ['NEW', 'Chat flow', 'Support', 'Search', 'Answers from your documents.'])
      await expect.element(page.getByText(words, { exact: true })).toBeVisible()
    await role('link', 'Support desk').click()
    await expect.poll(path).toBe('/v2/marketplace/t1')
  },
)

story(
  'a template of a tool has a picture of its own and no drawing',
  () => <TemplateCard template={{ ...template, badge: '', usecases: [], type: 'Tool' }} />,
  async () => {
    await expect.element(page.getByText('Tool', { exact: true })).toBeVisible()
    expect(document.querySelectorAll('main rect')).toHaveLength(0)
  },
)

story(
  'a sketch draws the nodes and those edges whose nodes exist',
  () => <FlowSketch sketch={sketch} />,
  async () => {
    const svg = () => document.querySelector('main svg')
    expect(svg()?.querySelectorAll('rect')).toHaveLength(2)
    expect(svg()?.querySelectorAll('path')).toHaveLength(1)
    expect(svg()?.querySelector('path')?.getAttribute('d')).toBe('M100 30 C150 30 150 30 200 30')
    expect(svg()?.getAttribute('viewBox')).toBe('-290 -170 980 440')
  },
)

story(
  'long text scrolls by keyboard',
  () => <TextBlock label="Log" text={'a line of the log\n'.repeat(100)} />,
  async () => {
    await userEvent.tab()
    await expect.element(page.getByLabelText('Log')).toHaveFocus()
    await userEvent.keyboard('{End}')
    await expect.poll(() => page.getByLabelText('Log').element().scrollTop).toBeGreaterThan(0)
  },
)

const diff = (before: string | undefined, after: string) => (
  <TextDiff
    before={{ text: before, label: 'Before', header: <b>Version 1</b> }}
    after={{ text: after, label: 'After', header: <b>Version 2</b> }}
    emptyText="No text."
  />
)

story(
  'a comparison marks what went and what came, each on its side',
  () => diff('Be kind and short.', 'Be kind and thorough.'),
  async () => {
    await expectWords(page.getByLabelText('Before'), 'Be kind and short.')
    expect(
      role('deletion')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['short'])
    expect(
      role('insertion')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['thorough'])
    expect(page.getByLabelText('After').element().querySelector('del')).toBeNull()
  },
)

story(
  'a comparison with an empty text says so, and without a text shows its header alone',
  () => (
    <>
      {diff('', 'New words')}
      {diff(undefined, 'Other words')}
    </>
  ),
  async () => {
    expect(text('No text.').elements()).toHaveLength(1)
    expect(page.getByText('Version 1').elements()).toHaveLength(2)
    expect(page.getByLabelText('Before').elements()).toEqual([])
  },
)

const tools = ['calculator', 'gmail', 'arxiv', 'webScraper', 'serpAPI', 'codeInterpreter', 'mine', 'other']

story(
  'six tools are drawn with their names, and the others are counted',
  () => <ToolIcons tools={tools.map((name) => ({ name, label: `The ${name}` }))} />,
  async () => {
    expect(
      role('img')
        .elements()
        .map((each) => each.getAttribute('aria-label')),
    ).toEqual([...tools.slice(0, 6).map((name) => `The ${name}`), 'The mine, The other'])
    await expect.element(text('+2')).toBeVisible()
  },
)

const json = { name: 'Ada', tags: ['a', 'b'], address: { city: 'London' }, none: null, yes: true }

story(
  'JSON is a tree: arrow keys move, and fold and unfold',
  () => <JsonView label="Answer" value={json} />,
  async () => {
    const tree = role('tree', 'Answer')
    await tree.click({ position: { x: 2, y: 2 } })
    ;(tree.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    const tags = role('treeitem', /^tags/)
    await expect.element(tags).toHaveAttribute('aria-selected', 'true')
    await expect.element(tags).toHaveAttribute('aria-expanded', 'true')
    expect(tree.element().getAttribute('aria-activedescendant')).toBe(tags.element().id)
    await userEvent.keyboard('{ArrowLeft}')
    await expect.element(tags).toHaveAttribute('aria-expanded', 'false')
    await expectWords(tags, '2 items')
    await userEvent.keyboard('{End}')
    await expect.element(role('treeitem', /^yes/)).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{ArrowDown}{Home}{ArrowUp}')
    await expect.element(role('treeitem', /^name/)).toHaveAttribute('aria-selected', 'true')
  },
)

story(
  'a selected row of JSON offers its path and its value',
  (tell) => {
    withClipboard(async (words) => tell(words))
    return <JsonView label="Answer" value={json} />
  },
  async ({ told }) => {
    await role('treeitem', /^city/).click()
    await expect.element(text('address.city')).toBeVisible()
    await role('button', 'Copy path').click()
    await role('button', 'Copy value').click()
    await role('treeitem', /^address/).click()
    await expect.element(role('treeitem', /^city/)).not.toBeInTheDocument()
    await role('button', 'Copy value').click()
    expect(told).toEqual(['address.city', 'London', JSON.stringify({ city: 'London' }, null, 2)])
  },
)

story(
  'a long list of JSON shows its first hundred entries and counts the others',
  () => <JsonView label="Numbers" value={Array.from({ length: 103 }, (_, index) => index)} />,
  async () => {
    expect(role('treeitem').elements()).toHaveLength(101)
    await expect.element(text('3 more. Copy the value to see all.')).toBeInTheDocument()
  },
)

function Remembered() {
  const [size, setSize] = useLocalStorage('size', ['small', 'large'])
  const [shown, setShown] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setSize('large')}>
        Larger
      </button>
      <button type="button" onClick={() => setShown(!shown)}>
        It is {size}
      </button>
    </>
  )
}

story(
  'a choice is kept in the browser',
  () => <Remembered />,
  async () => {
    await expect.element(text('It is small')).toBeVisible()
    await role('button', 'Larger').click()
    await expect.element(text('It is large')).toBeVisible()
    expect(localStorage.getItem('size')).toBe('large')
  },
)
