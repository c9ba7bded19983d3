import { appOrigin } from './renderer-files'

/** Of Electron's WebFrameMain, what the check needs. */
interface Frame {
  readonly url: string
}

/** True only for the main frame of our own window, showing our own page. A sender may be gone already: null. */
export function isTrustedSender(sender: Frame | null, ownMainFrame: Frame): boolean {
  return sender !== null && sender === ownMainFrame && sender.url.startsWith(`${appOrigin}/`)
}
