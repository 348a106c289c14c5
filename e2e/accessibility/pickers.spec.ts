import { expect, expectAccessible, expectLoaded, expectStatus, test } from '../support/test.ts'

const LISTS = [
  { create: 'New credential', search: 'Search services', wanted: 'compatible', found: /^OpenAI API/ },
  { create: 'Add loader', search: 'Search loaders', wanted: 'plain', found: /^Plain Text/ },
]

for (const { create, search, wanted, found } of LISTS)
  test(`${create} picks from a list by keyboard alone`, async ({ page, api }) => {
    const store = await api.post<{ id: string }>('/document-store/store', { name: 'Handbook' })
    await page.goto(create === 'Add loader' ? `/document-stores/${store.id}` : '/credentials')
    if (create !== 'Add loader') await expectLoaded(page)
    const opener = page.getByRole('button', { name: create, exact: true }).first()
    await expect(opener).toBeEnabled()
    await opener.press('Enter')
    const list = page.getByRole('dialog', { name: create })
    const box = list.getByRole('searchbox', { name: search })
    const item = (at: number) => list.getByRole('listitem').nth(at).getByRole('button')
    await expect(item(1)).toBeVisible()
    await expect(box).toBeFocused()
    await expectAccessible(page, '[role=dialog]')

    await page.keyboard.press('Enter')
    await expect(box).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(item(0)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(item(1)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(list.getByRole('button', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(item(1)).toBeFocused()
    await page.keyboard.press('End')
    await expect(list.getByRole('listitem').last().getByRole('button')).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowUp')
    await expect(box).toBeFocused()

    await page.keyboard.type('zzz')
    await expectStatus(list, /^No /)
    await box.fill('')
    await page.keyboard.press('ArrowDown')
    await expect(item(0)).toBeFocused()
    await page.keyboard.type(wanted)
    await expect(box).toBeFocused()
    await expect(box).toHaveValue(wanted)
    await expect(item(0)).toHaveAccessibleName(found)

    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await expect(opener).toBeFocused()
    await opener.press('Enter')
    await page.keyboard.type(wanted)
    await expect(item(0)).toHaveAccessibleName(found)
    await page.keyboard.press('Enter')
    await expect(box).toBeHidden()
    await api.delete(`/document-store/store/${store.id}`)
  })
