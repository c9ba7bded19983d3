import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { channels } from './channels'
import type { UncheckedBridge } from './contract'

const bridge: UncheckedBridge = {
  run: (name, input) => ipcRenderer.invoke(channels.command, name, input),
  offerFiles: (files) =>
    ipcRenderer.invoke(
      channels.offerFiles,
      // What is dropped from a page is no file of this computer and has no path.
      files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== ''),
    ),
  state: () => ipcRenderer.invoke(channels.state),
  onStateChanged(listener) {
    const forward = (_event: unknown, changed: unknown): void => {
      listener(changed)
    }
    ipcRenderer.on(channels.stateChanged, forward)
    return () => {
      ipcRenderer.off(channels.stateChanged, forward)
    }
  },
}

contextBridge.exposeInMainWorld('causeway', bridge)
