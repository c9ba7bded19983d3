import type { Locator, Page } from '@playwright/test'
import { setWidth, widen } from './causeway-app'
import { expect, test } from './fixtures'
import { keptEntries } from './key-store'
import type { MockServer } from './mock-server'

const { step } = test

/** Page object of the organization view. */
class OrganizationView {
  readonly page: Page
  readonly #mock: MockServer

  constructor(page: Page, mock: MockServer) {
    this.page = page
    this.#mock = mock
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  field(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true })
  }

  row(login: string | RegExp): Locator {
    return this.page.getByRole('list', { name: /^Users of/ }).getByRole('button', { name: login })
  }

  get details(): Locator {
    return this.page.getByRole('region', { name: 'Details' })
  }

  get heading(): Locator {
    return this.page.getByRole('heading', { level: 2 }).first()
  }

  async scenario(name: string): Promise<void> {
    await this.#mock.control('POST', 'scenarios/all-well')
    await this.#mock.control('POST', `scenarios/${name}`)
  }

  async refresh(): Promise<void> {
    await this.button('Refresh').click()
    await expect(this.button('Refresh')).toBeEnabled()
  }

  async expectUsers(count: number): Promise<void> {
    await expect(
      this.page.getByText(`${count.toLocaleString('en')} user${count === 1 ? '' : 's'}`, { exact: true }),
    ).toBeVisible()
  }

  /** Expects an error in this part of the view. */
  async expectError(place: Locator, code: string, words: string): Promise<void> {
    const alert = place.getByRole('alert')
    await expect(alert).toContainText(words)
    await expect(alert.locator('..')).toContainText(`Code: ${code}`)
  }

  async addUser(login: string, role: string): Promise<void> {
    await this.field('User name or e-mail address').fill(login)
    await this.details.getByRole('combobox', { name: 'Role' }).selectOption(role)
    await this.button('Add').click()
  }
}

test('manages organizations and their users, and shows errors beside them', async ({
  app,
  window,
  mock,
  logIn,
}) => {
  const { page } = window
  const view = new OrganizationView(page, mock)
  const main = page.getByRole('main')
  await widen(app)
  await window.addInstance(mock.instance)
  await logIn(window)
  await page.getByRole('link', { name: 'Organization' }).click()

  await step('shows, searches and navigates the current organization', async () => {
    await view.expectUsers(7)
    await expect(view.details).toContainText('Binnenhof 1')
    await view.field('Search users').fill('olafur')
    await expect(page.getByText('1 of 7 users')).toBeVisible()
    await view.field('Search users').fill('')
    await view.row(/^tester/).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(view.details.getByRole('heading', { name: 'bram' })).toBeVisible()
  })

  await step('keeps its tools in one line at 1000 px', async () => {
    await setWidth(app, 1000)
    const tools = ['Show another organization', 'Create organization', 'Sign in to this service']
    await view.button('Back to the list').click()
    const lines = tools.map(async (name) => (await view.button(name).boundingBox())?.y)
    expect(new Set(await Promise.all(lines)).size).toBe(1)
    await widen(app)
  })

  await step('adds a user, changes their role, and removes them', async () => {
    await view.button('Add user').click()
    await view.addUser('Grace', 'Editor')
    await view.expectUsers(8)
    await expect(page.getByText('Grace was added.')).toBeVisible()
    await view.addUser('grace', 'Editor')
    await view.expectError(view.details, 'organizations/already-member', 'already a member')
    await view.addUser('nobody', 'Viewer')
    await view.expectError(view.details, 'organizations/user-not-found', "This user doesn't exist")
    await view.row(/^grace/).click()
    await view.details.getByRole('combobox', { name: 'Role' }).selectOption('Admin')
    await view.button('Change role').click()
    await expect(view.row(/^grace.*Administrator/)).toBeVisible()
    await view.button('Remove').click()
    await view.button('Remove grace').click()
    await view.expectUsers(7)
  })

  await step('explains refusals', async () => {
    await view.scenario('last-administrator')
    await view.row(/^tester/).click()
    await view.details.getByRole('combobox', { name: 'Role' }).selectOption('Viewer')
    await view.button('Change role').click()
    await view.expectError(view.details, 'organizations/last-administrator', 'Make someone else')
    await view.scenario('organization-forbidden')
    await view.button('Change role').click()
    await view.expectError(view.details, 'organizations/forbidden', 'Your role in this organization')
    await view.scenario('organization-user-removed-elsewhere')
    await view.button('Change role').click()
    await view.expectError(view.details, 'organizations/user-not-found', 'no longer exists')
    await view.scenario('organization-name-conflicts')
    await view.button('Create organization').click()
    await view.field('Name').fill('Taken')
    await view.button('Create').click()
    await view.expectError(view.details, 'organizations/name-taken', 'Choose another name')
    await view.scenario('all-well')
  })

  await step('creates, edits and deletes an organization', async () => {
    await view.field('Name').fill('Café / 1')
    await view.button('Create').click()
    await expect(view.heading).toHaveText('Café / 1')
    await view.expectUsers(1)
    await view.button('Add user').click()
    await view.addUser('zoe@example.com', 'Viewer')
    await view.expectUsers(2)
    await view.row(/^zoë/).click()
    await view.details.getByRole('combobox', { name: 'Role' }).selectOption('Editor')
    await view.button('Change role').click()
    await expect(view.row(/^zoë.*Editor/)).toBeVisible()
    await view.button('Remove').click()
    await view.button('Remove zoë').click()
    await view.expectUsers(1)
    await view.button('Edit name or address').click()
    await view.field('Name').fill('Café 2')
    await view.field('City').fill('Gent')
    await view.button('Save').click()
    await expect(view.heading).toHaveText('Café 2')
    await expect(view.details).toContainText('Gent')
    await view.button('Delete').click()
    await view.field('Type its name to confirm').fill('Café')
    await expect(view.button('Delete permanently')).toBeDisabled()
    await view.field('Type its name to confirm').fill('Café 2')
    await view.button('Delete permanently').click()
    await expect(view.heading).toHaveText('Mock University')
    await expect(page.getByText('Café 2 was deleted.')).toBeVisible()
  })

  await step('finds an organization by name, and explains a missing one', async () => {
    await view.button('Show another organization').click()
    const which = page.getByRole('combobox', { name: 'Exact name or number' })
    await which.fill('Forschungsnetz Süd / 研究室')
    await which.press('Enter')
    await view.expectUsers(6)
    await view.button('Show another organization').click()
    await which.fill('77')
    await page.getByRole('option', { name: '77 Number' }).click()
    await view.expectError(main, 'organizations/not-found', "This organization doesn't exist")
    await view.button('Show current organization').click()
    await expect(view.heading).toHaveText('Mock University')
  })

  await step('scrolls through a thousand users, and shows hostile names as text', async () => {
    await view.scenario('thousand-users')
    await view.refresh()
    await view.expectUsers(1007)
    expect(await view.row(/./).count()).toBeLessThan(60)
    await view.row(/^tester/).focus()
    await page.keyboard.press('End')
    await expect(page.locator('[aria-posinset="1007"] button')).toBeFocused()
    await view.scenario('organization-hostile-names')
    await view.refresh()
    await expect(view.heading).toHaveText('<img src=x onerror=alert(1)>')
    await expect(main.locator('img, script')).toHaveCount(0)
    const asked = (await mock.requests()).map(({ path }) => path)
    expect(asked.filter((path) => path.includes('avatar'))).toEqual([])
    await view.scenario('all-well')
    await view.refresh()
    await view.expectUsers(7)
  })

  await step('shows cached data while the service is down, and explains an invalid response', async () => {
    await view.scenario('organization-down')
    await view.refresh()
    await expect(page.getByText(/can't be reached\./)).toBeVisible()
    await view.expectUsers(7)
    await view.scenario('all-well')
    await mock.fault('/api/org/users', { malformed: true })
    await view.refresh()
    await view.expectError(main, 'organizations/invalid-response', "isn't valid")
    await mock.control('DELETE', 'faults')
    await view.button('Try again').click()
    await view.expectUsers(7)
    await expect(page.getByText(/can't be reached\./)).toHaveCount(0)
    await expect(window.alerts).toHaveCount(0)
  })

  await step('sends credentials only to the key store and the service', async () => {
    const token = 'planted-organization-token'
    await view.scenario('organization-unauthorized')
    await view.refresh()
    await view.expectError(main, 'organizations/unauthorized', 'requires you to sign in')
    await expect(view.row(/./)).toHaveCount(0)
    await page.getByLabel('Token', { exact: true }).fill(token)
    await view.button('Save and try').click()
    await expect(page.getByText('a token', { exact: true })).toBeVisible()
    // The try has been refused before the service lets anybody in.
    const sent = async () => (await mock.requests()).map(({ headers }) => headers.authorization)
    await expect.poll(sent).toContain(`Bearer ${token}`)
    await view.scenario('all-well')
    await view.button('Try again').click()
    await view.expectUsers(7)
    const { headers } = (await mock.requests()).at(-1) ?? {}
    expect(headers?.authorization).toBe(`Bearer ${token}`)
    expect([...(await keptEntries(mock.host)).keys()].join()).toContain('organization-credentials')
    expect(await page.content()).not.toContain(token)
    expect(app.output()).not.toContain(token)
    await view.button('Sign in to this service').click()
    await view.button('Forget all').click()
    await expect(page.getByText('Nothing is stored yet.')).toBeVisible()
    expect([...(await keptEntries(mock.host)).keys()].join()).not.toContain('organization-credentials')
  })
})
