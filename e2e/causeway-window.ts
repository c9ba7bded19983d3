import { expect, type Locator, type Page } from '@playwright/test'

/** Page object of the window, by accessible names. */
export class CausewayWindow {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get status(): Locator {
    return this.page.getByRole('status')
  }

  /** The technical side of the connection. */
  get details(): Locator {
    return this.page.getByRole('region', { name: 'Details' })
  }

  get disconnectButton(): Locator {
    return this.page.getByRole('button', { name: 'Disconnect', exact: true })
  }

  /** The one in the list: the stage may offer to sign in again. */
  get logInButton(): Locator {
    return this.page.getByRole('button', { name: 'Sign in', exact: true })
  }

  /** The first profile, which is there only after a login. */
  get firstProfile(): Locator {
    return this.page.getByRole('region', { name: 'Services and profiles' }).getByRole('listitem').first()
  }

  /** The state of the connection, with its drawing and buttons. */
  get stage(): Locator {
    return this.page.getByRole('region', { name: 'Connection' })
  }

  get cancelButton(): Locator {
    return this.stage.getByRole('button', { name: 'Cancel' })
  }

  /** Chooses from the menu of the only service. */
  async choose(item: string): Promise<void> {
    await this.page.getByRole('button', { name: /^More for / }).click()
    await this.page.getByRole('menuitem', { name: item }).click()
  }

  get alerts(): Locator {
    return this.page.getByRole('alert')
  }

  profile(name: string): Locator {
    return this.page.getByRole('listitem').filter({ hasText: name })
  }

  /** The value beside a name in the connection's details, which have to be open. */
  detail(name: string): Locator {
    return this.details
      .locator('div')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .last()
      .getByRole('definition')
  }

  /** An error or a notice; the code is under its "More". */
  note(code: string): Locator {
    return this.page
      .locator('div[data-tone]')
      .filter({ has: this.page.getByText(`Code: ${code}`, { exact: true }) })
  }

  /** The field of the first screen and of the dialog to add a service. */
  get place(): Locator {
    return this.page.getByRole('textbox', {
      name: /^(?:Where do you study or work\?|Enter the VPN address)$/,
    })
  }

  /** Names a place to study or work at, on the first screen or in the dialog, and continues in the browser. */
  async continueWith(place: string): Promise<void> {
    await this.place.fill(place)
    await this.page.getByRole('button', { name: 'Continue', exact: true }).click()
  }

  /** Runs a command as the page does; resolves with its result, which may be an error. */
  run(name: string, input: object): Promise<unknown> {
    return this.page.evaluate(`causeway.run('${name}', ${JSON.stringify(input)})`)
  }

  /** Adds a service without signing in to it, as the terminal command does. */
  async addInstance(address: string): Promise<void> {
    expect(await this.run('addInstance', { address })).toMatchObject({ ok: true })
  }

  async show(view: 'Connection' | 'Messages' | 'Settings'): Promise<void> {
    await this.page.getByRole('link', { name: view }).click()
  }

  /** Opens a section of the settings. */
  async showSettings(
    section: 'General' | 'Connection' | 'Apps' | 'Services' | 'List of organizations' | 'Support' | 'About',
  ): Promise<void> {
    await this.show('Settings')
    const sections = this.page.getByRole('list', { name: 'Sections' })
    await expect(sections).toBeVisible()
    const button = sections.getByRole('button', { name: section, exact: true })
    // In a narrow window, some are in a menu.
    if (await button.isVisible()) {
      await button.click()
    } else {
      await this.page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
      await this.page.getByRole('menuitemradio', { name: section, exact: true }).click()
    }
  }

  /** Clicks Connect in the row of a profile. */
  async connect(profile: string): Promise<void> {
    await this.profile(profile)
      .getByRole('button', { name: `Connect: ${profile}` })
      .click()
  }

  /** Opens the details if they are closed. */
  async openDetails(): Promise<void> {
    const button = this.page.getByRole('button', { name: 'Details', exact: true })
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
    await expect(this.details).toBeVisible()
  }

  /** Expects the profile that the header names. */
  async expectProfile(profile: string): Promise<void> {
    await expect(this.stage.getByText(profile, { exact: true })).toBeVisible()
  }

  async expectWord(
    word: 'Connecting' | 'Connected' | 'Not connected' | "Couldn't connect" | 'Continue in your browser',
  ): Promise<void> {
    await expect(this.status.getByText(word, { exact: true })).toBeVisible()
  }

  async expectSentence(sentence: string | RegExp): Promise<void> {
    // On the line of the stage, and in the live region.
    await expect(this.stage.getByText(sentence).first()).toBeVisible()
  }

  async disconnect(): Promise<void> {
    // With a key: a click just after a change of the button does nothing.
    await this.disconnectButton.press('Enter')
    await this.expectWord('Not connected')
  }

  /** Expects one error with this code and text. */
  async expectError(code: string, words: string | RegExp): Promise<void> {
    const note = this.note(code)
    const details = this.page.getByRole('button', { name: 'Details', exact: true, expanded: false })
    // The details have the whole error of a connection.
    await expect(async () => {
      if ((await note.count()) === 0 && (await details.count()) > 0) await details.click()
      // A second click would close them again.
      await expect(note).toHaveCount(1, { timeout: 3000 })
      // A service says it too until its connection has failed.
      await expect(note.getByRole('alert')).toContainText(words, { timeout: 3000 })
    }).toPass()
  }
}
