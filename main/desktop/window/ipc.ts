import { ipcMain, type BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron'
import { channels } from '../../../contract/bridge'
import type { AppModel } from '../../commands/models/app-model'
import type { Dispatch } from '../../commands/dispatch'
import { isTrustedSender } from './trusted-sender'

/** The handlers of the window's requests. */
export interface WindowAnswers {
  readonly model: AppModel
  readonly dispatch: Dispatch
  /** Handles the paths of dropped files. */
  readonly offerFiles: (paths: unknown) => Promise<unknown>
}

/**
 * Answers the requests of the current window and sends it changes. Requests wait until `answers` resolves. `onPainted` is
 * called at the first paint of each page.
 */
export function connectWindow(
  answers: Promise<WindowAnswers>,
  currentWindow: () => BrowserWindow | undefined,
  onPainted: () => void,
): void {
  function isOurs(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
    const window = currentWindow()
    return window !== undefined && isTrustedSender(event.senderFrame, window.webContents.mainFrame)
  }

  function check(event: IpcMainInvokeEvent): void {
    if (!isOurs(event)) throw new Error('This sender is not known.')
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
    const { model } = await answers
    // A new page starts with this request, so the watches of the previous page end.
    model.watch.stop()
    return model.state()
  })
  ipcMain.on(channels.painted, (event) => {
    if (isOurs(event)) onPainted()
  })
  void answers.then(({ model }) => {
    model.onChange((changed) => {
      currentWindow()?.webContents.send(channels.stateChanged, changed)
    })
    model.watch.onNews((news) => {
      const window = currentWindow()
      if (window === undefined) model.watch.stop()
      else window.webContents.send(channels.connectionNews, news)
    })
  })
}
