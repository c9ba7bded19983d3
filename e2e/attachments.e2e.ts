import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { agreeInDialogs, type RunningApp, setWidth, widen } from './causeway-app'
import { expect, test } from './fixtures'
import { misfits } from './misfits'
import type { MockServer } from './mock-server'

const { step } = test

/** Page object of the attachments view. */
class AttachmentsView {
  readonly page: Page
  readonly #app: RunningApp

  constructor(app: RunningApp) {
    this.page = app.window.page
    this.#app = app
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  row(title: string | RegExp): Locator {
    return this.page.getByRole('list', { name: 'List of attachments' }).getByRole('button', { name: title })
  }

  get details(): Locator {
    return this.page.getByRole('region', { name: 'Details' })
  }

  get transfers(): Locator {
    return this.page.getByRole('region', { name: 'Transfers' }).getByRole('listitem')
  }

  async expectCount(count: number): Promise<void> {
    await expect(
      this.page.getByText(`${count.toLocaleString('en')} attachment${count === 1 ? '' : 's'}`, {
        exact: true,
      }),
    ).toBeVisible()
  }

  async refresh(): Promise<void> {
    await this.button('Refresh').click()
  }

  async fill(field: string, text: string): Promise<void> {
    const named = { name: field }
    await this.page.getByRole('textbox', named).or(this.page.getByRole('combobox', named)).fill(text)
  }

  /** Sets what the system's file dialogs return from now on. */
  async chooses(open: readonly string[], save = ''): Promise<void> {
    await this.#app.electron.evaluate(
      ({ dialog }, { filePaths, filePath }) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: filePaths.length === 0, filePaths })
        dialog.showSaveDialog = () => Promise.resolve({ canceled: filePath === '', filePath })
      },
      { filePaths: [...open], filePath: save },
    )
  }

  /** Chooses a file and starts its upload under the suggested title. */
  async upload(path: string): Promise<Locator> {
    await this.chooses([path])
    await this.button('Upload files').click()
    await this.details.getByRole('button', { name: 'Upload', exact: true }).click()
    return this.transfers.first()
  }

  async dismissTransfers(): Promise<void> {
    const dismiss = this.transfers.getByRole('button', { name: 'Dismiss' })
    while ((await dismiss.count()) > 0) {
      const left = await dismiss.count()
      await dismiss.first().click()
      await expect(dismiss).toHaveCount(left - 1)
    }
  }
}

function scenario(mock: MockServer, name: string): Promise<unknown> {
  return mock.control('POST', `scenarios/${name}`)
}

test.describe('attachments', () => {
  test('can be browsed, added, uploaded, edited, downloaded and deleted', async ({
    app,
    window,
    mock,
    folder,
    handedOver,
    logIn,
  }) => {
    const { page } = window
    const view = new AttachmentsView(app)
    const file = async (name: string, bytes: number): Promise<string> => {
      const path = join(folder, name)
      await writeFile(path, Buffer.alloc(bytes, 'attachment '))
      return path
    }
    await widen(app)
    await window.addInstance(mock.instance)
    await logIn(window)
    await expect(window.firstProfile).toBeVisible()
    await page.getByRole('link', { name: 'Attachments' }).click()
    await view.expectCount(40)

    await step('scrolls through ten thousand attachments', async () => {
      await scenario(mock, 'ten-thousand-attachments')
      await view.refresh()
      await view.expectCount(10_040)
      await view.row('Attachment 1 of 10000').press('End')
      await expect(page.locator('[aria-posinset="10040"] button')).toBeFocused()
      expect(await page.getByRole('main').getByRole('listitem').count()).toBeLessThan(60)
      await page.keyboard.press('Home')
      await expect(view.row('Attachment 1 of 10000')).toBeFocused()
      const asked = (await mock.requests()).filter(({ path }) => path === '/v2.0.0/attachments/')
      expect(asked.length).toBeLessThan(20)
      await mock.control('POST', 'reset')
      await view.refresh()
      await view.expectCount(40)
    })

    await step('filters by author and lists the attachments of a video', async () => {
      await view.button('Filter').click()
      await page.getByRole('combobox', { name: 'Author' }).selectOption({ index: 1 })
      await expect(page.getByText(/^(?!40 )[1-9]\d* attachments?$/)).toBeVisible()
      await view.button('Show all').last().click()
      await view.expectCount(40)
      await page.getByText('For a video', { exact: true }).click()
      await page.getByRole('combobox', { name: 'Video' }).click()
      await page.getByRole('option', { name: 'video-1', exact: true }).click()
      await expect(page.getByText(/^(?!40 )[1-9]\d* attachments?$/)).toBeVisible()
      await page.getByText('All', { exact: true }).click()
      await view.expectCount(40)
    })

    await step('adds a link, opens it in the browser, and edits it', async () => {
      await view.button('Add link').click()
      await view.fill('Title', 'Agenda')
      await view.fill('Address', 'javascript:alert(1)')
      await view.button('Save').click()
      await window.expectError('attachments/invalid-request', "didn't send it")
      await view.fill('Address', `${mock.origin}/agenda`)
      await view.button('Save').click()
      await expect(view.row('Agenda')).toHaveAttribute('aria-current', 'true')
      await view.expectCount(41)
      await view.details.getByRole('button', { name: 'Open in browser' }).click()
      expect(await handedOver.address(2)).toBe(`${mock.origin}/agenda`)
      await view.details.getByRole('button', { name: 'Edit' }).click()
      await view.fill('Title', 'Agenda of <b>Monday</b>')
      await view.button('Save').click()
      await expect(view.row('Agenda of <b>Monday</b>')).toBeVisible()
    })

    await step('uploads a file and waits until the service has processed it', async () => {
      await mock.control('POST', 'uploads/notify', { hold: true })
      const transfer = await view.upload(await file('Notes of June.pdf', 300_000))
      await expect(transfer).toContainText('The file is uploaded.')
      await expect(view.row(/Notes of June.*Upload in progress/)).toBeVisible()
      await view.row('Notes of June').click()
      await expect(view.details).toContainText('You can download it once the upload is complete.')
      await expect(window.alerts).toHaveCount(0)
      await mock.control('POST', 'uploads/notify', { hold: false })
      await expect(transfer).toContainText('Uploaded')
      await expect(view.row(/Notes of June.*Upload in progress/)).toHaveCount(0)
      await expect(view.details.getByRole('button', { name: 'Download' })).toBeVisible()
      await view.dismissTransfers()
    })

    await step('uploads dropped files and rejects folders', async () => {
      const files = [await file('one.txt', 10), await file('two.txt', 20), folder]
      await agreeInDialogs(app)
      const session = await app.electron.context().newCDPSession(page)
      const data = { items: [], files, dragOperationsMask: 1 }
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
      }
      await expect(view.details.getByRole('textbox', { name: 'Title' })).toHaveCount(2)
      await window.expectError('attachments/file-unreadable', 'This is a folder.')
      await view.details.getByRole('button', { name: 'Upload', exact: true }).click()
      await expect(view.transfers.filter({ hasText: 'Uploaded' })).toHaveCount(2)
      await view.button('Dismiss finished transfers').click()
      await expect(view.transfers).toHaveCount(0)
    })

    await step('resumes an upload after a lost connection', async () => {
      await mock.control('POST', 'faults', {
        match: { method: 'PUT', path: '/storage/*' },
        times: 2,
        fault: { reset: true, afterBytes: 100_000 },
      })
      const transfer = await view.upload(await file('Lost.bin', 2_000_000))
      await expect(transfer).toContainText('The connection was lost.')
      await transfer.getByRole('button', { name: 'Try now' }).click()
      await expect(transfer).toContainText('Uploaded')
      await view.dismissTransfers()
    })

    await step('shows why the storage refused an upload, and retries', async () => {
      await scenario(mock, 'storage-full')
      const transfer = await view.upload(await file('Full.bin', 1000))
      await transfer.getByRole('button', { name: 'More' }).click()
      await expect(transfer).toContainText('Code: attachments/storage-refused')
      // The error is long, and has room in a window of the first size.
      await setWidth(app, 880)
      expect(await misfits(page, ['en'], false)).toEqual({})
      await widen(app)
      await scenario(mock, 'all-well')
      await transfer.getByRole('button', { name: 'Try again' }).click()
      await expect(transfer).toContainText('Uploaded')
      await view.dismissTransfers()
    })

    await step('replaces a file and downloads it', async () => {
      const target = join(folder, 'saved.txt')
      await view.row(/^one /).click()
      await expect(view.details).toContainText('10 bytes')
      await writeFile(join(folder, 'new.txt'), 'The new one')
      await view.chooses([join(folder, 'new.txt')], target)
      await view.details.getByRole('button', { name: 'Replace file' }).click()
      await expect(view.transfers.first()).toContainText('Uploaded')
      await expect(view.details).toContainText('11 bytes')
      await view.dismissTransfers()
      await view.details.getByRole('button', { name: 'Download' }).click()
      await expect(view.transfers.first()).toContainText('Downloaded')
      expect(await readFile(target, 'utf8')).toBe('The new one')
      await app.electron.evaluate(({ shell }) => {
        shell.openPath = (path) => {
          Object.assign(globalThis, { openedPath: path })
          return Promise.resolve('')
        }
      })
      await view.transfers.first().getByRole('button', { name: 'Open' }).click()
      await expect
        .poll(() => app.electron.evaluate(() => (globalThis as { openedPath?: string }).openedPath))
        .toBe(target)
      await view.dismissTransfers()
    })

    await step('shows why a download with an expired address failed, and retries', async () => {
      await scenario(mock, 'expired-upload-url')
      await view.details.getByRole('button', { name: 'Download' }).click()
      const transfer = view.transfers.first()
      await transfer.getByRole('button', { name: 'More' }).click()
      await expect(transfer).toContainText(/Code: attachments\/(storage-refused|file-missing)/)
      await scenario(mock, 'all-well')
      await transfer.getByRole('button', { name: 'Try again' }).click()
      await expect(transfer).toContainText('Downloaded')
      await view.dismissTransfers()
    })

    await step('shows errors of the service and retries when asked', async () => {
      await scenario(mock, 'attachments-forbidden')
      await view.refresh()
      await window.expectError('attachments/forbidden', "don't have permission")
      await scenario(mock, 'all-well')
      for (const [fault, code] of [
        [{ status: 500, body: { message: 'Broken' } }, 'attachments/unavailable'],
        [{ malformed: true }, 'attachments/invalid-response'],
      ] as const) {
        await mock.fault('/v2.0.0/attachments/', fault)
        await view.refresh()
        await expect(window.note(code)).toBeVisible()
        await mock.control('DELETE', 'faults')
        await view.button('Try again').click()
        await expect(window.alerts).toHaveCount(0)
      }
    })

    await step('undoes one deletion and sends another', async () => {
      const deletions = page.getByRole('status', { name: 'Deletions' })
      await view.row(/^two /).click()
      await view.details.getByRole('button', { name: 'Delete' }).click()
      await expect(view.row(/^two .*Being deleted/)).toBeVisible()
      await deletions.getByRole('button', { name: 'Undo' }).click()
      await expect(view.row(/^two .*Being deleted/)).toHaveCount(0)
      await view.row('Agenda of').click()
      await view.details.getByRole('button', { name: 'Delete' }).click()
      await expect(view.row('Agenda of')).toHaveCount(0)
      await expect(view.details).toHaveCount(0)
      await expect(deletions.getByRole('listitem')).toHaveCount(0)
      expect((await mock.requests()).filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    })

    await step('shows titles as text', async () => {
      await scenario(mock, 'attachment-hostile-titles')
      await view.refresh()
      await expect(view.row('<script>alert(document.cookie)</script>')).toBeVisible()
      await view.row('<script>alert(document.cookie)</script>').click()
      await expect(view.details.getByRole('heading', { name: /^<script>/ })).toBeVisible()
      expect(await page.evaluate('document.title')).toBe('Attachments · Causeway')
      expect(await page.locator('main img, main script').count()).toBe(0)
      await scenario(mock, 'all-well')
      await view.refresh()
    })

    await step("refuses files that the user hasn't chosen", async () => {
      const offer = async (files: string): Promise<unknown> =>
        page.evaluate(
          `Promise.resolve().then(() => window.causeway.offerFiles(${files})).catch(() => 'refused')`,
        )
      expect(await offer('[{ name: "passwd", path: "/etc/passwd" }]')).toBe('refused')
      expect(await offer('["/etc/passwd"]')).toBe('refused')
      expect(await offer('[new File(["made up"], "made-up.txt")]')).toMatchObject({
        ok: false,
        error: { code: 'attachments/file-unreadable', variant: 'not-of-this-computer' },
      })
    })

    await step('uses a service at the address that the user has set', async () => {
      await window.showSettings('Services')
      await page.getByRole('button', { name: `Settings of ${mock.host}` }).click()
      const address = page.getByRole('textbox', { name: 'Attachment service address' })
      await expect(address).toHaveAttribute('placeholder', `${mock.origin}/v2.0.0`)
      await address.fill('http://attachments.example.org')
      await view.button('Save').click()
      await expect(page.getByText(/^This address isn't valid/)).toBeVisible()
      await address.fill(`${mock.origin}/elsewhere/`)
      await view.fill('Your user ID', 'tester')
      await page.getByRole('checkbox', { name: 'Contributor' }).check()
      await view.button('Save').click()
      await expect(page.getByText('Saved.')).toBeVisible()
      await page.getByRole('link', { name: 'Attachments' }).click()
      await expect.poll(() => mock.count('GET', '/elsewhere/attachments/')).toBeGreaterThan(0)
      const asked = (await mock.requests()).find(({ path }) => path.startsWith('/elsewhere/'))
      expect(asked?.headers).toMatchObject({ 'x-user-id': 'tester', 'x-user-roles': 'CONTRIBUTOR' })

      await window.showSettings('Services')
      await page.getByRole('button', { name: `Settings of ${mock.host}` }).click()
      await address.fill('')
      await view.button('Save').click()
      await expect(page.getByText('Saved.')).toBeVisible()
    })

    await step("hides what a role doesn't allow", async () => {
      const set = async (...roles: readonly string[]): Promise<void> => {
        await window.showSettings('Services')
        await page.getByRole('button', { name: `Settings of ${mock.host}` }).click()
        await view.fill('Your user ID', 'bram')
        for (const role of ['Administrator', 'Contributor', 'Member']) {
          await page.getByRole('checkbox', { name: role }).setChecked(roles.includes(role))
        }
        await view.button('Save').click()
        await expect(page.getByText('Saved.')).toBeVisible()
        await page.getByRole('link', { name: 'Attachments' }).click()
      }
      await set('Member')
      await expect(page.getByText('As a member, you can see')).toBeVisible()
      await expect(view.button('Upload files')).toHaveCount(0)
      await page.getByRole('combobox', { name: 'Video' }).fill('video-1')
      await page.keyboard.press('Enter')
      await page.getByRole('list', { name: 'List of attachments' }).getByRole('button').first().click()
      await expect(view.details.getByRole('term').first()).toBeVisible()
      await expect(view.details.getByRole('button', { name: 'Delete' })).toHaveCount(0)
      await set('Administrator')
      await page.getByText('All', { exact: true }).click()
      await expect(view.button('Upload files')).toBeVisible()
      const { headers } =
        (await mock.requests()).findLast(({ path }) => path === '/v2.0.0/attachments/') ?? {}
      expect(headers).toMatchObject({ 'x-user-id': 'bram', 'x-user-roles': 'ADMINISTRATOR' })
      await page.getByText('Mine', { exact: true }).click()
      await expect
        .poll(
          async () => (await mock.requests()).findLast(({ path }) => path === '/v2.0.0/attachments/')?.query,
        )
        .toMatchObject({ userId: 'bram' })
      await page.getByText('All', { exact: true }).click()
    })

    await step('sends a pending deletion when the window is closed', async () => {
      await view.row(/^two /).click()
      await view.details.getByRole('button', { name: 'Delete' }).click()
      await expect(view.row(/^two .*Being deleted/)).toBeVisible()
      await app.quit()
      expect((await mock.requests()).filter(({ method }) => method === 'DELETE')).toHaveLength(2)
    })
  })
})
