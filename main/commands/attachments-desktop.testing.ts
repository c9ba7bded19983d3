import type { AttachmentsDesktop } from './attachments-window-commands'

/** A desktop whose user cancels all dialogs. */
export const noDesktop: AttachmentsDesktop = {
  chooseFiles: () => Promise.resolve([]),
  chooseTarget: () => Promise.resolve(undefined),
  openFile: () => Promise.resolve(),
  showInFolder: () => undefined,
  confirm: () => Promise.resolve(false),
}
