import { Button } from '@chakra-ui/react'
import { confirm } from '../../state/confirm.ts'
import { keepFailure } from '../../state/failure.ts'
import { notify } from '../../state/notify.ts'
import { expect, expectWords, page, role, story, text, userEvent } from '../../workshop/story.tsx'
import { ErrorState } from './ErrorState.tsx'
import { Notice } from './Notice.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { ShownOnceDialog } from './ShownOnceDialog.tsx'

story(
  'an error is announced, says why, and can be tried again',
  (tell) => <ErrorState title="Couldn’t load variables" text="The server is busy." onRetry={() => tell('again')} />,
  async ({ told }) => {
    await expectWords(role('alert'), 'Couldn’t load variables')
    await expect.element(text('The server is busy.')).toBeVisible()
    await role('button', 'Try again').click()
    expect(told).toEqual(['again'])
  },
)

story(
  'an error without a way to try again has no button',
  () => <ErrorState isPage title="Couldn’t open the page" text="Reload it." />,
  async () => {
    await expect.element(role('heading', 'Couldn’t open the page')).toBeVisible()
    expect(role('heading', 'Couldn’t open the page').element().tagName).toBe('H1')
    expect(role('button').elements()).toEqual([])
  },
)

story(
  'an error of the server shows the request id to quote',
  () => {
    keepFailure({ call: 'GET /variables', message: 'Something broke', requestId: 'req-42' })
    return <ErrorState title="Couldn’t load variables" text="Something broke" />
  },
  async () => {
    await expect.element(text('Request req-42. Quote it when you ask for help.')).toBeVisible()
  },
)

story(
  'an error does not show the request id of another failure',
  () => {
    keepFailure({ call: 'GET /tools', message: 'Another thing broke', requestId: 'req-42' })
    return <ErrorState title="Couldn’t load variables" text="Something broke" />
  },
  async () => {
    await expect.element(text('Something broke')).toBeVisible()
    expect(text(/req-42/).elements()).toEqual([])
  },
)

story(
  'a danger is announced, and other notices are notes',
  () => (
    <>
      <Notice>Saved as a draft</Notice>
      <Notice kind="success">Published</Notice>
      <Notice kind="warning">It has no model</Notice>
      <Notice kind="danger">It could not be saved</Notice>
    </>
  ),
  async () => {
    await expectWords(role('alert'), 'It could not be saved')
    expect(
      role('note')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Saved as a draft', 'Published', 'It has no model'])
  },
)

story(
  'progress is told as a whole number of percent',
  () => <ProgressBar label="Reading" percent={33.4} />,
  async () => {
    await expect.element(role('progressbar', 'Reading')).toHaveAttribute('aria-valuenow', '33')
    const bar = role('progressbar', 'Reading').element().firstElementChild as HTMLElement
    expect(bar.style.width).toBe('33.4%')
  },
)

story(
  'progress of unknown length has no percentage, and says its state in words',
  () => <ProgressBar thin label="Reading" percent={undefined} text="Counting the pages" />,
  async () => {
    const bar = role('progressbar', 'Reading')
    await expect.element(bar).not.toHaveAttribute('aria-valuenow')
    await expect.element(bar).toHaveAttribute('aria-valuetext', 'Counting the pages')
  },
)

story(
  'a new secret is shown once, and a click beside it does not lose it',
  (tell) => (
    <ShownOnceDialog title="API key “Website”" label="API key" value="key-123" onClose={() => tell('closed')} />
  ),
  async ({ told }) => {
    await expect.element(role('dialog', 'API key “Website”')).toBeVisible()
    await expect.element(role('textbox', 'API key')).toHaveValue('key-123')
    await expect.element(role('textbox', 'API key')).toHaveAttribute('readonly')
    await expect.element(text('Copy it now: it cannot be shown again.')).toBeVisible()
    await userEvent.click(document.querySelector('[data-part=positioner]') as Element, { position: { x: 5, y: 5 } })
    expect(told).toEqual([])
    await role('button', 'Done').click()
    expect(told).toEqual(['closed'])
  },
)

const asks = (tell: (value: unknown) => void, danger = true) => (
  <Button
    onClick={async () =>
      tell(
        await confirm({
          title: 'Delete “Support”?',
          description: 'This can’t be undone.',
          confirmButtonName: 'Delete',
          danger,
        }),
      )
    }
  >
    Delete
  </Button>
)

story(
  'a confirmation begins at Cancel, so that Enter destroys nothing',
  (tell) => asks(tell),
  async ({ told }) => {
    await role('button', 'Delete').click()
    await expect.element(role('alertdialog', 'Delete “Support”?')).toBeVisible()
    await expect.element(role('button', 'Cancel')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => told).toEqual([false])
    await expect.element(role('alertdialog')).not.toBeInTheDocument()
  },
)

story(
  'a confirmation answers yes by its button and no by Escape',
  (tell) => asks(tell, false),
  async ({ told }) => {
    await role('button', 'Delete').click()
    await expect.element(text('This can’t be undone.')).toBeVisible()
    await role('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => told).toEqual([true])
    await expect.element(role('alertdialog')).not.toBeInTheDocument()
    await role('button', 'Delete').click()
    await expect.element(role('button', 'Cancel')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => told).toEqual([true, false])
  },
)

const toasts = () => page.getByRole('region', { name: 'Notifications' })

story(
  'a success is said politely and an error at once, with its reason',
  () => (
    <Button
      onClick={() => {
        notify.success('Variable saved')
        notify.error('Couldn’t save', 'The name is taken.')
      }}
    >
      Save
    </Button>
  ),
  async () => {
    await role('button', 'Save').click()
    await expectWords(toasts().getByRole('status'), 'Variable saved')
    await expectWords(toasts().getByRole('alert'), 'The name is taken.')
    await expect.element(toasts().getByRole('img', { name: 'Error' })).toBeVisible()
  },
)

story(
  'a toast offers its action, and goes with it',
  (tell) => (
    <Button onClick={() => notify.success('Deleted', { label: 'Undo', run: () => tell('undone') })}>Delete</Button>
  ),
  async ({ told }) => {
    await role('button', 'Delete').click()
    await toasts().getByRole('button', { name: 'Undo' }).click()
    expect(told).toEqual(['undone'])
    await expect.element(toasts().getByText('Deleted')).not.toBeInTheDocument()
  },
)

story(
  'more than three toasts wait, and all can be closed at once',
  () => (
    <Button
      onClick={() => {
        for (const name of ['one', 'two', 'three', 'four', 'five']) notify.error(name)
      }}
    >
      Fail
    </Button>
  ),
  async () => {
    await role('button', 'Fail').click()
    await expect.element(toasts().getByText('three')).toBeVisible()
    expect(toasts().getByText('four').elements()).toEqual([])
    await toasts().getByRole('button', { name: 'Close all (2 more waiting)' }).click()
    await expect.element(toasts().getByRole('alert')).not.toBeInTheDocument()
  },
  { width: 'phone' },
)

story(
  'one toast of several is dismissed alone',
  () => (
    <Button
      onClick={() => {
        notify.error('one')
        notify.error('two')
      }}
    >
      Fail
    </Button>
  ),
  async () => {
    await role('button', 'Fail').click()
    await toasts().getByRole('button', { name: 'Dismiss' }).first().click()
    await expect.element(toasts().getByText('one')).not.toBeInTheDocument()
    await expect.element(toasts().getByText('two')).toBeVisible()
    expect(
      toasts()
        .getByRole('button', { name: /Close all/ })
        .elements(),
    ).toEqual([])
  },
)
