import { app, Notification } from 'electron'
import type { View } from '../../../contract/views'

export interface DesktopText {
  readonly title: string
  readonly body: string
}

/** The appId in electron-builder.yml. Windows needs it to show notifications. */
const appId = 'org.causeway.app'

/** Returns a function that shows desktop notifications, if supported. A click calls back with the notification's view. */
export function desktopNotifications(onClick: (view: View) => void): (text: DesktopText, view: View) => void {
  if (process.platform === 'win32') app.setAppUserModelId(appId)
  // A reference keeps each notification, and its click handler, from garbage collection.
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

/** Escapes the body on Linux, whose desktops read it as markup with links: some texts come from servers. */
function plain(body: string): string {
  if (process.platform !== 'linux') return body
  return body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
