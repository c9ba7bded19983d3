import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { channels, type UncheckedBridge } from '../contract/bridge'

function listen(channel: string, listener: (value: unknown) => void): () => void {
  const forward = (_event: unknown, value: unknown): void => {
    listener(value)
  }
  ipcRenderer.on(channel, forward)
  return () => {
    ipcRenderer.off(channel, forward)
  }
}

/** The page's location. The first page can be an empty one, which gets no answers from main. */
declare const location: { readonly protocol: string }

/** The state, requested early so that the page doesn't wait for it. Dropped at the first change, which it lacks. */
let prefetched = location.protocol === 'app:' ? askForState() : undefined
ipcRenderer.once(channels.stateChanged, () => {
  prefetched = undefined
})

function askForState(): Promise<unknown> {
  return ipcRenderer.invoke(channels.state)
}

function state(): Promise<unknown> {
  const state = prefetched ?? askForState()
  prefetched = undefined
  return state
}

const bridge: UncheckedBridge = {
  run: (name, input) => ipcRenderer.invoke(channels.command, name, input),
  offerFiles: (files) =>
    ipcRenderer.invoke(
      channels.offerFiles,
      // What is dropped from a web page has no path.
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
