import { useState } from 'react'
import { expect, expectWords, page, role, story, text, tick, userEvent } from '../../workshop/story.tsx'
import { AssetPage } from './AssetPage.tsx'
import { ChoiceFilter, DateFilter, TextFilter } from './filters.tsx'
import { ListPage, type ListPageProps } from './ListPage.tsx'
import { NameButton } from './NameButton.tsx'
import { Pager } from './Pager.tsx'
import { PickerDialog, type PickerItem } from './PickerDialog.tsx'
import { RowMenu } from './RowMenu.tsx'
import { SelectCheckbox } from './SelectCheckbox.tsx'
import { useSelection } from './use-selection.ts'

interface Fruit {
  id: string
  name: string
  updatedDate: string
}

const fruit = (name: string, day = 1): Fruit => ({ id: name, name, updatedDate: `2026-01-0${day}T00:00:00.000Z` })
const fruits = [fruit('Apple', 1), fruit('Banana', 3), fruit('Cherry 10', 2), fruit('Cherry 9', 2)]
const noList = { rows: [], error: null, retry: () => {} }

const listOf = (change: Partial<ListPageProps<Fruit>>): ListPageProps<Fruit> => ({
  title: 'Fruit',
  purpose: 'What grows on trees.',
  noun: 'fruit',
  list: noList,
  columns: [{ header: 'Name', cell: ({ name }) => name }],
  search: { value: '', onChange: () => {} },
  empty: { title: 'No fruit yet', text: 'Plant a tree.' },
  ...change,
})

story(
  'a list that loads says so to screen readers',
  () => <ListPage {...listOf({ list: { ...noList, rows: undefined } })} />,
  async () => {
    await expect.element(role('status', 'Loading fruit')).toBeInTheDocument()
    await expect.element(role('searchbox', 'Search fruit')).toBeVisible()
  },
)

story(
  'a list that could not load can be tried again, and nothing can be searched',
  (tell) => (
    <ListPage
      {...listOf({ list: { rows: undefined, error: new Error('The server is busy'), retry: () => tell('again') } })}
    />
  ),
  async ({ told }) => {
    await expectWords(role('alert'), 'Couldn’t load fruit')
    await expectWords(role('alert'), 'The server is busy')
    expect(role('searchbox').elements()).toEqual([])
    await role('button', 'Try again').click()
    expect(told).toEqual(['again'])
  },
)

story(
  'rows stay when a later load fails',
  () => <ListPage {...listOf({ list: { rows: fruits, error: new Error('Offline'), retry: () => {} } })} />,
  async () => {
    await expect.element(role('table', 'fruit')).toBeVisible()
    expect(role('alert').elements()).toEqual([])
  },
)

story(
  'an empty list has one place to begin, and no search',
  (tell) => (
    <ListPage
      {...listOf({
        actions: <button type="button">In the header</button>,
        empty: {
          title: 'No fruit yet',
          text: 'Plant a tree.',
          action: (
            <button type="button" onClick={() => tell('planted')}>
              Plant
            </button>
          ),
        },
      })}
    />
  ),
  async ({ told }) => {
    await expect.element(role('heading', 'No fruit yet')).toBeVisible()
    expect(role('button', 'In the header').elements()).toEqual([])
    expect(role('searchbox').elements()).toEqual([])
    await role('button', 'Plant').click()
    expect(told).toEqual(['planted'])
  },
)

story(
  'a search without a hit says so and can be changed',
  (tell) => <ListPage {...listOf({ search: { value: 'xyz', onChange: tell } })} />,
  async ({ told }) => {
    await expect.element(text('No fruit match “xyz”.')).toBeVisible()
    await role('searchbox', 'Search fruit').fill('a')
    expect(told).toEqual(['a'])
  },
)

story(
  'cards and table can be switched, and the choice is remembered',
  () => <ListPage {...listOf({ list: { ...noList, rows: fruits }, card: ({ name }) => <b>{name}</b> })} />,
  async () => {
    await expect.element(role('button', 'Cards')).toHaveAttribute('aria-pressed', 'true')
    expect(role('table').elements()).toEqual([])
    await role('button', 'Table').click()
    await expect.element(role('table', 'fruit')).toBeVisible()
    await expect.element(role('button', 'Table')).toHaveAttribute('aria-pressed', 'true')
    expect(localStorage.getItem('view:fruit')).toBe('table')
  },
)

story(
  'more rows load when they are asked for',
  (tell) => <ListPage {...listOf({ list: { ...noList, rows: fruits, loadMore: () => tell('more') } })} />,
  async ({ told }) => {
    expect(role('row').elements()).toHaveLength(5)
    await role('button', 'Load more').click()
    expect(told).toEqual(['more'])
  },
)

story(
  'while more rows load, they are not asked for again',
  () => <ListPage {...listOf({ list: { ...noList, rows: fruits, loadMore: () => {}, loadingMore: true } })} />,
  async () => {
    await expect.poll(() => page.getByRole('button').elements().at(-1)).toBeDisabled()
  },
)

const names = () =>
  role('row')
    .elements()
    .slice(1)
    .map((row) => row.querySelector('td')?.textContent)

const fruitPage = (tell: (value: unknown) => void, may = true) => (
  <AssetPage<Fruit>
    title="Fruit"
    purpose="What grows on trees."
    noun="fruit"
    query={{ data: fruits, error: null, refetch: () => {} }}
    nameOf={({ name }) => name}
    columns={[{ header: 'Name', cell: ({ name }) => name }]}
    create={may && { label: 'New fruit', onClick: () => tell('new') }}
    onEdit={may && (({ name }) => tell(`edit ${name}`))}
    onDelete={may && (({ name }) => tell(`delete ${name}`))}
    actionsOf={({ name }) => (may ? [{ label: 'Peel', onSelect: () => tell(`peel ${name}`) }] : [])}
    empty={{ title: 'No fruit yet', text: 'Plant a tree.' }}
  >
    {null}
  </AssetPage>
)

story(
  'assets are sorted by the last change, and by name with numbers in order',
  (tell) => fruitPage(tell),
  async () => {
    await expect.poll(names).toEqual(['Banana', 'Cherry 10', 'Cherry 9', 'Apple'])
    await role('combobox', 'Sort by').selectOptions('Name')
    await expect.poll(names).toEqual(['Apple', 'Banana', 'Cherry 9', 'Cherry 10'])
    await role('searchbox', 'Search fruit').fill(' CHERRY ')
    await expect.poll(names).toEqual(['Cherry 9', 'Cherry 10'])
  },
)

story(
  'a row has its actions in a menu, in the order edit, others, delete',
  (tell) => fruitPage(tell),
  async ({ told }) => {
    await role('button', 'New fruit').click()
    await role('button', 'Actions for Apple').click()
    await expect.element(role('menuitem', 'Delete')).toBeVisible()
    expect(
      role('menuitem')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Edit', 'Peel', 'Delete'])
    await role('menuitem', 'Peel').click()
    await role('button', 'Actions for Banana').click()
    await role('menuitem', 'Delete').click()
    await expect.poll(() => told).toEqual(['new', 'peel Apple', 'delete Banana'])
  },
)

story(
  'a menu opens by an arrow key, and Enter takes its first action',
  (tell) => <RowMenu of="Apple" actions={[{ label: 'Edit', onSelect: () => tell('edit') }]} />,
  async ({ told }) => {
    ;(role('button', 'Actions for Apple').element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(role('menuitem', 'Edit')).toBeVisible()
    await expect.element(role('menu')).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.poll(() => told).toEqual(['edit'])
  },
)

story(
  'somebody who may only look has no button and no menu',
  (tell) => fruitPage(tell, false),
  async () => {
    await expect.poll(names).toHaveLength(4)
    expect(role('button').elements()).toEqual([])
  },
  { width: 'phone' },
)

story(
  'a name opens its row for those who may, and is text for others',
  (tell) => (
    <>
      <NameButton name="Support" onOpen={() => tell('opened')} />
      <NameButton name={'Very long name '.repeat(20)} onOpen={false} />
    </>
  ),
  async ({ told }) => {
    await role('button', 'Support').click()
    expect(told).toEqual(['opened'])
    expect(role('button').elements()).toHaveLength(1)
  },
)

story(
  'the first page has no page before it',
  (tell) => <Pager page={1} last={2} words={['Newer', 'Older']} onPage={tell} />,
  async ({ told }) => {
    await expect.element(text('Page 1 of 2')).toBeVisible()
    await expect.element(role('button', 'Newer')).toBeDisabled()
    await role('button', 'Older').click()
    expect(told).toEqual([2])
  },
)

story(
  'the last page of a list that may go on says so',
  (tell) => <Pager isOpenEnded page={3} last={3} words={['Newer', 'Older']} onPage={tell} />,
  async ({ told }) => {
    await expect.element(text('Page 3 of 3+')).toBeVisible()
    await expect.element(role('button', 'Older')).toBeDisabled()
    await role('button', 'Newer').click()
    expect(told).toEqual([2])
  },
)

story(
  'filters apply at once, and a text on Enter or when it is left',
  (tell) => (
    <>
      <ChoiceFilter label="State" options={[['ok', 'Finished']]} onChange={(value) => tell(value)} />
      <TextFilter label="Session" value="abc" onCommit={(value) => tell(value)} />
      <DateFilter label="Until" endOfDay onChange={(value) => tell(value)} />
    </>
  ),
  async ({ told }) => {
    await role('combobox', 'State').selectOptions('Finished')
    await role('textbox', 'Session').fill(' def ')
    expect(told).toEqual(['ok'])
    await userEvent.keyboard('{Enter}')
    await page.getByLabelText('Until').fill('2026-03-09')
    const end = new Date(2026, 2, 9, 23, 59, 59, 999).toISOString()
    expect(told).toContain('def')
    expect(told.at(-1)).toBe(end)
  },
)

story(
  'a filter that was set can be taken away',
  (tell) => (
    <>
      <ChoiceFilter label="State" value="ok" options={[['ok', 'Finished']]} onChange={(value) => tell(value)} />
      <DateFilter label="From" value={new Date(2026, 2, 9).toISOString()} onChange={(value) => tell(value)} />
    </>
  ),
  async ({ told }) => {
    await expect.element(page.getByLabelText('From')).toHaveValue('2026-03-09')
    await role('combobox', 'State').selectOptions('Any')
    await page.getByLabelText('From').fill('')
    expect(told).toEqual([undefined, undefined])
  },
)

function Selected({ tell }: { tell(value: unknown): void }) {
  const { selected, has, toggle, all, clear } = useSelection(['a', 'b'])
  return (
    <>
      <SelectCheckbox label="Select all" {...all} />
      {['a', 'b'].map((id) => (
        <SelectCheckbox key={id} label={`Select ${id}`} checked={has(id)} onChange={(on) => toggle(id, on)} />
      ))}
      <button type="button" onClick={() => tell(selected)}>
        Tell
      </button>
      <button type="button" onClick={clear}>
        Clear
      </button>
    </>
  )
}

story(
  'rows are selected one by one or all at once',
  (tell) => <Selected tell={tell} />,
  async ({ told }) => {
    const all = () => role('checkbox', 'Select all')
    await tick(role('checkbox', 'Select b'))
    expect(all().element().closest('label')).toHaveAttribute('data-state', 'indeterminate')
    await role('button', 'Tell').click()
    await tick(all())
    await expect.element(role('checkbox', 'Select a')).toBeChecked()
    await role('button', 'Tell').click()
    await role('button', 'Clear').click()
    await expect.element(all()).not.toBeChecked()
    await role('button', 'Tell').click()
    expect(told).toEqual([['b'], ['a', 'b'], []])
  },
)

const items: PickerItem[] = [
  { id: 'a', label: 'Anthropic', detail: 'Claude', isCurrent: true },
  { id: 'b', label: 'Busy', disabled: true },
  { id: 'c', label: 'Cohere' },
]

function Picker({ tell }: { tell(value: unknown): void }) {
  const [search, setSearch] = useState('')
  const found = items.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
  return (
    <PickerDialog
      title="Choose a provider"
      noun="providers"
      search={search}
      onSearch={setSearch}
      groups={found.length > 0 ? [{ title: 'Models', items: found }] : []}
      onPick={tell}
      onClose={() => tell('closed')}
    />
  )
}

story(
  'Enter in the search takes the first hit, and Escape closes',
  (tell) => <Picker tell={tell} />,
  async ({ told }) => {
    await expect.element(role('searchbox', 'Search providers')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(told).toEqual([])
    await userEvent.keyboard('co{Enter}')
    expect(told).toEqual(['c'])
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => told).toEqual(['c', 'closed'])
  },
)

story(
  'arrow keys move among the items that can be picked, and typing goes back to the search',
  (tell) => <Picker tell={tell} />,
  async ({ told }) => {
    await expect.element(role('searchbox')).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(role('button', /Anthropic/)).toHaveFocus()
    await expect.element(role('button', /Anthropic/)).toHaveAttribute('aria-current', 'true')
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(role('button', 'Cohere')).toHaveFocus()
    await userEvent.keyboard('{Home}')
    await expect.element(role('button', /Anthropic/)).toHaveFocus()
    await userEvent.keyboard('{End}{Enter}')
    await expect.poll(() => told).toEqual(['c'])
    await userEvent.keyboard('x')
    await expect.element(role('searchbox')).toHaveValue('x')
    await expect.element(text('No providers match “x”.')).toBeVisible()
  },
)
