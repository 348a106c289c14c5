import { expect, type Locator } from '@playwright/test'

/**
 * Ticks a checkbox by its label, or clears it. The input itself is one hidden pixel: a forced click on it waits for
 * nothing, and fails while the page still moves.
 */
export async function setCheckbox(box: Locator, isOn: boolean): Promise<void> {
  await expect(box).toBeChecked({ checked: !isOn })
  await box.locator('xpath=ancestor::label').click()
  await expect(box).toBeChecked({ checked: isOn })
}
