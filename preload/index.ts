import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { channels, type UncheckedBridge } from '../contract/bridge'

function listen(channel: string, listener: (told: unknown) => void): () => void {
  const forward = (_event: unknown, told: unknown): void => {
    listener(told)
  }
  ipcRenderer.on(channel, forward)
  return () => {
    ipcRenderer.off(channel, forward)
  }
}

/** The script runs in a page. Its first one can be an empty one, which main answers nothing. */
declare const location: { readonly protocol: string }

/** Asked before the page can, so that it need not wait; not for long, as what changes meanwhile is not in it. */
let first = location.protocol === 'app:' ? askForState() : undefined
ipcRenderer.once(channels.stateChanged, () => {
  first = undefined
})

function askForState(): Promise<unknown> {
  return ipcRenderer.invoke(channels.state)
}

function state(): Promise<unknown> {
  const asked = first ?? askForState()
  first = undefined
  return asked
}

const bridge: UncheckedBridge = {
  run: (name, input) => ipcRenderer.invoke(channels.command, name, input),
  offerFiles: (files) =>
    ipcRenderer.invoke(
      channels.offerFiles,
      // What is dropped from a page is no file of this computer and has no path.
      files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== ''),
    ),
  state,
  painted: () => {
    ipcRenderer.send(channels.painted)
  },
  onStateChanged: (listener) => listen(channels.stateChanged, listener),
  onConnectionNews: (listener) => listen(channels.connectionNews, listener),
}

contextBridge.exposeInMainWorld('causeway', bridge)
