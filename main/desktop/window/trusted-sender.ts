import { appOrigin } from './page-origin'

/** The subset of Electron's WebFrameMain that the check needs. */
interface Frame {
  readonly url: string
}

/** Returns true only for the main frame of our own window with our own page. `null`: the sender is gone. */
export function isTrustedSender(sender: Frame | null, ownMainFrame: Frame): boolean {
  return sender !== null && sender === ownMainFrame && sender.url.startsWith(`${appOrigin}/`)
}
