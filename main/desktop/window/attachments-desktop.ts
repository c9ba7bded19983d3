import { app, dialog, shell, type BrowserWindow } from 'electron'
import { join } from 'node:path'
import { CausewayError } from '../../errors'
import type { AttachmentsDesktop } from '../../commands/attachments-window-commands'

/** Returns the system's dialogs, over our own window if it's open. */
export function attachmentsDesktop(currentWindow: () => BrowserWindow | undefined): AttachmentsDesktop {
  return {
    chooseFiles: async ({ several, title }) => {
      const dialogOptions = {
        properties: ['openFile' as const, ...(several ? ['multiSelections' as const] : [])],
        // macOS shows only the message.
        ...(title === undefined ? {} : { title, message: title }),
      }
      const window = currentWindow()
      const { filePaths } = await (window === undefined
        ? dialog.showOpenDialog(dialogOptions)
        : dialog.showOpenDialog(window, dialogOptions))
      return filePaths
    },
    chooseTarget: async (name) => {
      const dialogOptions = {
        defaultPath: join(app.getPath('downloads'), name),
        properties: ['createDirectory' as const, 'showOverwriteConfirmation' as const],
      }
      const window = currentWindow()
      const { canceled, filePath } = await (window === undefined
        ? dialog.showSaveDialog(dialogOptions)
        : dialog.showSaveDialog(window, dialogOptions))
      return canceled || filePath === '' ? undefined : filePath
    },
    openFile: async (path) => {
      if ((await shell.openPath(path)) === '') return
      throw new CausewayError('attachments/not-opened')
    },
    showInFolder: (path) => {
      shell.showItemInFolder(path)
    },
    confirm: async ({ message, detail, action, cancel }) => {
      const question = {
        type: 'question' as const,
        title: 'Causeway',
        message,
        detail,
        buttons: [action, cancel],
        // A page could open the dialog while the user types.
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      }
      const window = currentWindow()
      // On a hidden window, macOS would never show it.
      const { response } = await (window?.isVisible() === true
        ? dialog.showMessageBox(window, question)
        : dialog.showMessageBox(question))
      return response === 0
    },
  }
}
