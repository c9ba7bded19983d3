import type { AttachmentsDesktop } from './attachments-commands'

/** A desktop at which the person changes their mind. */
export const noDesktop: AttachmentsDesktop = {
  chooseFiles: () => Promise.resolve([]),
  chooseTarget: () => Promise.resolve(undefined),
  openFile: () => Promise.resolve(),
  showInFolder: () => undefined,
}
