import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { channels } from '../../preload/channels'
import type { AppModel } from './app-model'
import type { Dispatch } from './dispatch'
import { isTrustedSender } from './trusted-sender'

/** What answers the window. */
export interface WindowAnswers {
  readonly model: AppModel
  readonly dispatch: Dispatch
  /** Takes the paths of what was dropped on the window. */
  readonly offerFiles: (paths: unknown) => Promise<unknown>
}

/**
 * Answers the bridge of the window that `currentWindow` names, and sends it what changes. What it asks before there is
 * anybody to answer waits.
 */
export function connectWindow(
  answers: Promise<WindowAnswers>,
  currentWindow: () => BrowserWindow | undefined,
): void {
  function check(event: IpcMainInvokeEvent): void {
    const window = currentWindow()
    if (window === undefined || !isTrustedSender(event.senderFrame, window.webContents.mainFrame)) {
      throw new Error('This sender is not known.')
    }
  }

  ipcMain.handle(channels.command, async (event, name: unknown, input: unknown) => {
    check(event)
    return (await answers).dispatch(name, input)
  })
  ipcMain.handle(channels.offerFiles, async (event, paths: unknown) => {
    check(event)
    return (await answers).offerFiles(paths)
  })
  ipcMain.handle(channels.state, async (event) => {
    check(event)
    return (await answers).model.state()
  })
  void answers.then(({ model }) => {
    model.onChange((changed) => {
      currentWindow()?.webContents.send(channels.stateChanged, changed)
    })
  })
}
