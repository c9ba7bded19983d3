import { app, clipboard, shell, type BrowserWindow } from 'electron'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../../app/services'
import { CausewayError } from '../../errors'
import type { AppModel } from '../../commands/models/app-model'
import type { AppOptions } from '../start/app-options'
import { attachmentsDesktop } from './attachments-desktop'
import { commandHandlers } from '../../commands/commands'
import { confirmChanges } from '../../commands/confirm-changes'
import { logDefect } from '../defect'
import { createDispatch, type Dispatch } from '../../commands/dispatch'
import { helpDeskText } from './help-desk-text'

/** Where systems keep the settings of their clock. Each desktop of Linux has its own. */
const clockSettings: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'ms-settings:dateandtime',
  darwin: 'x-apple.systempreferences:com.apple.preference.datetime',
}

/** Asks whether these files may be uploaded, which the page names; false if the user refuses. */
export function confirmFiles(
  { services, model, currentWindow }: WindowParts,
  paths: readonly string[],
): Promise<boolean> {
  const desktop = attachmentsDesktop(currentWindow)
  const { settings, instances, profileChoices, attachmentTransfers } = services
  const parts = { desktop, settings, instances, profileChoices, attachmentTransfers }
  return confirmChanges({ ...parts, language: model.language }).files(paths)
}

interface WindowParts {
  readonly services: Services
  readonly model: AppModel
  readonly currentWindow: () => BrowserWindow | undefined
}

/** Creates the dispatch for the window's commands over services and desktop. Failures are logged. */
export function windowCommands({
  services,
  model,
  login,
  currentWindow,
}: WindowParts & { readonly login: AppOptions['login'] }): Dispatch {
  return createDispatch(
    commandHandlers(services, model, {
      login,
      copySupportReport: async () => {
        // What was shown when the person asked, not what has become of it during the checks.
        const state = model.state()
        await clipboard.writeText(helpDeskText(state, await services.supportReport(), model.language))
      },
      openClockSettings: async () => {
        const address = clockSettings[process.platform]
        if (address === undefined) throw new CausewayError('usage/invalid-argument')
        await shell.openExternal(address)
      },
      copyText: async (text) => {
        await clipboard.writeText(text)
      },
      readLicenses: async () =>
        app.isPackaged
          ? readFile(join(process.resourcesPath, 'licenses', 'THIRD-PARTY-NOTICES.txt'), 'utf8')
          : undefined,
      desktop: attachmentsDesktop(currentWindow),
    }),
    logDefect,
    (command, error) => {
      services.log.write('error', 'command', 'failed', { command, error })
    },
  )
}
