import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { WindowsHelper } from '../platform/child-process/windows-helper'
import { findOwnService, type OwnService } from './own-service'

/** From scripts/build-helper.ts: the service of Windows, its frames and the client's end of them, over a model of Windows. */
const program = join(import.meta.dirname, '../../node_modules/.cache/causeway-helper/service_rehearsal')

/** Causeway's service as it should be. */
export const readyService: OwnService = {
  installed: true,
  running: false,
  disabled: false,
  mayStart: true,
  program: true,
  library: true,
}

/** Causeway's helper and its service on a modelled Windows (helper/windows/rehearsal.go), until the test has finished. */
export interface RehearsedWindows {
  readonly helper: WindowsHelper
  readonly findService: typeof findOwnService
  /** Changes what Windows' list of services says. */
  setService(changes: Partial<OwnService>): Promise<void>
  /** Returns the state of the model, where `local-network` is the rules that block those; empty if there is none. */
  state(name: 'device' | 'firewall' | 'kill-switch' | 'local-network' | 'names'): Promise<string>
  set(name: 'firewall' | 'kill-switch', text: string): Promise<void>
}

export async function rehearseWindows(service: Partial<OwnService> = {}): Promise<RehearsedWindows> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-windows-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'causeway-helper.exe')
  await copyFile(program, path)
  const helper: WindowsHelper = (...words) => [path, ...words]
  const setService = (changes: Partial<OwnService>) =>
    writeFile(join(folder, 'own-service'), JSON.stringify({ ...readyService, ...changes }))
  await setService(service)
  return {
    helper,
    findService: (_helper, isGoodEnough) => findOwnService(helper, isGoodEnough),
    setService,
    state: (name) => readFile(join(folder, name), 'utf8').catch(() => ''),
    set: (name, text) => writeFile(join(folder, name), text),
  }
}
