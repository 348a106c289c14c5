import { account } from '../support/account.ts'
import { lastRun } from '../support/api.ts'
import { approvalRequest, ask, messages, openCanvas, openChat } from '../support/canvas.ts'
import { drawApproval } from '../support/draw.ts'
import { makeFirstAccount } from '../support/first-account.ts'
import { test } from '../support/isolated-server.ts'
import { expect, toast } from '../support/test.ts'

test('what a run asks is still asked when the product was killed and started again, and is answered once', async ({
  page,
  api,
  model,
  product,
}) => {
  // Two starts of the product take their time on a busy machine.
  test.slow()
  await makeFirstAccount(page, account)

  const { id: flowId } = await api.createFlow('Headlines', await drawApproval(api, model.baseUrl))
  await openCanvas(page, flowId)
  await openChat(page)
  model.reply({ text: '**Winter** is coming' })
  await ask(page, 'A headline for winter')
  // Formatted, so that the page has all that it shows answers with.
  await expect(approvalRequest(page, 'Editor').locator('strong')).toHaveText('Winter')

  await product.restart()
  await page.reload()
  await openChat(page)
  await expect(approvalRequest(page, 'Editor')).toContainText(/Winter is coming.*Print this\?/s)
  const { id } = await lastRun(api, flowId)
  const trace = await page.context().newPage()
  await trace.goto(`/executions/${id}`)
  const there = trace.getByRole('group', { name: 'Editor needs your approval' })
  await expect(there).toBeVisible()

  await approvalRequest(page, 'Editor').getByRole('button', { name: 'Proceed' }).click()
  await expect(messages(page)).toContainText('Printed.')
  await expect(approvalRequest(page, 'Editor')).toBeHidden()

  await there.getByRole('button', { name: 'Reject' }).click()
  await expect(toast(trace, /already answered/)).toBeVisible()
  await expect(there).toBeHidden()
  const steps = trace.getByRole('navigation', { name: 'Steps' }).getByRole('button')
  await expect(steps).toHaveText([/Start.*Finished/, /Writer.*Finished/, /Editor.*Finished/, /Press.*Finished/])
  expect(model.requests).toHaveLength(1)
  expect(await lastRun(api, flowId)).toMatchObject({ id, state: 'FINISHED' })
})
