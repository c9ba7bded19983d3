import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { channels } from '../../preload/channels'
import type { AppModel } from './app-model'
import { isTrustedSender, type Dispatch } from './dispatch'

/** Answers the bridge of the window that `currentWindow` names, and sends it what changes. */
export function connectWindow(options: {
  readonly model: AppModel
  readonly dispatch: Dispatch
  /** Takes the paths of what was dropped on the window. */
  readonly offerFiles: (paths: unknown) => Promise<unknown>
  readonly currentWindow: () => BrowserWindow | undefined
}): void {
  const { model, dispatch, offerFiles, currentWindow } = options

  function check(event: IpcMainInvokeEvent): void {
    const window = currentWindow()
    if (window === undefined || !isTrustedSender(event.senderFrame, window.webContents.mainFrame)) {
      throw new Error('This sender is not known.')
    }
  }

  ipcMain.handle(channels.command, (event, name: unknown, input: unknown) => {
    check(event)
    return dispatch(name, input)
  })
  ipcMain.handle(channels.offerFiles, (event, paths: unknown) => {
    check(event)
    return offerFiles(paths)
  })
  ipcMain.handle(channels.state, (event) => {
    check(event)
    return model.state()
  })
  model.onChange((changed) => {
    currentWindow()?.webContents.send(channels.stateChanged, changed)
  })
}
