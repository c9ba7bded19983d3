import { app, Notification } from 'electron'
import type { View } from '../../contract/views'

export interface DesktopText {
  readonly title: string
  readonly body: string
}

/** That of electron-builder.yml: without it Windows shows nothing. */
const appId = 'org.causeway.app'

/** Shows notifications of the desktop, where it has them; a click on one calls back with the view that it is about. */
export function desktopNotifications(onClick: (view: View) => void): (text: DesktopText, view: View) => void {
  if (process.platform === 'win32') app.setAppUserModelId(appId)
  // One that is not held is collected, and its click with it.
  const shown = new Set<Notification>()
  return ({ title, body }, view) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({ title, body: plain(body) })
    const forget = (): void => {
      shown.delete(notification)
    }
    notification.on('click', () => {
      forget()
      onClick(view)
    })
    notification.on('close', forget)
    notification.on('failed', forget)
    shown.add(notification)
    notification.show()
  }
}

/** Desktops of Linux take the body for markup, with links, and some of the texts are a server's. */
function plain(body: string): string {
  if (process.platform !== 'linux') return body
  return body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
