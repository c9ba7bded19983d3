import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningApp } from './causeway-app'
import { closeWindow, isVisible, test } from './desktop-fixtures'
import { expect } from './fixtures'
import { isRunning } from './processes'
import { slowUpload } from './slow-upload'

/** Answers the system's questions with this button from now on, and records them in `questions`. */
async function answers({ electron }: RunningApp, button: string): Promise<void> {
  await electron.evaluate(({ dialog }, wanted) => {
    const questions = ((globalThis as { questions?: string[] }).questions ??= [])
    const answer = (...args: unknown[]): Promise<{ response: number; checkboxChecked: boolean }> => {
      const { message, buttons = [] } = args.at(-1) as { message: string; buttons?: string[] }
      questions.push(message)
      return Promise.resolve({ response: buttons.indexOf(wanted), checkboxChecked: false })
    }
    dialog.showMessageBox = answer
  }, button)
}

function asked({ electron }: RunningApp): Promise<readonly string[]> {
  return electron.evaluate(() => (globalThis as { questions?: string[] }).questions ?? [])
}

const question = '1 upload or download is in progress'

test('asks before quitting during an upload, and lets it finish', async ({
  app,
  mock,
  folder,
  desktop,
  logIn,
}) => {
  await expect.poll(() => desktop.hasItem).toBe(true)
  const transfer = await slowUpload(app, mock, folder, logIn)
  await answers(app, 'Keep running')
  await desktop.choose('Quit')
  await expect.poll(() => asked(app)).toEqual([question])
  await app.electron.evaluate(({ Menu }) => {
    const entries = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? []
    entries.find(({ role }) => role?.toLowerCase() === 'quit')?.click()
  })
  await expect.poll(() => asked(app)).toEqual([question, question])
  await expect(transfer).toContainText('Uploaded')

  // No transfer is left to lose.
  const closed = app.electron.waitForEvent('close')
  await desktop.choose('Quit')
  await closed
  expect(await isRunning(app.pid)).toBe(false)
})

test.describe('where closing the window quits', () => {
  test.use({ hasTray: false })

  test('asks over the window, which stays or closes with the app', async ({ app, mock, folder, logIn }) => {
    await slowUpload(app, mock, folder, logIn)
    await answers(app, 'Keep running')
    await closeWindow(app)
    await expect.poll(() => asked(app)).toEqual([question])
    await expect.poll(() => isVisible(app)).toBe(true)

    await answers(app, 'Quit anyway')
    const closed = app.electron.waitForEvent('close')
    await closeWindow(app)
    await closed
    expect(await isRunning(app.pid)).toBe(false)
  })
})

test('ends with the session in spite of an open question', async ({ app, mock, folder, logIn }) => {
  await slowUpload(app, mock, folder, logIn)
  // Opens the question, which nobody answers.
  await app.electron.evaluate(({ app: electron }) => {
    electron.quit()
  })
  expect(app.isRunning()).toBe(true)
  const closed = app.electron.waitForEvent('close')
  process.kill(app.pid, 'SIGTERM')
  await closed
  expect(await isRunning(app.pid)).toBe(false)
})

test('starts again after quitting if somebody started it meanwhile', async ({ app, folder }) => {
  const file = join(folder, 'relaunched.json')
  const closed = app.electron.waitForEvent('close')
  await app.electron.evaluate(({ app: electron }, path) => {
    electron.relaunch = (options) => {
      process.getBuiltinModule('node:fs').writeFileSync(path, JSON.stringify(options))
    }
    setImmediate(() => {
      electron.quit()
      const other = { hidden: false, connect: true }
      electron.emit('second-instance', {}, [], '', other)
    })
  }, file)
  await closed
  const { args } = JSON.parse(await readFile(file, 'utf8')) as { readonly args: readonly string[] }
  expect(args.at(-1)).toBe('--connect')
})
