import { Button } from '@chakra-ui/react'
import { expect, role, story, text } from '../../workshop/story.tsx'
import { EmptyState } from './EmptyState.tsx'

story(
  'an empty list says what could stand there and offers the first step',
  (tell) => (
    <EmptyState
      title="No variables yet"
      text="Store values once."
      action={<Button onClick={() => tell('add')}>Add variable</Button>}
    />
  ),
  async ({ told }) => {
    await expect.element(role('heading', 'No variables yet')).toBeVisible()
    await expect.element(text('Store values once.')).toBeVisible()
    await role('button', 'Add variable').click()
    expect(told).toEqual(['add'])
  },
)
