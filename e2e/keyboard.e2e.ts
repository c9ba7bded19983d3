import type { Page } from '@playwright/test'
import { approveWithoutBrowser } from './browser'
import { expect, test } from './fixtures'
import { expectTunnel, noTunnel } from './tunnel'

const { step } = test

/** Describes the focused element: its name, and whether the focus is visible. */
const focused = `(() => {
  const element = document.activeElement
  const style = getComputedStyle(element)
  const labelledBy = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id))
  const labels = [...(element.labels ?? []), ...labelledBy].map((label) => label?.textContent ?? '').join(' ').trim()
  const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
  // Fields show the focus by their border, choices by the ring of their visual element.
  const field = element.matches('input, select, textarea')
  return {
    name: (element.getAttribute('aria-label') ?? (labels || element.innerText) ?? '').trim(),
    nowhere: element === document.body || element === null,
    isVisible: outlined || field,
  }
})()`

interface Focused {
  readonly name: string
  readonly nowhere: boolean
  readonly isVisible: boolean
}

/** Operates the window by keyboard only. */
class Keys {
  readonly #page: Page
  /** How many keys were pressed. */
  pressed = 0
  constructor(page: Page) {
    this.#page = page
  }

  async now(): Promise<Focused> {
    return this.#page.evaluate<Focused>(focused)
  }

  async press(key: string): Promise<void> {
    this.pressed += 1
    await this.#page.keyboard.press(key)
  }

  /**
   * Presses Tab, or another key, until an element with this name has the focus. The focus must be visible on the way.
   */
  async to(name: string | RegExp, key = 'Tab'): Promise<void> {
    const passed: string[] = []
    for (let steps = 0; steps < 80; steps += 1) {
      await this.press(key)
      const { name: here, nowhere, isVisible } = await this.now()
      // After its last element, the page loses the focus for one step.
      if (nowhere) continue
      passed.push(here)
      expect(isVisible, `the keyboard is seen at "${here}"`).toBe(true)
      if (typeof name === 'string' ? here === name : name.test(here)) return
    }
    throw new Error(`${String(name)} is not reached by ${key}, only ${passed.join(' | ')}`)
  }

  /** Expects that the focus is still on an element. */
  async expectKept(): Promise<void> {
    await expect.poll(async () => (await this.now()).nowhere, 'the keyboard is somewhere').toBe(false)
  }
}

test('everything from the first start to a tunnel, and every view, works by keyboard alone', async ({
  window,
  mock,
  handedOver,
}) => {
  const { page } = window
  const keys = new Keys(page)

  await step('adds the first instance and logs in', async () => {
    await expect(window.place).toBeFocused()
    expect(await keys.now()).toMatchObject({ isVisible: true })
    await page.keyboard.type(mock.instance)
    await keys.press('Enter')
    await expect(page.getByRole('button', { name: 'Back' })).toBeFocused()
    await approveWithoutBrowser(await handedOver.address(1))
    await expect(window.profile('Office Network')).toBeVisible()
    await keys.expectKept()
  })

  await step('connects and disconnects, and announces each change', async (info) => {
    await page.evaluate(`
      window.said = []
      new MutationObserver(() => said.push(document.querySelector('[role=status]')?.textContent ?? ''))
        .observe(document.querySelector('[role=status]'), { subtree: true, childList: true, characterData: true })`)
    await window.profile('Office Network').getByRole('button', { name: 'Connect' }).focus()
    await keys.press('Enter')
    info.skip(!(await expectTunnel(window, mock)), noTunnel)
    await keys.expectKept()
    await keys.to('Details')
    await keys.press('Enter')
    await expect(page.getByText('VPN log')).toBeVisible()
    await keys.expectKept()
    await keys.to('Disconnect', 'Shift+Tab')
    await keys.press('Enter')
    await window.expectWord('Not connected')
    await keys.expectKept()
    const output = (await page.evaluate<string[]>('said')).join('\n')
    for (const word of ['Connecting', 'Connected', 'Not connected']) expect(output).toContain(word)
  })

  await step('opens each view and moves the focus into it', async () => {
    for (const view of ['Messages', 'Attachments', 'News', 'Organization', 'Settings', 'Connection']) {
      await keys.to(view, 'Shift+Tab')
      await keys.press('Enter')
      await expect(page.getByRole('link', { name: view, exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      )
      // Where the person goes on, not the view as a whole.
      await expect(page.getByRole('main', { name: view }).locator(':focus')).toHaveCount(1)
    }
  })

  await step('moves through lists with arrow keys and leaves them with Escape', async () => {
    await keys.press('ControlOrMeta+3')
    const list = page.getByRole('list', { name: 'List of attachments' })
    await expect(list.getByRole('button').first()).toBeVisible()
    await list.getByRole('button').first().focus()
    await keys.press('ArrowDown')
    await expect(list.getByRole('button').nth(1)).toBeFocused()
    await keys.press('Enter')
    const details = page.getByRole('region', { name: 'Details' })
    await expect(details.getByRole('heading')).toBeVisible()
    await keys.expectKept()
    await keys.to('Back to the list')
    await keys.press('Escape')
    await expect(details.getByRole('heading')).toHaveCount(0)
    await keys.expectKept()

    await keys.press('ControlOrMeta+4')
    await expect(page.getByRole('list', { name: 'Entries' }).getByRole('button').first()).toBeVisible()
    await keys.to('Community')
    await keys.press('ArrowRight')
    await expect(page.getByRole('list', { name: 'News items' })).toBeVisible()
    await keys.expectKept()
  })

  await step('changes settings', async () => {
    await keys.press('ControlOrMeta+6')
    await keys.to('Connection')
    await keys.press('Enter')
    await expect(page.getByRole('heading', { name: 'Connection', level: 2 })).toBeFocused()
    await keys.to(/^Use TCP only/)
    await keys.press('Space')
    await expect(page.getByRole('switch', { name: 'Use TCP only' })).toBeChecked()
    await keys.to('Services')
    await keys.press('Enter')
    await expect(page.getByRole('heading', { name: 'Services', level: 2 })).toBeFocused()
    await keys.to('Remove')
    await keys.press('Enter')
    await keys.expectKept()
    await keys.to('Keep')
    await keys.press('Enter')
    await keys.expectKept()
  })
})

test('the main job takes at most 12 keys from a stored service', async ({ launch, mock, handedOver }) => {
  const first = await launch()
  await first.window.addInstance(mock.instance)
  await first.quit()
  const opened = handedOver.count
  const { window } = await launch()
  const keys = new Keys(window.page)
  await expect(window.logInButton).toBeVisible()
  await keys.to('Skip to content')
  await keys.press('Enter')
  await expect(window.logInButton).toBeFocused()
  await keys.press('Enter')
  await approveWithoutBrowser(await handedOver.address(opened + 1))
  await expect(window.profile('Office Network')).toBeVisible()
  await keys.press('ControlOrMeta+Enter')
  test.skip(!(await expectTunnel(window, mock)), noTunnel)
  await keys.press('ControlOrMeta+Enter')
  await window.expectWord('Not connected')
  expect(keys.pressed).toBeLessThanOrEqual(12)
})
