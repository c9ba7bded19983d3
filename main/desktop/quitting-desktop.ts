import { app, dialog, powerMonitor, type BrowserWindow } from 'electron'
import type { AppModel } from '../commands/models/app-model'
import { logDefect } from './defect'
import { Quitting } from './quitting'

/** Creates a `Quitting` with a system dialog, over our own window if it's visible. */
export function desktopQuitting(
  model: Pick<AppModel, 'attachments' | 'language'>,
  currentWindow: () => BrowserWindow | undefined,
): Quitting {
  const quitting = new Quitting({
    underWay: () => model.attachments.underWay(),
    ask: async (count, signal) => {
      const { t } = model.language
      const question = {
        type: 'question' as const,
        title: 'Causeway',
        message: t('desktop.quitting.underWay', { count }),
        detail: t('desktop.quitting.text'),
        buttons: [t('desktop.quitting.keep'), t('desktop.quitting.anyway')],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
        signal,
      }
      const window = currentWindow()
      const { response } = await (window?.isVisible() === true
        ? dialog.showMessageBox(window, question)
        : dialog.showMessageBox(question))
      return response === 1
    },
    quit: () => {
      app.quit()
    },
    onDefect: logDefect,
  })
  const ends = (): void => {
    quitting.sessionEnds()
  }
  // On Windows apps can't delay the end of the session.
  powerMonitor.on('shutdown', ends)
  // `once`: a second signal ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, ends)
  return quitting
}
