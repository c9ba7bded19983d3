import { expect, type Locator, type Page } from '@playwright/test'

/** The window as a person operates it: by the names on it (INTERFACES, "Window"). */
export class CausewayWindow {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get status(): Locator {
    return this.page.getByRole('status')
  }

  get disconnectButton(): Locator {
    return this.page.getByRole('button', { name: 'Disconnect' })
  }

  get logInButton(): Locator {
    return this.page.getByRole('button', { name: 'Log in' })
  }

  get logOutButton(): Locator {
    return this.page.getByRole('button', { name: 'Log out' })
  }

  get alerts(): Locator {
    return this.page.getByRole('alert')
  }

  profile(name: string): Locator {
    return this.page.getByRole('listitem').filter({ hasText: name })
  }

  /** The value beside a name in the details of the connection. */
  detail(name: string): Locator {
    return this.status
      .locator('div')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .last()
      .getByRole('definition')
  }

  async addInstance(address: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Address' }).fill(address)
    await this.page.getByRole('button', { name: 'Add instance', exact: true }).click()
  }

  async show(view: 'Connection' | 'Messages' | 'Settings'): Promise<void> {
    await this.page.getByRole('link', { name: view }).click()
  }

  /** Presses Connect of a profile. */
  async connect(profile: string): Promise<void> {
    await this.profile(profile).getByRole('button', { name: 'Connect' }).click()
  }

  async expectWord(word: 'Connecting' | 'Connected' | 'Disconnected'): Promise<void> {
    await expect(this.status.getByText(word, { exact: true })).toBeVisible()
  }

  async expectSentence(sentence: string | RegExp): Promise<void> {
    await expect(this.status.getByText(sentence)).toBeVisible()
  }

  async disconnect(): Promise<void> {
    await this.disconnectButton.click()
    await this.expectWord('Disconnected')
  }

  /** An error with its code and these words. */
  async expectError(code: string, words: string): Promise<void> {
    const alert = this.alerts.filter({ hasText: `Code: ${code}` })
    await expect(alert).toHaveCount(1)
    await expect(alert).toContainText(words)
  }
}
