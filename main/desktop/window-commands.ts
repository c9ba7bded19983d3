import { app, clipboard, type BrowserWindow } from 'electron'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { supportReportText } from '../app/diagnostics/support-report'
import type { Services } from '../app/services'
import type { AppModel } from './app-model'
import type { AppOptions } from './app-options'
import { attachmentsDesktop } from './attachments-desktop'
import { commandHandlers } from './commands'
import { logDefect } from './defect'
import { createDispatch, type Dispatch } from './dispatch'

/** Creates the dispatch for the window's commands over services and desktop. Failures are logged. */
export function windowCommands(options: {
  readonly services: Services
  readonly model: AppModel
  readonly login: AppOptions['login']
  readonly currentWindow: () => BrowserWindow | undefined
}): Dispatch {
  const { services, model, login, currentWindow } = options
  return createDispatch(
    commandHandlers(services, model, {
      login,
      copySupportReport: async () => {
        await clipboard.writeText(supportReportText(await services.supportReport()))
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
