import { expect, it } from 'vitest'
import { versions } from './versions'

const node = { node: '20.18.3' }
const electron = { ...node, electron: '33.4.0' }

it.each([
  ['the terminal command', { versions: node }, 'terminal'],
  ["the terminal command of a package, in Electron's Node mode", { versions: electron }, 'terminal'],
  ['the window', { versions: electron, type: 'browser' }, 'window'],
])('names %s', (_what, running, program) => {
  expect(versions(running)).toMatchObject({ ...running.versions, program })
})
