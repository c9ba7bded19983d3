import { app, Notification } from 'electron'

export interface DesktopText {
  readonly title: string
  readonly body: string
}

/** That of electron-builder.yml: without it Windows shows nothing. */
const appId = 'org.causeway.app'

/** Shows notifications of the desktop, where it has them; a click on one calls back. */
export function desktopNotifications(onClick: () => void): (text: DesktopText) => void {
  if (process.platform === 'win32') app.setAppUserModelId(appId)
  // One that is not held is collected, and its click with it.
  const shown = new Set<Notification>()
  return ({ title, body }) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({ title, body })
    const forget = (): void => {
      shown.delete(notification)
    }
    notification.on('click', () => {
      forget()
      onClick()
    })
    notification.on('close', forget)
    notification.on('failed', forget)
    shown.add(notification)
    notification.show()
  }
}
