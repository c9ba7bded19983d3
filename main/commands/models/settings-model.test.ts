import { expect, it } from 'vitest'
import { settingsSchema, type Settings } from '../../../contract/settings'
import { SettingsModel } from './settings-model'

it('keeps what is set while it reads the settings, as when the window gets the focus', async () => {
  let answer: (settings: Settings) => void = () => undefined
  const before = settingsSchema.parse({})
  const model = new SettingsModel({
    settings: {
      managed: () => Promise.resolve([]),
      all: () => new Promise<Settings>((resolve) => (answer = resolve)),
    },
    chosenLanguages: [],
    systemLanguages: ['en'],
    onChange: () => undefined,
  })
  const reading = model.read()
  await model.use({ ...before, connectionDetails: true })
  answer(before)
  await reading
  expect(model.slice.connectionDetails).toBe(true)

  const next = model.read()
  answer(before)
  await next
  expect(model.slice.connectionDetails).toBe(false)
})
